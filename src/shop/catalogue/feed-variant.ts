/** A published variant. */
export interface FeedVariant {
  readonly id: string;
  /** Sorted. */
  readonly valueIds: readonly string[];
  readonly sku: string;
  readonly gtin: string | null;
  /** Its own; null: that of the product. */
  readonly weightGrams: number | null;
  readonly images: readonly string[];
  readonly isAvailable: boolean;
}
