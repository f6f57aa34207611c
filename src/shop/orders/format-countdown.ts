const SECOND_MS = 1000;

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** hh:mm:ss of what is left, in ms; never below zero. A part of a second counts as one. */
export function formatCountdown(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / SECOND_MS));
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(twoDigits).join(':');
}
