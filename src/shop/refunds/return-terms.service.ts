/** Reads what a refund returns now: by the setting of the shop, and at its present rate. */
import type { RateSourceWithState } from '#src/platform/rates/rate-source.ts';
import { centsPerBtc } from '#src/shop/money.ts';
import type { ShopSettings } from '#src/shop/shop-settings/service.ts';
import type { ReturnTerms } from './return-value.ts';

export interface ReturnTermsOptions {
  /** The rate of orders. A delayed one is not fresh: no refund is created at it. */
  readonly rates: RateSourceWithState;
  readonly shopSettings: Pick<ShopSettings, 'refundMethod'>;
}

export function readReturnTerms({ rates, shopSettings }: ReturnTermsOptions): ReturnTerms {
  const rate = rates.getState() === 'current' ? rates.getCurrent() : null;
  return {
    method: shopSettings.refundMethod,
    rate: rate && { centsPerBtc: centsPerBtc(rate.centsPerBtc), at: rate.at, evidence: rate.evidence },
  };
}
