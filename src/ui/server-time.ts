/** The shop's time, as its answers tell it: a visitor's clock may be minutes off, and a deadline is the shop's. */
let offsetMs = 0;

/**
 * Takes over the Date of an answer; it is exact to a second, so small differences mean nothing.
 * @param cameAt when the answer came, in ms by the visitor's clock.
 */
export function updateServerTime(date: string | null, cameAt: number): void {
  const differenceMs = date === null ? Number.NaN : Date.parse(date) - cameAt;
  if (!Number.isNaN(differenceMs)) offsetMs = Math.abs(differenceMs) > 2000 ? differenceMs : 0;
}

/** Now by the shop's clock, in ms. */
export const getServerTime = (): number => Date.now() + offsetMs;
