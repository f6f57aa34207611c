/** Staff edit variants, categories and brands, and several products at once, over HTTP. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import './support/built-pages.ts';
import { CatalogueEditor, readErrorCode } from './support/catalogue-editor.ts';
import type { EditorContent } from './support/catalogue-editor.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { startSecondProcess } from './support/second-process.ts';
import { BILLING } from './support/stress-buyer.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: TestShop;
let staff: CatalogueEditor;
let owner: CatalogueEditor;
before(async () => {
  shop = await startTestShop();
  [staff, owner] = await Promise.all([CatalogueEditor.open(shop), CatalogueEditor.open(shop, 'owner')]);
});
after(() => shop.stop());

const listBrandIds = async () => listAt((await shop.api('GET', '/brands')).body).map((brand) => textAt(brand, 'id'));
const toValues = (ids: readonly string[]): EditorContent['values'] =>
  ids.map((id) => ({ id, increase_usd: 5, pictures: [] }));
const listVariants = (product: unknown) =>
  listAt(product, 'content', 'variants').map((variant) => ({
    ids: listAt(variant, 'value_ids').map(String).toSorted().join(),
    sku: textAt(variant, 'sku'),
    isPublished: valueAt(variant, 'is_published'),
  }));
const addToCart = (base: Pick<TestShop, 'api'>, productId: string, valueIds: readonly string[] = []) =>
  base.api('POST', '/cart/add', {
    body: { product_id: productId, quantity: 1, property_value_ids: valueIds },
  });

test('[OPS-08] a change of values adds variants and stops the sale of former ones', async () => {
  const content = await staff.createContent();
  const [a = [], b = []] = await staff.addProperties(content.category_id, [2, 2]);
  const first = { ...content, values: toValues([...a, ...b]) };
  const { id, version, product } = await staff.publish(first);
  assert.deepEqual(
    listVariants(product).map(({ sku }) => sku),
    [1, 2, 3, 4].map((number) => `${content.article}-${number}`),
  );
  const [a1 = '', a2 = ''] = a;
  const [b1 = '', b2 = ''] = b;
  assert.equal((await addToCart(shop, id, [a2, b2])).status, 200);
  const fewer = { ...first, values: toValues([a1, a2, b1]) };
  const saved = valueAt((await staff.save(id, { version, publish: true, content: fewer })).body, 'product');
  assert.deepEqual(
    listVariants(saved).map(({ sku }) => sku),
    [1, 3].map((number) => `${content.article}-${number}`),
  );
  assert.notEqual((await addToCart(shop, id, [a2, b2])).status, 200);
  assert.equal((await addToCart(shop, id, [a2, b1])).status, 200);
  const back = await staff.save(id, { version: version + 1, publish: true, content: first });
  const restored = listVariants(valueAt(back.body, 'product'));
  assert.deepEqual(
    restored.map(({ sku }) => sku),
    [1, 2, 3, 4].map((number) => `${content.article}-${number}`),
  );
  assert.deepEqual(
    restored.map(({ isPublished }) => isPublished),
    [true, false, true, false],
  );
});

test('[OPS-08] a variant has its own price, SKU, GTIN and publication', async () => {
  const content = await staff.createContent();
  const [a = []] = await staff.addProperties(content.category_id, [2]);
  const [a1 = '', a2 = ''] = a;
  const variant = { own_price_usd: null, sku: '', gtin: '', pictures: [], is_published: true };
  const edited = {
    ...content,
    values: toValues(a),
    variants: [
      { ...variant, value_ids: [a1], own_price_usd: 99.5, sku: `X-${content.article}`, gtin: '4006381333931' },
      { ...variant, value_ids: [a2], is_published: false },
    ],
  };
  const { id, version, product } = await staff.publish(edited);
  assert.equal(textAt(product, 'content', 'variants', 0, 'gtin'), '4006381333931');
  const added = await addToCart(shop, id, [a1]);
  assert.equal(added.status, 200, JSON.stringify(added.body));
  assert.match(JSON.stringify(added.body), /99\.5/);
  assert.notEqual((await addToCart(shop, id, [a2])).status, 200);
  // SKUs of two variants can be swapped in one change.
  const stored = listVariants(product);
  const swapped = {
    ...edited,
    variants: edited.variants.map((one, index) => ({ ...one, sku: stored[1 - index]?.sku ?? '' })),
  };
  const saved = await staff.save(id, { version, publish: true, content: swapped });
  assert.deepEqual(
    listVariants(valueAt(saved.body, 'product')).map(({ sku }) => sku),
    stored.map(({ sku }) => sku).toReversed(),
  );
});

test('[OPS-08] more than 4 properties or 250 variants are refused', async () => {
  const content = await staff.createContent();
  const five = await staff.addProperties(content.category_id, [1, 1, 1, 1, 1]);
  const refusal = await staff.call('POST', '/products', { ...content, values: toValues(five.flat()) });
  assert.match(textAt(refusal.body, 'error', 'fields', 'values'), /at most 4 properties/);
  const other = await staff.createContent();
  const many = await staff.addProperties(other.category_id, [16, 16]);
  const tooMany = await staff.call('POST', '/products', { ...other, values: toValues(many.flat()) });
  assert.match(textAt(tooMany.body, 'error', 'fields', 'values'), /make 256 variants/);
  const fits = { ...other, values: toValues(many.flatMap((ids, index) => ids.slice(0, index === 0 ? 16 : 15))) };
  assert.equal(listVariants((await staff.create(fits)).product).length, 240);
});

test('[OPS-02] a value in use is renamed but not deleted', async () => {
  const content = await staff.createContent();
  const [a = []] = await staff.addProperties(content.category_id, [2]);
  const [a1 = ''] = a;
  await staff.publish({ ...content, values: toValues([a1]) });
  const find = async () =>
    listAt(await staff.readStructure(), 'categories').find((one) => textAt(one, 'id') === content.category_id);
  const category = await find();
  const property = { id: textAt(category, 'properties', 0, 'id'), name: 'Colour' };
  const save = (values: readonly object[], version: number) =>
    staff.call('PUT', `/categories/${content.category_id}`, {
      version,
      name: textAt(category, 'name'),
      slug: textAt(category, 'slug'),
      properties: [{ ...property, values }],
    });
  const version = numberAt(category, 'version');
  const refused = await save([{ id: a[1], value: 'A2', increase_usd: 0 }], version);
  assert.equal(readErrorCode(refused), '409 in-use');
  assert.match(textAt(refused.body, 'error', 'message'), /“A1” is used by 1 product,/);
  assert.equal(readErrorCode(await save([{ id: a1, value: 'Blue', increase_usd: 1 }], version)), '200');
  assert.deepEqual(
    listAt(await find(), 'properties', 0, 'values').map((value) => textAt(value, 'id')),
    [a1],
  );
  assert.equal(
    readErrorCode(await save([{ id: a1, value: 'Red', increase_usd: 1 }], version)),
    '409 changed-meanwhile',
  );
  const categories = (await shop.api('GET', '/categories')).body;
  assert.ok(JSON.stringify(categories).includes('"Blue"'));
});

test('[OPS-02] categories and brands are deleted only when unused', async () => {
  const content = await staff.createContent();
  const created = await owner.call('POST', '/brands', { name: 'Own brand', slug: 'own-brand' });
  const brand = textAt(created.body, 'id');
  const { id, version } = await staff.create({ ...content, brand_id: brand });
  assert.equal(readErrorCode(await staff.call('DELETE', `/brands/${brand}`)), '409 in-use');
  assert.equal(readErrorCode(await staff.call('DELETE', `/categories/${content.category_id}`)), '409 in-use');
  await staff.call('DELETE', `/products/${id}`, { version });
  assert.equal(readErrorCode(await staff.call('DELETE', `/brands/${brand}`)), '200');
  assert.equal(readErrorCode(await staff.call('DELETE', `/categories/${content.category_id}`)), '200');
  assert.equal(readErrorCode(await staff.call('POST', '/brands', { name: 'Apple', slug: 'apple-2' })), '409 taken');
});

test('[OPS-02] the order of brands is the order of the public list', async () => {
  const present = await listBrandIds();
  const ids = present.toReversed();
  assert.equal(readErrorCode(await staff.call('PUT', '/brand-order', { ids })), '200');
  assert.deepEqual(await listBrandIds(), ids);
  assert.equal(readErrorCode(await staff.call('PUT', '/brand-order', { ids: ids.slice(1) })), '409 changed-meanwhile');
  await staff.call('PUT', '/brand-order', { ids: present });
});

test('[OPS-02] the list finds products by name, article, SKU, slug and state', async () => {
  const content = await staff.createContent({ name: 'Zebra printer', article: 'ZP-55/A', slug: 'striped-one' });
  const { id, version } = await staff.publish({
    ...content,
    variants: [{ value_ids: [], own_price_usd: null, sku: 'sku%odd_1', gtin: '', pictures: [], is_published: true }],
  });
  const find = async (query: string) =>
    listAt((await staff.call('GET', `/products?${query}`)).body, 'products').map((one) => textAt(one, 'id'));
  for (const q of ['zebra', 'print zeb', 'ZP-55', 'zp-55/a', 'striped', 'SKU%ODD', 'sku%odd_1']) {
    assert.deepEqual(await find(`q=${encodeURIComponent(q)}`), [id], q);
  }
  for (const q of ['zebras', 'sku_odd', '%', '& | !', "'"]) {
    assert.deepEqual(await find(`q=${encodeURIComponent(q)}`), [], q);
  }
  assert.deepEqual(await find('q=zebra&state=withdrawn'), []);
  await staff.save(id, { version, publish: false, content: { ...content, name: 'Zebra printer 2' } });
  assert.deepEqual(await find('state=changed'), [id]);
  await staff.call('POST', `/products/${id}/withdraw`, { version: version + 1 });
  assert.deepEqual(await find('q=zebra&state=withdrawn'), [id]);
  for (const sort of ['newest', 'position', 'name', 'price_asc', 'price_desc', 'best_sold']) {
    const pages = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((page) => find(`sort=${sort}&page=${page}&brand=${content.brand_id}`)),
    );
    const ids = pages.flat();
    assert.equal(new Set(ids).size, ids.length, sort);
    assert.ok(ids.includes(id), sort);
  }
});

test('[OPS-02] a percentage changes the increases of options too', async () => {
  const change = { kind: 'price-percent', percent: -10 };
  const preview = await staff.call('POST', '/bulk-edits/preview', { filter: { q: 'iphone 17 pro' }, change });
  const [found] = listAt(preview.body, 'changes');
  const [id, version] = [textAt(found, 'id'), numberAt(found, 'version')];
  const readIncreases = async () =>
    listAt((await staff.call('GET', `/products/${id}`)).body, 'product', 'content', 'values').map((value) =>
      numberAt(value, 'increase_usd'),
    );
  const former = await readIncreases();
  assert.ok(former.some((increase) => increase > 0));
  await staff.call('POST', '/bulk-edits', { products: [{ id, version }], change });
  assert.deepEqual(
    await readIncreases(),
    former.map((increase) => Math.round(increase * 90) / 100),
  );
});

test('[OPS-02] a bulk edit changes all of the products or none', async () => {
  const contents = [await staff.createContent(), await staff.createContent(), await staff.createContent()];
  const made = [];
  for (const content of contents) made.push(await staff.publish({ ...content, base_price_usd: 10.05 }));
  const ids = made.map(({ id }) => id);
  const preview = await staff.call('POST', '/bulk-edits/preview', {
    ids,
    change: { kind: 'price-percent', percent: -10 },
  });
  assert.deepEqual(
    listAt(preview.body, 'changes').map((one) => `${textAt(one, 'before')} ${textAt(one, 'after')}`),
    ids.map(() => '$10.05 $9.05'),
  );
  const products = listAt(preview.body, 'changes').map((one) => ({
    id: textAt(one, 'id'),
    version: numberAt(one, 'version'),
  }));
  const change = { kind: 'price-percent', percent: -10 };
  const readPrices = async () =>
    Promise.all(
      contents.map(async ({ slug }) =>
        numberAt((await shop.api('GET', `/products/${slug}`)).body, 'base_price_in_usd'),
      ),
    );
  const [first] = made;
  await owner.save(first?.id ?? '', {
    version: first?.version ?? 0,
    publish: true,
    content: { ...contents[0], base_price_usd: 11 },
  });
  const refused = await staff.call('POST', '/bulk-edits', { products, change });
  assert.equal(readErrorCode(refused), '409 changed-meanwhile');
  assert.deepEqual(await readPrices(), [11, 10.05, 10.05]);
  const rest = products.slice(1);
  assert.equal(numberAt((await staff.call('POST', '/bulk-edits', { products: rest, change })).body, 'changed'), 2);
  assert.deepEqual(await readPrices(), [11, 9.05, 9.05]);

  const free = await staff.call('POST', '/bulk-edits/preview', { ids, change: { kind: 'price-add', usd: -9.05 } });
  assert.deepEqual([listAt(free.body, 'changes').length, listAt(free.body, 'skipped').length], [1, 2]);
  const withdrawing = await staff.call('POST', '/bulk-edits/preview', {
    filter: { category: contents[0]?.category_id },
    change: { kind: 'withdraw' },
  });
  assert.equal(listAt(withdrawing.body, 'changes').length, 1);
  const unknown = { ids, change: { kind: 'category', category_id: '019a0000-0000-7000-8000-000000000000' } };
  assert.equal(readErrorCode(await staff.call('POST', '/bulk-edits/preview', unknown)), '400 invalid');
});

test('[OPS-02] an edit in one process shows in the other', async () => {
  const second = await startSecondProcess(shop);
  try {
    const content = await staff.createContent();
    const { id, version } = await staff.publish(content);
    const readPage = async (): Promise<string> => {
      const response = await fetch(`${second.url}/catalog/product/${content.slug}`);
      return `${response.status} ${await response.text()}`;
    };
    await waitUntil(async () => (await readPage()).startsWith('200'));
    await staff.save(id, { version, publish: true, content: { ...content, name: 'Seen elsewhere' } });
    await waitUntil(async () => (await readPage()).includes('Seen elsewhere'));

    const secondApi = async (method: string, path: string, body: unknown, token: string) =>
      fetch(`${second.url}/api${path}`, {
        method,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
      });
    const username = `two-processes-${Date.now()}`;
    const account = { username, email: `${username}@example.com`, password: 'crypto-market' };
    await shop.api('POST', '/users/register', { body: account });
    const token = textAt((await shop.api('POST', '/users/login', { body: account })).body, 'tokens', 'accessToken');
    assert.equal((await secondApi('POST', '/cart/add', { product_id: id, quantity: 1 }, token)).status, 200);
    await staff.call('POST', `/products/${id}/withdraw`, { version: version + 1 });
    // At once, whatever the other process shows.
    const checkout = await secondApi('POST', '/cart/checkout', BILLING, token);
    assert.ok(checkout.status >= 400 && checkout.status < 500, String(checkout.status));
    await waitUntil(async () => (await readPage()).startsWith('404'));
  } finally {
    await second.stop();
  }
});
