/** Which units of a return are exchanged for which variants. */

/** A line of the return, with the units whose price is returned. */
export interface CreditedLine {
  readonly position: number;
  readonly productId: string;
  readonly variantId: string | null;
  readonly quantity: number;
}

/** A variant on sale. */
export interface VariantOnSale {
  readonly id: string;
  readonly product_id: string;
  readonly property_value_ids: readonly string[];
}

export interface ChosenVariant {
  readonly position: number;
  readonly variantId: string;
}

export type ExchangeProblem =
  /** Nothing of the line is credited. */
  | 'no-units'
  | 'same-variant'
  /** Not on sale, or of another product. */
  | 'not-on-sale';

export interface OrderedVariant {
  readonly product_id: string;
  readonly property_value_ids: readonly string[];
  readonly quantity: number;
}

/** The lines of the order that an exchange creates: as many units of each variant as are credited. */
export function planExchange(
  lines: readonly CreditedLine[],
  variants: readonly VariantOnSale[],
  chosen: readonly ChosenVariant[],
):
  | { readonly ok: true; readonly lines: readonly OrderedVariant[] }
  | { readonly ok: false; readonly reason: ExchangeProblem; readonly index: number } {
  const ordered: OrderedVariant[] = [];
  for (const [index, { position, variantId }] of chosen.entries()) {
    const line = lines.find((one) => one.position === position);
    if (line === undefined || line.quantity === 0) return { ok: false, reason: 'no-units', index };
    if (line.variantId === variantId) return { ok: false, reason: 'same-variant', index };
    const variant = variants.find(({ id, product_id: productId }) => id === variantId && productId === line.productId);
    if (variant === undefined) return { ok: false, reason: 'not-on-sale', index };
    ordered.push({
      product_id: variant.product_id,
      property_value_ids: variant.property_value_ids,
      quantity: line.quantity,
    });
  }
  return { ok: true, lines: ordered };
}
