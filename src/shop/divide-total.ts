/**
 * Divides a total in proportion to the weights, in whole minor units. The parts add up to the total,
 * and each differs from its exact share by less than one unit. Without any weight, the last part is
 * the total.
 */
export function divideTotal(total: bigint, weights: readonly bigint[]): bigint[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0n);
  if (whole === 0n) return weights.map((_, at) => (at === weights.length - 1 ? total : 0n));
  let weightBefore = 0n;
  return weights.map((weight) => {
    const before = (total * weightBefore) / whole;
    weightBefore += weight;
    return (total * weightBefore) / whole - before;
  });
}
