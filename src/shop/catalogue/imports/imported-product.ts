import type { Cents } from '#src/shop/money.ts';
import type { ProductContent } from '../editing/product-content.ts';
import type { CsvField } from '../editing/product-fields.ts';

/** Undefined fields have no column, or an empty cell that leaves the product as it is. */
export interface ImportedVariant {
  readonly line: number;
  /** A value for each option of the product. */
  readonly values: readonly string[];
  readonly sku?: string | undefined;
  /** Null: invalid, which is reported already. */
  readonly priceCents?: Cents | null | undefined;
  /** `quantity` is undefined if the file has none. Null: not tracked. */
  readonly stock?: { readonly quantity: number | undefined } | null | undefined;
  /** The stock is that of an export of this shop, whose file was not changed there. */
  readonly isStockAsExported: boolean;
  /** Empty: none. */
  readonly gtin?: string | undefined;
  /** Null: unknown. */
  readonly weightGrams?: number | null | undefined;
  /** Of a unit. */
  readonly costCents?: Cents | undefined;
  readonly images?: readonly string[] | undefined;
  readonly isPublished: boolean;
}

export interface ImportedProduct {
  /** First line of the product. */
  readonly line: number;
  readonly slug: string;
  /** Null: invalid, which is reported already. */
  readonly name?: string | null | undefined;
  /** Null: invalid, which is reported already. */
  readonly brand?: string | null | undefined;
  readonly category?: string | undefined;
  /** The column that names the category. */
  readonly categoryField: 'type' | 'productCategory';
  /** As HTML. */
  readonly body?: string | undefined;
  readonly isPublished?: boolean | undefined;
  readonly article?: string | undefined;
  /** Fields that one column decides; those that are absent leave the product as it is. */
  readonly fields: Partial<Pick<ProductContent, CsvField>>;
  /** Of a product without lines of variants. Null: unknown. */
  readonly weightGrams?: number | null | undefined;
  /** Whether the file has weights. */
  readonly hasWeights: boolean;
  readonly position?: number | undefined;
  /** Paths, or addresses of other sites, in order. */
  readonly images?: readonly string[] | undefined;
  /** Alternative texts of pictures by path or address. */
  readonly pictureAlts?: Readonly<Record<string, string>> | undefined;
  /** Paths or addresses by name of the value, by name of the option. */
  readonly valueImages?: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> | undefined;
  /** Names of its options; empty for a product with one variant. Null: the file does not say. */
  readonly options: readonly string[] | null;
  /** Null: the file has no lines of variants for it, which leaves them as they are. */
  readonly variants: readonly ImportedVariant[] | null;
}
