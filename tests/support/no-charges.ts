import { FREE_EVERYWHERE } from '#src/shop/shipping/compute-shipping.ts';
import { NO_TAX } from '#src/shop/tax/taxation.ts';

const settings = { tax: { ...NO_TAX, version: 0 }, shipping: { ...FREE_EVERYWHERE, version: 0 } };

/** Sources of carts for a shop with free shipping and no tax. */
export const noCharges = {
  taxes: { current: settings.tax, revision: 0n, read: async () => settings.tax },
  shipping: { current: settings.shipping, revision: 0n, read: async () => settings.shipping },
};
