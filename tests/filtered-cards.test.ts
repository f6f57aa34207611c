/** Cards of filtered lists: each means the cheapest variant that matches the filter. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import './support/built-pages.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { CatalogueEditor, logInAs } from './support/catalogue-editor.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: TestShop;
before(async () => {
  shop = await startTestShop({ settings: { RATE_LIMITS: 'off' } });
});
after(() => shop.stop());

async function get(path: string): Promise<unknown> {
  const response = await shop.api('GET', path);
  assert.equal(response.status, 200, path);
  return response.body;
}

async function readPage(path: string): Promise<string> {
  const response = await fetch(shop.url + path);
  assert.equal(response.status, 200, path);
  return response.text();
}

/** Ids of a value in all categories. */
async function findValueIds(wanted: string): Promise<string[]> {
  const properties = listAt(await get('/filters'), 'properties');
  const values = properties.flatMap((property) => listAt(property, 'values'));
  return values.flatMap((value) => (textAt(value, 'value') === wanted ? textAt(value, 'id') : []));
}

/** Links of the cards of a page, unescaped. */
const listLinks = (html: string): string[] =>
  [...html.matchAll(/<h3><a[^>]* href="(\/catalog\/product\/[^"]+)"/g)].map(([, href = '']) =>
    href.replaceAll('&amp;', '&'),
  );

/** Variants that the products of a list mean. */
async function listVariants(query: string): Promise<unknown[]> {
  const products = listAt(await get(`/products?${query}`));
  assert.ok(products.length > 3, query);
  return products.map((product) => valueAt(product, 'matching_variant') ?? product);
}

const findBlackMouse = async () => {
  const mouse = listAt(await get('/products?q=magic+mouse')).find((one) => textAt(one, 'slug') === 'magic-mouse');
  return listAt(mouse, 'colors').find((one) => textAt(one, 'name') === 'Black');
};

/** Sets the stock of a variant to zero. */
async function sellOut(sku: string): Promise<void> {
  const token = await logInAs(shop, 'owner');
  const found = await shop.api('GET', `/inventory?q=${sku}`, { token });
  const row = listAt(found.body, 'variants').find((one) => textAt(one, 'sku') === sku);
  const body = { of: 'available', quantity: 0, seen: valueAt(row, 'available'), reason: 'counted' };
  const emptied = await shop.api('PUT', `/inventory/${textAt(row, 'variant_id')}`, { token, body });
  assert.equal(emptied.status, 200, JSON.stringify(emptied.body));
}

test('[PROD-12] cards under a capacity show, link to and add that capacity', async () => {
  const ids = await findValueIds('512GB');
  for (const variant of await listVariants(`category=iphone&values=${ids.join()}`)) {
    assert.match(textAt(variant, 'name'), /^512GB\b/);
    assert.ok(listAt(variant, 'property_value_ids').some((id) => ids.includes(String(id))));
  }
  const html = await readPage(`/catalog/category/iphone?values=${ids.join()}`);
  const links = listLinks(html);
  assert.ok(links.length > 3);
  for (const link of links) {
    assert.match(link, /\?variant=./);
    const page = await readPage(link);
    const checked = [...page.matchAll(/<input[^>]*type="radio"[^>]*checked=""[^>]*>/g)].map(([input]) => input);
    assert.ok(
      checked.some((input) => ids.some((id) => input.includes(`value="${id}"`))),
      link,
    );
    // Search engines index the product.
    assert.match(page, new RegExp(`<link rel="canonical" href="[^"?]*${link.split('?')[0]}"`));
  }
  // The form of the first card, as a browser without JavaScript submits it.
  const [, form = ''] = /<form[^>]* action="\/cart"[^>]*>(.*?)<\/form>/s.exec(html) ?? [];
  const values = [...form.matchAll(/<input[^>]* value="([^"]+)"/g)].map(([, id = '']) => id);
  const [, product = ''] = /<button[^>]* value="([^"]+)"/.exec(form) ?? [];
  const posted = await fetch(`${shop.url}/cart`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: shop.url },
    body: new URLSearchParams([['add', product], ...values.map((id) => ['value', id])]),
  });
  assert.equal(posted.status, 303, form.slice(0, 900));
  const cookie = posted.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const cart: unknown = await (await fetch(`${shop.url}/api/cart`, { headers: { cookie } })).json();
  const [line] = listAt(cart, 'cart_items');
  assert.deepEqual(listAt(line, 'property_value_ids').map(String).toSorted(), values.toSorted());
  assert.ok(values.some((id) => ids.includes(id)));
  const [first] = await listVariants(`category=iphone&values=${ids.join()}`);
  assert.equal(numberAt(line, 'price_usd'), numberAt(first, 'price_usd'));
});

test('[PROD-12] [CAT-04] cards under a price range show prices within it, in order', async () => {
  for (const sort of ['price_asc', 'price_desc']) {
    const variants = await listVariants(`price_min=900&price_max=1100&limit=500&sort=${sort}`);
    const prices = variants.map((variant) =>
      Number(valueAt(variant, 'price_usd') ?? valueAt(variant, 'lowest_price_usd')),
    );
    assert.ok(prices.every((price) => price >= 900 && price <= 1100));
    assert.deepEqual(
      prices,
      prices.toSorted((a, b) => (sort === 'price_asc' ? a - b : b - a)),
    );
  }
  const html = await readPage('/catalog?price_min=900&price_max=1100');
  const shown = [...html.matchAll(/or <span[^>]*>\$([\d,]+\.\d\d)/g)].map(([, price = '']) =>
    Number(price.replaceAll(',', '')),
  );
  assert.ok(shown.length > 3);
  assert.deepEqual(
    shown.filter((price) => price < 900 || price > 1100),
    [],
  );
});

test('[PROD-12] a card shows a variant that can be ordered once another is sold out', async () => {
  const ids = await findValueIds('512GB');
  const query = `category=iphone&values=${ids.join()}&limit=4`;
  const [first] = await listVariants(query);
  const sku = textAt(first, 'sku');
  assert.equal(valueAt(first, 'is_available'), true);
  await sellOut(sku);
  await waitUntil(async () => textAt((await listVariants(query))[0], 'sku') !== sku);
  const [now] = await listVariants(query);
  assert.match(textAt(now, 'name'), /^512GB\b/);
  assert.equal(valueAt(now, 'is_available'), true);
});

test('[CARD-04] [API-12] a card has up to five colours, each with a variant of its own', async () => {
  const ids = await findValueIds('512GB');
  const products = listAt(await get(`/products?category=iphone&values=${ids.join()}`));
  const colored = products.filter((product) => valueAt(product, 'colors') !== undefined);
  assert.ok(colored.length > 3);
  for (const product of colored) {
    const colors = listAt(product, 'colors');
    assert.ok(colors.length >= 2 && colors.length <= 5 && numberAt(product, 'color_count') >= colors.length);
    const skus = colors.map((color) => textAt(color, 'sku'));
    const query = skus.map((sku) => `&sku=${encodeURIComponent(sku)}`).join('');
    const cards = listAt(await get(`/product-cards?ids=${textAt(product, 'id')}${query}&sku=none`));
    assert.deepEqual(cards.map((card) => textAt(card, 'matching_variant', 'sku')).toSorted(), skus.toSorted());
    for (const color of colors) {
      const card = cards.find((one) => textAt(one, 'matching_variant', 'sku') === textAt(color, 'sku'));
      // With the capacity of the filter.
      assert.equal(textAt(card, 'matching_variant', 'name'), `512GB, ${textAt(color, 'name')}`);
      assert.match(textAt(color, 'color'), /^#[0-9a-f]{6}$/);
    }
  }
  const html = await readPage(`/catalog/category/iphone?values=${ids.join()}`);
  assert.match(html, /<a href="\/catalog\/product\/[^"]+\?variant=[^"]+" aria-label="Deep Blue">/);
});

test('[CARD-04] a color without a variant that can be ordered is marked as sold out', async () => {
  const color = await findBlackMouse();
  assert.equal(valueAt(color, 'is_available'), true);
  await sellOut(textAt(color, 'sku'));
  await waitUntil(async () => valueAt(await findBlackMouse(), 'is_available') === false);
  const html = await readPage('/catalog/category/accessories');
  assert.match(html, /\/magic-mouse\?variant=[^"]+" aria-label="Black, sold out"/);
  assert.match(html, /\/magic-mouse\?variant=[^"]+" aria-label="White"/);
});

test('[CARD-04] unpublished variants are no colors, and a changed picture is shown', async () => {
  const staff = await CatalogueEditor.open(shop);
  const category = await staff.createCategory();
  const find = async () =>
    listAt(await staff.readStructure(), 'categories').find((one) => textAt(one, 'id') === category.id);
  const names = ['Black', 'Silver', 'Gold'];
  const properties = [{ name: 'Color', values: names.map((value) => ({ value, increase_usd: 0 })) }];
  const version = numberAt(await find(), 'version');
  await staff.call('PUT', `/categories/${category.id}`, { version, name: 'Lamps', slug: category.slug, properties });
  const values = listAt(await find(), 'properties', 0, 'values').map((value) => textAt(value, 'id'));
  const createContent = (picture: string) =>
    staff.createContent({
      slug: 'lamp',
      article: 'LAMP',
      category_id: category.id,
      values: values.map((id) => ({ id, increase_usd: 0, pictures: [{ path: picture, alt: '' }] })),
      variants: values.map((id, index) => ({
        value_ids: [id],
        own_price_usd: null,
        sku: `LAMP-${names[index]}`,
        gtin: '',
        pictures: [],
        is_published: index < 2,
      })),
    });
  const { id, version: published } = await staff.publish(await createContent('/images/products/iphone-air/back.avif'));
  const [card] = listAt(await get(`/product-cards?ids=${id}`));
  assert.deepEqual(
    listAt(card, 'colors').map((color) => textAt(color, 'name')),
    ['Black', 'Silver'],
  );
  assert.equal(numberAt(card, 'color_count'), 2);
  assert.deepEqual(await get(`/product-cards?ids=${id}&sku=LAMP-Gold`), []);
  const readPicture = async () =>
    textAt(await get(`/product-cards?ids=${id}&sku=LAMP-Silver`), 0, 'matching_variant', 'image');
  assert.equal(await readPicture(), '/images/products/iphone-air/back.avif');
  const picture = '/images/products/iphone-air/front.avif';
  const saved = await staff.save(id, { version: published, publish: true, content: await createContent(picture) });
  assert.equal(saved.status, 200, JSON.stringify(saved.body));
  await waitUntil(async () => (await readPicture()) === picture);
});
