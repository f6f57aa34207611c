export interface StockQuantity {
  /** Null for a variant that is not known any more: it has no stock. */
  readonly variantId: string | null;
  readonly quantity: number;
}
