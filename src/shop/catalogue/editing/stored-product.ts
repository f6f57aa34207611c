import type { EditedVariant, ProductContent } from './product-content.ts';

export interface StoredVariant extends EditedVariant {
  readonly id: string;
}

/** A variant with its place among those of the product. */
export interface PlacedVariant extends StoredVariant {
  readonly position: number;
}

export interface VariantState extends PlacedVariant {
  /** Stock; null: not tracked. */
  readonly available: number | null;
}

/** What is written of a product. */
export interface WrittenProduct<Variant = PlacedVariant> {
  readonly id: string;
  readonly content: Omit<ProductContent, 'variants'>;
  /** Every variant that ever was. */
  readonly variants: readonly Variant[];
  readonly isPublished: boolean;
  /** Place among all products; null: the last one. */
  readonly position: number | null;
}

/** A product as it is stored, or as an import plans it. */
export interface ProductWithStock extends WrittenProduct<VariantState> {
  readonly position: number;
}

export interface StoredProduct extends ProductWithStock {
  /** What buyers see, or would see. Only variants of present combinations. */
  readonly content: ProductContent;
  readonly version: number;
  readonly revision: bigint;
  readonly firstPublishedAt: Date | null;
  readonly createdAt: Date;
  readonly editedAt: Date;
  readonly editedBy: string | null;
  /** The saved draft as it is stored; null for none. */
  readonly draft: unknown;
}
