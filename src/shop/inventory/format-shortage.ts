/** A product with less stock than an order needs. */
export interface Shortage {
  readonly productId: string;
  readonly available: number;
}

/** Formats shortages with the names of the lines: 'iPhone Air is sold out', 'Only 2 of iPad are left'. */
export function formatShortage(
  shortages: readonly Shortage[],
  lines: readonly { readonly productId: string; readonly name: string }[],
): string {
  const findName = (id: string): string => lines.find(({ productId }) => productId === id)?.name ?? 'A product';
  const messages = shortages.map(({ productId, available }) => {
    if (available === 0) return `${findName(productId)} is sold out`;
    return `Only ${available} of ${findName(productId)} ${available === 1 ? 'is' : 'are'} left`;
  });
  return messages.join('; ');
}
