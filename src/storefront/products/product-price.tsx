import { EnergyArrow } from './energy-arrow.tsx';
import { Price } from './price.tsx';
import type { CardProduct } from './product-card.tsx';

interface ProductPriceProps {
  readonly product: Pick<CardProduct, 'slug' | 'lowest_price_btc' | 'lowest_price_usd' | 'is_price_from'> &
    Partial<Pick<CardProduct, 'was_price_usd' | 'energy_class'>>;
}

/** The lowest price of a product, with its reduction and energy class. */
export function ProductPrice({ product }: ProductPriceProps) {
  return (
    <Price
      btc={product.lowest_price_btc}
      usd={product.lowest_price_usd}
      isFrom={product.is_price_from}
      was={product.was_price_usd}
    >
      <EnergyArrow slug={product.slug} letter={product.energy_class} />
    </Price>
  );
}
