import type { EnergyClass } from '#src/shop/catalogue/compliance/energy-label.ts';
import type { Product } from '#src/shop/catalogue/contract.ts';
import { EnergyArrow } from './energy-arrow.tsx';
import { Price } from './price.tsx';

interface ProductPriceProps {
  readonly product: Pick<Product, 'slug' | 'lowest_price_btc' | 'lowest_price_usd' | 'is_price_from'> &
    Partial<Pick<Product, 'was_price_usd'>> & { readonly energy_class?: EnergyClass | undefined };
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
