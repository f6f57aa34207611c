/** Cents ≥ 0 as dollars, without a sign and without grouping: `1104.15`. */
export const formatDollars = (amount: bigint): string => {
  const digits = amount.toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
};
