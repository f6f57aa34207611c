const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** As in "1.2 MB": steps of 1,000, with one decimal below ten. */
export function formatBytes(bytes: number): string {
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
  const value = bytes / 1_000 ** step;
  const text = value < 10 && step > 0 ? String(Math.round(value * 10) / 10) : String(Math.round(value));
  return `${text} ${UNITS[step] ?? ''}`;
}
