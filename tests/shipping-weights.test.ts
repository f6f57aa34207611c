/** Shipping by weight over HTTP: weights of variants, and products whose weight is unknown. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import './support/built-pages.ts';
import { CatalogueEditor } from './support/catalogue-editor.ts';
import { logInAs, putSettings } from './support/charge-settings.ts';
import { numberAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { ApiResponse } from './support/api-client.ts';
import type { TestShop } from './support/shop.ts';
import { createStockBuyer } from './support/stock-stress.ts';
import { BILLING } from './support/stress-buyer.ts';

const GERMANY = { ...BILLING, country: 'DE', postcode: '10115' };

let shop: TestShop;
let owner: string;
before(async () => {
  shop = await startTestShop();
  owner = await logInAs(shop, 'owner');
});
after(() => shop.stop());

const readBody = ({ status, body }: ApiResponse, expected = 200): unknown => {
  assert.equal(status, expected, JSON.stringify(body));
  return body;
};
type Tiers = readonly { readonly from: number; readonly price_usd: number }[];
const setTiers = async (tiers: Tiers, rule: object = {}): Promise<void> => {
  const zones = [{ name: 'World', countries: [], basis: 'weight', tiers, free_from_usd: null }];
  readBody(await putSettings(shop, 'shipping', { zones, excluded_countries: [], ...rule }, owner));
};
const readDelivery = async (token: string): Promise<unknown> =>
  valueAt(readBody(await shop.api('PUT', '/cart/delivery', { token, body: { country: 'DE' } })), 'delivery');
const checkout = (token: string): Promise<ApiResponse> => shop.api('POST', '/cart/checkout', { token, body: GERMANY });
const placeOrder = async (token: string): Promise<unknown> => valueAt(readBody(await checkout(token), 201), 'order');

test('[OPS-31] a variant ships at its own weight, else at that of the product', async () => {
  const editor = await CatalogueEditor.open(shop);
  const variant = { value_ids: [], own_price_usd: null, sku: '', gtin: '', pictures: [], is_published: true };
  const content = await editor.createContent({
    base_price_usd: 30,
    weight_grams: 300,
    variants: [{ ...variant, weight_grams: 2500 }],
  });
  const { id, product } = await editor.publish(content);
  assert.equal(numberAt(product, 'content', 'variants', 0, 'weight_grams'), 2500);
  await setTiers([
    { from: 0, price_usd: 5 },
    { from: 2500, price_usd: 12 },
  ]);
  const token = await createStockBuyer(shop, 'own-weight', id);
  assert.equal(numberAt(await readDelivery(token), 'shipping_usd'), 12);
  assert.equal(numberAt(await placeOrder(token), 'shipping_usd'), 12);
  assert.match(await (await fetch(`${shop.url}/products.xml`)).text(), /<g:shipping_weight>2500 g</);
});

test('[OPS-31] a product of unknown weight ships as the heaviest order, or is refused', async () => {
  const editor = await CatalogueEditor.open(shop);
  const name = 'Anvil of unknown weight';
  const { id } = await editor.publish(await editor.createContent({ base_price_usd: 40, name }));
  const tiers = [
    { from: 0, price_usd: 5 },
    { from: 2000, price_usd: 30 },
  ];
  await setTiers(tiers);
  const token = await createStockBuyer(shop, 'unweighed', id);
  assert.equal(numberAt(await readDelivery(token), 'shipping_usd'), 30);
  await setTiers(tiers, { unknown_weight: 'refuse' });
  assert.equal(valueAt(await readDelivery(token), 'is_weight_missing'), true);
  const refused = await checkout(token);
  assert.deepEqual([refused.status, textAt(refused.body, 'error', 'code')], [400, 'weight-unknown']);
  assert.match(textAt(refused.body, 'error', 'message'), /shipping of Anvil of unknown weight yet\. Contact us/);
  // One price for every weight needs no weight.
  await setTiers(tiers.slice(0, 1), { unknown_weight: 'refuse' });
  assert.equal(numberAt(await placeOrder(token), 'shipping_usd'), 5);
});
