import { call } from '../call.ts';
import { unpackColors } from './card-product.ts';
import type { CardProduct } from './card-product.ts';
import { toCardProduct } from './to-card-product.ts';

/** Cards of the variants that the colours of a card mean, by SKU. */
export async function loadColorCards({ id, colors = '[]' }: CardProduct): Promise<ReadonlyMap<string, CardProduct>> {
  const cards = await call('GET /product-cards', {
    query: { ids: id, sku: unpackColors(colors).map(({ sku }) => sku) },
  });
  return new Map(cards.map(toCardProduct).map((card) => [card.variant?.sku ?? '', card]));
}
