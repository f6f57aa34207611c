import type { ShopIdentity } from '../shop-identity.ts';

/** What is said of prices: a text, and then a link to the page about shipping. */
export interface PriceNote {
  readonly text: string;
  readonly link: string;
}

/**
 * Whether prices include tax and shipping. Null while nothing is taxed and nothing costs shipping.
 * @param hasSubject whether the sentence names the prices, such as below a list
 */
export function describePrices(
  { shipping, tax }: Partial<Pick<ShopIdentity, 'shipping' | 'tax'>>,
  hasSubject: boolean,
): PriceNote | null {
  const isPaid = shipping === 'paid';
  if (!tax && !isPaid) return null;
  const link = isPaid ? 'shipping costs' : 'free shipping';
  const subject = hasSubject ? 'All prices ' : '';
  if (!tax) return { text: `${subject}plus `, link };
  if (tax.is_included) return { text: `${subject}incl. ${tax.name}, ${isPaid ? 'plus ' : ''}`, link };
  return { text: `${subject}plus ${tax.name}${isPaid ? ' and ' : ', '}`, link };
}
