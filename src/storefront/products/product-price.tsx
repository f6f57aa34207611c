import type { Product } from '#src/shop/catalogue/contract.ts';
import { Price } from './price.tsx';

interface ProductPriceProps {
  readonly product: Pick<Product, 'lowest_price_btc' | 'lowest_price_usd' | 'is_price_from'> &
    Partial<Pick<Product, 'was_price_usd'>>;
}

/** The lowest price of a product, with its reduction. */
export function ProductPrice({ product }: ProductPriceProps) {
  return (
    <Price
      btc={product.lowest_price_btc}
      usd={product.lowest_price_usd}
      isFrom={product.is_price_from}
      was={product.was_price_usd}
    />
  );
}
