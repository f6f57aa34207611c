/** Settings of tax and shipping for tests over HTTP. */
import { textAt, valueAt } from './read-json.ts';
import type { ApiResponse } from './api-client.ts';
import type { TestShop } from './shop.ts';

/** A German shop: gross prices, reverse charge, taxed shipping. */
export const GERMAN_TAX = {
  price_mode: 'gross',
  tax_name: 'VAT',
  home_country: 'DE',
  has_reverse_charge: true,
  shipping_class: 'standard',
  rates: [
    { country: 'DE', tax_class: 'standard', basis_points: 1900 },
    { country: 'DE', tax_class: 'reduced', basis_points: 700 },
    { country: 'FR', tax_class: 'standard', basis_points: 2000 },
  ],
};

/** Germany and France $4.90, the rest of the world $20, nothing to Japan. */
export const PAID_SHIPPING = {
  zones: [
    {
      name: 'Europe',
      countries: ['DE', 'FR'],
      basis: 'value',
      tiers: [{ from: 0, price_usd: 4.9 }],
      free_from_usd: 5000,
    },
    { name: 'World', countries: [], basis: 'value', tiers: [{ from: 0, price_usd: 20 }], free_from_usd: null },
  ],
  excluded_countries: ['JP'],
};

export async function logInAs(shop: TestShop, username: string): Promise<string> {
  const { body } = await shop.api('POST', '/users/login', { body: { username, password: 'crypto-market' } });
  return textAt(body, 'tokens', 'accessToken');
}

/** Enters a tax number, which rates need. */
async function enterTaxNumber(shop: TestShop, token: string): Promise<void> {
  const legal = valueAt((await shop.api('GET', '/shop/settings', { token })).body, 'legal');
  if (textAt(legal, 'tax_number') !== '') return;
  const body = Object.assign({}, legal, { tax_number: 'DE123456789' });
  await shop.api('PUT', '/shop/settings/legal', { token, body });
}

/** Replaces settings at their present version. */
export async function putSettings(
  shop: TestShop,
  kind: 'tax' | 'shipping',
  settings: object,
  token: string,
): Promise<ApiResponse> {
  if (kind === 'tax') await enterTaxNumber(shop, token);
  const { body } = await shop.api('GET', `/${kind}/settings`, { token });
  return shop.api('PUT', `/${kind}/settings`, { token, body: { ...settings, version: valueAt(body, 'version') } });
}
