import { isPasswordRecent } from '#src/platform/http/call.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import { findPriceRefusal } from '#src/shop/price-reduction.ts';
import type { PriceGuard } from '#src/shop/price-reduction.ts';
import type { ShopSettings } from '#src/shop/shop-settings/service.ts';

/** Decides by the present settings of the shop. */
export const createPriceGuard =
  (clock: Clock, shopSettings: Pick<ShopSettings, 'current'>): PriceGuard =>
  (by, change) =>
    findPriceRefusal(
      { apiKey: by.apiKey, isPasswordRecent: isPasswordRecent(by, clock.now()) },
      change,
      shopSettings.current.prices.large_reduction_percent,
    );
