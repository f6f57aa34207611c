/** Describes what is available for staff: '3 left', 'Sold out', '2 short'. */
export function describeAvailable(available: number): string {
  if (available < 0) return `${-available} short`;
  return available === 0 ? 'Sold out' : `${available} left`;
}
