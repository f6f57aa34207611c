/** The shop's time from response headers: deadlines follow it, and a visitor's clock may be minutes off. */
let offsetMs = 0;

/**
 * Stores the Date of a response. It has a resolution of one second, so small differences are ignored.
 * @param cameAt arrival of the response, in ms of the visitor's clock
 */
export function updateServerTime(date: string | null, cameAt: number): void {
  const differenceMs = date === null ? Number.NaN : Date.parse(date) - cameAt;
  if (!Number.isNaN(differenceMs)) offsetMs = Math.abs(differenceMs) > 2000 ? differenceMs : 0;
}

/** Current time of the shop, in ms. */
export const getServerTime = (): number => Date.now() + offsetMs;
