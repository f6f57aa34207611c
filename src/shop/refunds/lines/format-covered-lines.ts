/** Units and shipping of a refund of lines. */
export interface CoveredLines {
  readonly items: readonly { readonly name: string; readonly quantity: number }[];
  readonly shipping: boolean;
}

/** For example "2 × Phone (Blue), 1 × Case and the shipping". */
export function formatCoveredLines({ items, shipping }: CoveredLines): string {
  const units = items.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ');
  if (!shipping) return units;
  return units === '' ? 'the shipping' : `${units} and the shipping`;
}
