/** Placeholder of the tracking number in the pattern of a carrier. */
const NUMBER_PLACEHOLDER = '{number}';
export const MAX_PATTERN = 300;

export type PatternProblem = 'not-https' | 'no-number' | 'too-long';

/** Why a pattern can't be the address of tracking pages; null if it can. */
export function findPatternProblem(pattern: string): PatternProblem | null {
  if (pattern.length > MAX_PATTERN) return 'too-long';
  if (!pattern.includes(NUMBER_PLACEHOLDER)) return 'no-number';
  const [origin = ''] = pattern.split(NUMBER_PLACEHOLDER);
  const probe = URL.parse(pattern.replaceAll(NUMBER_PLACEHOLDER, '1'));
  // The number must not be a part of the host.
  const hasFixedHost = /^https:\/\/[^/?#\s@\\]+[/?#]/.test(origin);
  return probe?.protocol === 'https:' && hasFixedHost && !/[\s\p{Cc}\\]/u.test(pattern) ? null : 'not-https';
}

/** Address of the carrier's page about a parcel; null without a pattern or number. */
export function createTrackingUrl(pattern: string, trackingNumber: string | null): string | null {
  if (trackingNumber === null || findPatternProblem(pattern) !== null) return null;
  const number = encodeURIComponent(trackingNumber.toWellFormed().replaceAll(/\s/g, ''));
  return number === '' ? null : pattern.replaceAll(NUMBER_PLACEHOLDER, () => number);
}
