/** What every page shows of the shop. Called by the root loader, so none of this is in the browser's scripts. */
import type { DeliveryTexts } from '#src/shop/content/home/contract.ts';
import type { LegalKind } from '#src/shop/content/legal/legal-kind.ts';
import { listPromises } from '#src/shop/delivery-times.ts';
import type { ShopDescription } from '#src/shop/shop-settings/contract.ts';
import type { Demo } from './layout/demo-bar.tsx';
import { describePrices } from './products/describe-prices.ts';
import { listBars } from './layout/list-bars.ts';
import { isUploadPath, toIconUrl, toPictureUrl, toSmallPictureUrl } from '#src/shop/pictures/picture-url.ts';
import type { ShopIdentity } from './shop-identity.ts';

/** Before the order, in a prominent manner (2011/83/EU, article 6(1)(l)). */
const LEGAL_GUARANTEE = { text: 'Legal guarantee of at least 2 years', to: '/legal-guarantee' };

/** @param shop null if it could not be read */
export function createShopIdentity(
  shop: ShopDescription | null,
  demo: Demo | null,
  delivery: DeliveryTexts | null = null,
  kinds: readonly LegalKind[] = [],
): ShopIdentity {
  const described = describeDelivery(delivery, kinds);
  const assurances = [...(shop?.sells_to_eu_consumers === true ? [LEGAL_GUARANTEE] : []), ...described.assurances];
  return { ...describeShop(shop, demo), ...described, assurances };
}

function describeShop(
  shop: ShopDescription | null,
  demo: Demo | null,
): Omit<ShopIdentity, keyof ReturnType<typeof describeDelivery>> {
  const {
    name = '',
    address = '',
    delivery_line = '',
    footer_note = '',
    logo_path: logo = null,
    shipping = 'paid',
    tax = null,
  } = shop ?? {};
  // Nothing is known of prices without a description of the shop.
  const priceNote = shop && describePrices({ shipping, tax });
  return {
    name,
    address,
    delivery_line,
    footer_note,
    shipping,
    ...(priceNote !== null && { priceNote }),
    logo: logo === null ? null : toSmallPictureUrl(logo),
    bars: listBars(shop?.announcement ?? null, demo),
    icons: listIcons(shop?.favicon_path ?? null, demo !== null),
    hasDemoMark: demo !== null && logo === null,
  };
}

const describeDelivery = (delivery: DeliveryTexts | null, kinds: readonly LegalKind[]) => ({
  promises: delivery === null ? [] : listPromises(delivery.times, delivery.dispatch),
  assurances: delivery === null ? [] : listAssurances(delivery, kinds),
});

/** What the merchant assures beside the button of product pages; without texts that are not set. */
const listAssurances = (delivery: DeliveryTexts, kinds: readonly LegalKind[]): ShopIdentity['assurances'] =>
  [
    { text: delivery.warranty ?? '' },
    { text: delivery.returns ?? '', ...(kinds.includes('returns') && { to: '/returns' }) },
  ].filter(({ text }) => text !== '');

/** Without an icon, an empty one keeps browsers from asking for `/favicon.ico`. */
function listIcons(icon: string | null, isDemo: boolean): ShopIdentity['icons'] {
  if (icon !== null && isUploadPath(icon)) {
    return [
      ...[16, 32, 192].map((side) => ({ rel: 'icon', href: toIconUrl(icon, side), sizes: `${side}x${side}` })),
      { rel: 'apple-touch-icon', href: toIconUrl(icon, 180) },
    ];
  }
  if (icon !== null || !isDemo) {
    return [{ rel: 'icon apple-touch-icon', href: icon === null ? 'data:,' : toPictureUrl(icon) }];
  }
  return [
    { rel: 'icon', href: '/favicon.ico', sizes: '32x32' },
    { rel: 'icon', href: '/favicon.svg', sizes: 'any' },
    { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
  ];
}
