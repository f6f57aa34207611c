/** A product of which less is left than was asked for. */
export interface Shortage {
  readonly productId: string;
  readonly available: number;
}

/** Says what is missing, by the names of the lines that ask for it: 'iPhone Air is sold out', 'Only 2 of iPad are left'. */
export function formatShortage(
  short: readonly Shortage[],
  lines: readonly { readonly productId: string; readonly name: string }[],
): string {
  const nameOf = (id: string): string => lines.find(({ productId }) => productId === id)?.name ?? 'A product';
  const told = short.map(({ productId, available }) => {
    if (available === 0) return `${nameOf(productId)} is sold out`;
    return `Only ${available} of ${nameOf(productId)} ${available === 1 ? 'is' : 'are'} left`;
  });
  return told.join('; ');
}
