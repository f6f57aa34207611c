/** Whether a price changes by half or more, up or down, so that staff are asked: a separator may be wrong. */
export const isLargePriceChange = (before: bigint, after: bigint): boolean => {
  const difference = after > before ? after - before : before - after;
  return difference > 0n && 2n * difference >= before;
};
