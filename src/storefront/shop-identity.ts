import { useRouteLoaderData } from 'react-router';
import type { DeliveryPromise } from '#src/shop/delivery-times.ts';
import type { ShopDescription } from '#src/shop/shop-settings/contract.ts';
import type { PriceNote } from './products/describe-prices.ts';

/** A line above every page; a part with a path is a link. */
export interface TopBar {
  readonly label: string;
  readonly parts: readonly { readonly text: string; readonly to?: string }[];
}

/** What every page shows of the shop, from the root loader. A text that is not set is empty. */
export interface ShopIdentity extends Pick<
  ShopDescription,
  'name' | 'address' | 'delivery_line' | 'footer_note' | 'shipping'
> {
  /** Written on the server; absent while nothing is taxed and nothing costs shipping. */
  readonly priceNote?: PriceNote;
  readonly bars: readonly TopBar[];
  /** Delivery times, nearest first. */
  readonly promises: readonly DeliveryPromise[];
  /** Legal guarantee, warranty and returns, as product pages name them; a text with a path is a link. */
  readonly assurances: readonly { readonly text: string; readonly to?: string }[];
  readonly logo: string | null;
  /** Attributes of the links to the icons. */
  readonly icons: readonly { readonly rel: string; readonly href: string; readonly sizes?: string }[];
  /** Shows the mark of the demo shop. */
  readonly hasDemoMark: boolean;
}

interface RootData {
  readonly shop?: ShopIdentity;
}
type Matches = readonly ({ readonly loaderData?: unknown } | undefined)[];

/** Empty if the page was rendered without the API. */
export const useShop = (): Partial<ShopIdentity> => useRouteLoaderData<RootData>('root')?.shop ?? {};

/** Name of the page about shipping. */
export const nameShipping = ({ shipping }: Partial<ShopIdentity>): string =>
  shipping === 'paid' ? 'Shipping' : 'Free shipping';

/** The document title of a page, with the name of the shop at its end. */
export function formatPageTitle(title: string, matches: Matches): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the first match is the root route
  const name = (matches[0]?.loaderData as RootData | undefined)?.shop?.name;
  return name ? `${title} · ${name}` : title;
}
