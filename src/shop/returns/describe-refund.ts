/** Why a refund of a return is made, as staff and the credit note's refund show it. */
export function describeRefund({
  lines,
  reference,
}: {
  readonly reference: string;
  readonly lines: readonly { readonly deductionReason: string | null }[];
}): string {
  const reasons = lines.flatMap(({ deductionReason }) => deductionReason ?? []);
  return [`Return ${reference}`, ...reasons].join('. ').slice(0, 500);
}
