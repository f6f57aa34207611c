import type { ProductWithStock } from '../editing/stored-product.ts';

/** Article numbers and SKUs that are in use, in the catalogue or by earlier products of the file. */
export interface UsedNames {
  /** Id of the product with this article number. */
  readonly articles: Map<string, string>;
  /** Id of the product whose variant has this SKU. */
  readonly skus: Map<string, string>;
  /** First lines of the file's products that use theirs, by id. */
  readonly lines: Map<string, number>;
}

/** Takes the names of a product that is imported. Those of one that is left out stay free. */
export function takeNames(used: UsedNames, { id, content, variants }: ProductWithStock, line: number): void {
  used.articles.set(content.article, id);
  for (const { sku } of variants) used.skus.set(sku, id);
  used.lines.set(id, line);
}
