/** Rows of the access table for tax and shipping. */
import { all, ownerOnly, plain, staffOnly } from './access-rows.ts';

const UNREAD = 999_999;

export const CHARGE_ROWS = {
  'GET /shipping': plain(all(200)),
  'GET /tax/settings': staffOnly(200),
  // A version that never was: nothing changes.
  'PUT /tax/settings': ownerOnly(409, () => ({
    body: {
      version: UNREAD,
      price_mode: 'gross',
      tax_name: 'VAT',
      home_country: '',
      has_reverse_charge: false,
      shipping_class: 'standard',
      rates: [],
    },
  })),
  'GET /shipping/settings': staffOnly(200),
  'PUT /shipping/settings': ownerOnly(409, () => ({
    body: {
      version: UNREAD,
      zones: [
        {
          name: 'Worldwide',
          countries: [],
          basis: 'value',
          tiers: [{ from: 0, price_usd: 0 }],
          free_from_usd: null,
        },
      ],
      excluded_countries: [],
    },
  })),
};
