export interface ComparedRow {
  readonly name: string;
  /** In the order of the products; null where a product does not specify it. */
  readonly values: readonly (string | null)[];
  readonly isDifferent: boolean;
}

/**
 * Aligns the specifications of products: every name once, in the order of the first product that
 * has it.
 * @param products specifications of each product
 */
export function compareSpecifications(products: readonly Readonly<Record<string, string>>[]): readonly ComparedRow[] {
  const tables = products.map((specifications) => new Map(Object.entries(specifications)));
  const names = new Set(tables.flatMap((table) => [...table.keys()]));
  return [...names].map((name) => {
    const values = tables.map((table) => table.get(name) ?? null);
    return { name, values, isDifferent: new Set(values).size > 1 };
  });
}
