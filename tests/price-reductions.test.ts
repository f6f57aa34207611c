/** Scope and recent password of changes of prices and promotions, over HTTP. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { formatCsvLine } from '#src/platform/csv/csv-line.ts';
import { migrate } from '#src/platform/database/migrate.ts';
import type { PromotionFields } from '#src/shop/promotions/editing/contract.ts';
import { createApiKey } from './support/api-key.ts';
import { CatalogueEditor, logInAs } from './support/catalogue-editor.ts';
import type { EditorContent } from './support/catalogue-editor.ts';
import { createEmptyDatabase, migrationsDirectory } from './support/database.ts';
import { checkCsv } from './support/imports/upload.ts';
import { createPromotionFields } from './support/promotion-fields.ts';
import { numberAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import { waitUntil } from './support/wait-until.ts';
import type { ApiResponse } from './support/api-client.ts';
import type { TestShop } from './support/shop.ts';

const TOO_OLD_S = 15 * 60 + 5;

let shop: TestShop;
let editor: CatalogueEditor;
/** A session whose password was entered long ago, and API keys without and with the scope of prices. */
let session: string;
let catalogueKey: string;
let priceKey: string;
before(async () => {
  shop = await startTestShop();
  const owner = await logInAs(shop, 'owner');
  catalogueKey = (await createApiKey(shop, owner, ['catalogue:read', 'catalogue:write'])).key;
  priceKey = (await createApiKey(shop, owner, ['catalogue:read', 'catalogue:write', 'prices:write'])).key;
  session = await logInAs(shop, 'staff');
  await shop.api('POST', '/dev/clock', { body: { offset_s: TOO_OLD_S } });
  editor = await CatalogueEditor.open(shop);
});
after(() => shop.stop());

type Method = 'POST' | 'PUT';
const describe = ({ status, body }: ApiResponse): string =>
  status < 300 ? 'ok' : `${status} ${textAt(body, 'error', 'code')}`;
const send = async (token: string, method: Method, path: string, body: object): Promise<string> =>
  describe(await shop.api(method, path, { token, body, password: null }));

async function publish(changes: Partial<EditorContent> = {}) {
  const content = await editor.createContent({ base_price_usd: 100, ...changes });
  return { ...(await editor.publish(content)), content };
}
const readProduct = async (id: string) => valueAt((await editor.call('GET', `/products/${id}`)).body, 'product');
async function save(token: string, id: string, content: object, isPublished = true): Promise<string> {
  const version = numberAt(await readProduct(id), 'version');
  return send(token, 'PUT', `/catalogue/products/${id}`, { version, publish: isPublished, content });
}
const waitForPrice = (slug: string, usd: number) => waitUntil(async () => (await readPrice(slug)) === usd);
const readPrice = async (slug: string): Promise<number> =>
  numberAt((await shop.api('GET', `/products/${slug}`)).body, 'base_price_in_usd');

test('[OPS-17] a product lowered by more than half needs a recent password', async () => {
  const { id, content } = await publish();
  assert.equal(await save(session, id, { ...content, base_price_usd: 49.99 }), '401 reauth');
  assert.equal(await readPrice(content.slug), 100);
  assert.equal(await save(session, id, { ...content, base_price_usd: 50 }), 'ok');
  assert.equal(await save(session, id, { ...content, base_price_usd: 1 }, false), 'ok', 'a draft changes no price yet');
  assert.equal(await save(session, id, { ...content, base_price_usd: 1 }), '401 reauth', 'its publication does');
  assert.equal(await save(editor.token, id, { ...content, base_price_usd: 1 }), 'ok', 'with a recent password');
  await editor.call('POST', `/products/${id}/withdraw`, { version: numberAt(await readProduct(id), 'version') });
  assert.equal(await save(session, id, { ...content, base_price_usd: 0.01 }, false), '401 reauth', 'withdrawn');
});

const variant = (valueId: string, own: number | null) => ({
  value_ids: [valueId],
  own_price_usd: own,
  sku: '',
  gtin: '',
  pictures: [],
  is_published: true,
});

test('[OPS-17] each way to lower the price of a variant needs a recent password', async () => {
  const category = await editor.createCategory();
  const [sizes = []] = await editor.addProperties(category.id, [2]);
  const [small = '', large = ''] = sizes;
  const values = (increase: number) => [
    { id: small, increase_usd: 0, pictures: [] },
    { id: large, increase_usd: increase, pictures: [] },
  ];
  const { id, content } = await publish({
    category_id: category.id,
    base_price_usd: 10,
    values: values(90),
    variants: [variant(small, 100), variant(large, null)],
  });
  const variants = content.variants;
  assert.equal(await save(session, id, { ...content, values: values(30) }), '401 reauth', 'its increase');
  assert.equal(
    await save(session, id, { ...content, variants: [variant(small, null), variant(large, null)] }),
    '401 reauth',
    'the base price instead of its own',
  );
  assert.equal(
    await save(session, id, { ...content, variants: [variant(small, 100), variant(large, 40)] }),
    '401 reauth',
    'an own price',
  );
  assert.equal(
    await save(session, id, { ...content, base_price_usd: 4, values: values(96), variants }),
    'ok',
    'no variant is cheaper',
  );
});

test('[OPS-17] sale prices and bulk edits of more than half need a recent password', async () => {
  const { id, content } = await publish();
  const sale = (token: string, reduction: object) =>
    send(token, 'POST', `/catalogue/products/${id}/sale-prices`, { reduction, starts_at: null, ends_at: null });
  assert.equal(await sale(session, { kind: 'percent', percent: 50.01 }), '401 reauth');
  assert.equal(await sale(session, { kind: 'amount', price_usd: 49.99, variant_prices: [] }), '401 reauth');
  const bulk = async (token: string, change: object) =>
    send(token, 'POST', '/catalogue/bulk-edits', {
      products: [{ id, version: numberAt(await readProduct(id), 'version') }],
      change,
    });
  assert.equal(await bulk(session, { kind: 'price-percent', percent: -50.01 }), '401 reauth');
  assert.equal(await bulk(session, { kind: 'price-set', usd: 1 }), '401 reauth');
  assert.equal(await bulk(session, { kind: 'price-add', usd: -60 }), '401 reauth');
  assert.equal(await readPrice(content.slug), 100);
  assert.equal(await bulk(session, { kind: 'price-percent', percent: 20 }), 'ok');
  assert.equal(await bulk(session, { kind: 'price-percent', percent: -50 }), 'ok');
  assert.equal(await sale(session, { kind: 'percent', percent: 50 }), 'ok');
});

test('[OPS-17] an import that lowers a price by more than half needs a recent password', async () => {
  const { content } = await publish();
  const HEAD = ['Handle', 'Title', 'Vendor', 'Type', 'Variant Price'];
  const check = async (price: string): Promise<string> => {
    const row = [content.slug, content.name, '', '', price];
    const { id, found, state } = await checkCsv(shop, session, [HEAD, row].map(formatCsvLine).join(''));
    assert.equal(state, 'checked', JSON.stringify(found));
    return id;
  };
  assert.equal(await send(session, 'POST', `/imports/${await check('50.00')}/apply`, {}), 'ok');
  await waitForPrice(content.slug, 50);
  const id = await check('24.99');
  assert.equal(await send(session, 'POST', `/imports/${id}/apply`, {}), '401 reauth');
  assert.equal(await send(editor.token, 'POST', `/imports/${id}/apply`, {}), 'ok');
  await waitForPrice(content.slug, 24.99);
});

test('[OPS-17] a promotion of more than half needs a recent password', async () => {
  const gift = textAt((await shop.api('GET', '/products?limit=1')).body, 0, 'id');
  let codes = 0;
  const create = (token: string, changed: Partial<PromotionFields>) =>
    send(token, 'POST', '/support/promotions', createPromotionFields({ code: `DEEP${(codes += 1)}`, ...changed }));
  const amount = { type: 'fixed_amount', discount_value: 10 } as const;
  assert.equal(await create(session, { discount_value: 50 }), 'ok');
  assert.equal(await create(session, { discount_value: 50.01 }), '401 reauth');
  assert.equal(await create(session, { ...amount, minimum_subtotal_usd: 20 }), 'ok');
  assert.equal(await create(session, { ...amount, minimum_subtotal_usd: 19.99 }), '401 reauth');
  assert.equal(await create(session, amount), '401 reauth', 'an amount without a minimum');
  const free = { type: 'free_item', discount_value: 0, gift_product_id: gift } as const;
  assert.equal(await create(session, free), '401 reauth', 'a gift');
  assert.equal(await create(editor.token, free), 'ok');

  const body = createPromotionFields({ code: 'DEEPEST', discount_value: 90, is_active: false });
  const created = await shop.api('POST', '/support/promotions', { token: editor.token, body });
  const path = `/support/promotions/${textAt(created.body, 'promotion', 'id')}`;
  assert.equal(await send(session, 'PUT', path, { ...body, version: 1, discount_value: 60 }), '401 reauth');
  assert.equal(await send(session, 'POST', `${path}/enable`, {}), '401 reauth');
  assert.equal(await send(session, 'POST', `${path}/disable`, {}), 'ok');
  assert.equal(await send(editor.token, 'POST', `${path}/enable`, {}), 'ok');
});

test('[OPS-17] owners set the percentage above which prices need the password', async () => {
  const owner = await logInAs(shop, 'owner');
  const set = async (percent: unknown) => {
    const stored = valueAt((await shop.api('GET', '/shop/settings', { token: owner })).body, 'prices');
    const body = { version: numberAt(stored, 'version'), large_reduction_percent: percent };
    return shop.api('PUT', '/shop/settings/prices', { token: owner, body });
  };
  const { id, content } = await publish();
  for (const percent of [-1, 101, 10.5, null, '50']) {
    const refused = await set(percent);
    assert.equal(refused.status, 400, String(percent));
    assert.notEqual(valueAt(refused.body, 'error', 'fields', 'large_reduction_percent'), undefined);
  }
  assert.equal((await set(0)).status, 200);
  assert.equal(await save(session, id, { ...content, base_price_usd: 99.99 }), '401 reauth');
  assert.equal((await set(100)).status, 200);
  assert.equal(await save(session, id, { ...content, base_price_usd: 0.01 }), 'ok');
  assert.equal((await set(50)).status, 200);
});

test('[OPS-19] an API key changes prices and promotions with their scope only', async () => {
  const { id, content } = await publish();
  assert.equal(await save(catalogueKey, id, { ...content, name: 'Renamed' }), 'ok');
  assert.equal(await save(catalogueKey, id, { ...content, base_price_usd: 99 }), '403 missing-scope');
  assert.equal(await save(catalogueKey, id, { ...content, base_price_usd: 99 }, false), '403 missing-scope');
  const sale = { reduction: { kind: 'percent', percent: 60 }, starts_at: null, ends_at: null };
  const promotion = createPromotionFields({ code: 'BYKEY', discount_value: 90 });
  const bulk = async (token: string, change: object) =>
    send(token, 'POST', '/catalogue/bulk-edits', {
      products: [{ id, version: numberAt(await readProduct(id), 'version') }],
      change,
    });
  assert.equal(await send(catalogueKey, 'POST', `/catalogue/products/${id}/sale-prices`, sale), '403 missing-scope');
  assert.equal(await send(catalogueKey, 'POST', '/support/promotions', promotion), '403 missing-scope');
  assert.equal(await bulk(catalogueKey, { kind: 'price-percent', percent: 10 }), '403 missing-scope');
  assert.equal(await bulk(catalogueKey, { kind: 'withdraw' }), 'ok');
  assert.equal(await bulk(catalogueKey, { kind: 'publish' }), 'ok');

  assert.equal(await save(priceKey, id, { ...content, base_price_usd: 100 }), 'ok');
  assert.equal(await send(priceKey, 'POST', `/catalogue/products/${id}/sale-prices`, sale), 'ok');
  assert.equal(await send(priceKey, 'POST', '/support/promotions', promotion), 'ok');
  assert.equal(await bulk(priceKey, { kind: 'price-percent', percent: 10 }), 'ok');
  const other = await publish();
  assert.equal(await save(priceKey, other.id, { ...other.content, base_price_usd: 1 }), 'ok', 'without a password');
});

test('[OPS-19] a key without the scope of prices puts no new product on sale', async () => {
  const content = await editor.createContent();
  const created = await shop.api('POST', '/catalogue/products', { token: catalogueKey, body: content });
  const id = textAt(created.body, 'product', 'id');
  assert.equal(await save(catalogueKey, id, content), '403 missing-scope');
  assert.equal(await save(priceKey, id, content), 'ok');
});

test('[OPS-19] existing keys keep changing prices after the update', async () => {
  const { db } = await createEmptyDatabase();
  await migrate(db, migrationsDirectory, 75);
  const owner = '0198b000-0000-7000-8000-00000000000a';
  await sql`
    insert into users (id, username, username_key, email, email_key, password_hash, role, created_at)
    values (${owner}, 'owner', 'owner', 'o@shop.example', 'o@shop.example', 'x', 'owner', now())
  `.execute(db);
  await sql`
    insert into api_keys (id, name, key_hash, hint, scopes, created_by, created_at)
    select gen_random_uuid(), name, sha256(name::bytea), 'cmk', scopes, ${owner}, now()
    from (values
      ('catalogue', array['catalogue:read', 'catalogue:write']), ('stock', array['inventory:write'])
    ) as keys (name, scopes)
  `.execute(db);
  await migrate(db, migrationsDirectory, 76);
  const { rows } = await sql<{ name: string; scopes: string[] }>`
    select name, scopes from api_keys order by name
  `.execute(db);
  assert.deepEqual(rows, [
    { name: 'catalogue', scopes: ['catalogue:read', 'catalogue:write', 'prices:write'] },
    { name: 'stock', scopes: ['inventory:write'] },
  ]);
});
