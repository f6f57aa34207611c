import type { ProductCard } from '#src/shop/catalogue/contract.ts';
import { packColors } from './card-product.ts';
import type { CardProduct } from './card-product.ts';

/** Only what a card shows: all loader data is sent with the page. */
export function toCardProduct(product: ProductCard): CardProduct {
  const { matching_variant: variant, colors, color_count: count = 0 } = product;
  const moreColors = count - (colors?.length ?? 0);
  const was = variant === undefined ? product.was_price_usd : variant.was_price_usd;
  return {
    id: product.id,
    name: product.name,
    slug: product.slug,
    sub_description: product.sub_description,
    main_image: variant?.image ?? product.main_image,
    lowest_price_btc: variant === undefined ? product.lowest_price_btc : variant.price_btc,
    lowest_price_usd: variant?.price_usd ?? product.lowest_price_usd,
    is_price_from: variant === undefined && product.is_price_from,
    is_sold_out: variant === undefined ? product.is_sold_out : !variant.is_available,
    ...(was !== null && { was_price_usd: was }),
    ...(product.energy_label && { energy_class: product.energy_label.class }),
    ...(colors && { colors: packColors(colors), ...(moreColors > 0 && { more_colors: moreColors }) }),
    ...(variant !== undefined && {
      variant: { name: variant.name, sku: variant.sku, property_value_ids: variant.property_value_ids },
    }),
  };
}
