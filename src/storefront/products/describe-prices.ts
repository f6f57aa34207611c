import type { ShopDescription } from '#src/shop/shop-settings/contract.ts';

/** What is said of prices: a text, and then a link to the page about shipping. */
export interface PriceNote {
  readonly text: string;
  readonly link: string;
}

/** Whether prices include tax and shipping. Null while nothing is taxed and nothing costs shipping. */
export function describePrices({ shipping, tax }: Pick<ShopDescription, 'shipping' | 'tax'>): PriceNote | null {
  const isPaid = shipping === 'paid';
  if (!tax && !isPaid) return null;
  const link = isPaid ? 'shipping costs' : 'free shipping';
  if (!tax) return { text: 'plus ', link };
  if (tax.is_included) return { text: `incl. ${tax.name}, ${isPaid ? 'plus ' : ''}`, link };
  return { text: `plus ${tax.name}${isPaid ? ' and ' : ', '}`, link };
}
