/**
 * Share of a payment window that is left, from 0 to 1. Steps of a thousandth.
 * @param leftS seconds until the end
 * @param startedAt ISO 8601, as `expiresAt`
 */
export function computeShareLeft(leftS: number, startedAt: string, expiresAt: string): number {
  const wholeS = (Date.parse(expiresAt) - Date.parse(startedAt)) / 1000;
  if (!(wholeS > 0)) return leftS > 0 ? 1 : 0;
  return Math.round(Math.min(Math.max(leftS / wholeS, 0), 1) * 1000) / 1000;
}
