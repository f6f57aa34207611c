/** A variant with less stock than an order needs. */
export interface Shortage {
  readonly variantId: string;
  readonly available: number;
}

interface NamedLine {
  readonly variantId: string | null;
  /** Name of the product. */
  readonly name: string;
  /** Its chosen values, such as 256GB. */
  readonly values: readonly string[];
}

/** Formats shortages: 'iPhone Air (256GB, Blue) is sold out', 'Only 2 of iPad are left'. */
export function formatShortage(shortages: readonly Shortage[], lines: readonly NamedLine[]): string {
  const formatName = (id: string): string => {
    const { name = 'A product', values = [] } = lines.find(({ variantId }) => variantId === id) ?? {};
    return values.length === 0 ? name : `${name} (${values.join(', ')})`;
  };
  const messages = shortages.map(({ variantId, available }) => {
    if (available <= 0) return `${formatName(variantId)} is sold out`;
    return `Only ${available} of ${formatName(variantId)} ${available === 1 ? 'is' : 'are'} left`;
  });
  return messages.join('; ');
}
