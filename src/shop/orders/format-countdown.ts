const SECOND_MS = 1000;

const formatTwoDigits = (value: number): string => String(value).padStart(2, '0');

/** Formats remaining ms as hh:mm:ss, rounded up to seconds, never below zero. */
export function formatCountdown(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / SECOND_MS));
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(formatTwoDigits).join(':');
}
