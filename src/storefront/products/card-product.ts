/** What a card shows of a product. */
import type { ListedProduct, Product, ProductCard } from '#src/shop/catalogue/contract.ts';
import type { EnergyClass } from '#src/shop/catalogue/compliance/energy-label.ts';
import { formatVariantPath } from '#src/shop/catalogue/products/variant-path.ts';

type CardColors = NonNullable<ProductCard['colors']>;

/**
 * One JSON text: React Router numbers each object, key and value of loader data. As objects the colours of the
 * catalogue would make its HTML 16.4 KB instead of 15.7, of 16 that it may have.
 */
type PackedColors = string;

export const packColors = (colors: CardColors): PackedColors =>
  JSON.stringify(
    colors.map(({ name, color, sku, is_available: isAvailable }) => [name, color, sku, ...(isAvailable ? [] : [0])]),
  );

export function unpackColors(packed: PackedColors): CardColors {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the text is what `packColors` wrote
  const colors = JSON.parse(packed) as readonly (readonly [string, string, string, 0?])[];
  return colors.map(([name, color, sku, isAvailable]) => ({ name, color, sku, is_available: isAvailable !== 0 }));
}

export type CardProduct = Pick<
  Product,
  | 'id'
  | 'name'
  | 'slug'
  | 'sub_description'
  | 'main_image'
  | 'lowest_price_btc'
  | 'lowest_price_usd'
  | 'is_price_from'
  | 'is_sold_out'
> &
  Partial<Pick<Product, 'was_price_usd'>> & {
    /** Absent with fewer than two colours. */
    readonly colors?: PackedColors;
    /** Number of further colours; absent without any. */
    readonly more_colors?: number;
    /** Absent without an energy label. */
    readonly energy_class?: EnergyClass | undefined;
    /** What the card means if the product has several variants and a filter selects some; else the product. */
    readonly variant?: Pick<NonNullable<ListedProduct['matching_variant']>, 'name' | 'sku' | 'property_value_ids'>;
  };

/** Path of the page that shows what the card does. */
export const formatCardPath = ({ slug, variant }: CardProduct): string =>
  variant ? formatVariantPath(slug, variant.sku) : `/catalog/product/${slug}`;
