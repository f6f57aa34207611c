/** What the law asks the page of a product to show. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import './support/built-pages.ts';
import { CatalogueEditor, readErrorCode } from './support/catalogue-editor.ts';
import { logInAs } from './support/charge-settings.ts';
import { checkCsv, waitForState } from './support/imports/upload.ts';
import { findJsonLd } from './support/json-ld.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';

let shop: TestShop;
let staff: CatalogueEditor;
before(async () => {
  shop = await startTestShop();
  staff = await CatalogueEditor.open(shop);
});
after(() => shop.stop());

const readPage = async (slug: string): Promise<string> => (await fetch(`${shop.url}/catalog/product/${slug}`)).text();
/** The facts of the section on product safety, in order. */
const readSafety = async (slug: string): Promise<readonly string[]> => {
  const section =
    /<h2 id="safety-title">Product safety<\/h2><\/div>(.*?)<\/section>/s.exec(await readPage(slug))?.[1] ?? '';
  return [...section.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gs)].map(([, label, text]) =>
    `${label}: ${text}`.replaceAll(/<!-- -->|<\/?span[^>]*>/g, ''),
  );
};

const quote = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

const NOTHING = {
  manufacturer: '',
  manufacturer_address: '',
  manufacturer_contact: '',
  responsible_name: '',
  responsible_address: '',
  responsible_contact: '',
  warnings: '',
};
const OF_BRAND = {
  ...NOTHING,
  manufacturer: 'Acme Ltd',
  manufacturer_address: '1 Main Street, Springfield, USA',
  manufacturer_contact: 'safety@acme.example',
  responsible_name: 'Acme Europe GmbH',
  warnings: 'Keep dry.\nNot for children.',
};

const LABEL = {
  class: 'B',
  supplier: '',
  model: '',
  endurance_minutes: 3200,
  endurance_cycles: 1000,
  fall_class: 'C',
  repair_class: 'D',
  ip_rating: 'IP68',
  eprel_number: '2217001',
  sheet_url: '',
};

async function createBrand(name: string): Promise<string> {
  const { body } = await staff.call('POST', '/brands', { name, slug: name.toLowerCase() });
  return textAt(body, 'id');
}
async function findBrand(id: string): Promise<unknown> {
  return listAt(await staff.readStructure(), 'brands').find((brand) => textAt(brand, 'id') === id);
}
async function saveBrand(id: string, changes: object) {
  const brand = await findBrand(id);
  return staff.call('PUT', `/brands/${id}`, {
    version: numberAt(brand, 'version'),
    name: textAt(brand, 'name'),
    slug: textAt(brand, 'slug'),
    ...changes,
  });
}

test('[PROD-10] a product page shows the safety information of its brand', async () => {
  const brandId = await createBrand('Acme');
  const content = await staff.createContent({ brand_id: brandId });
  await staff.publish(content);
  assert.deepEqual(await readSafety(content.slug), []);
  assert.equal(readErrorCode(await saveBrand(brandId, { safety: OF_BRAND })), '200');
  assert.deepEqual(await readSafety(content.slug), [
    'Manufacturer: Acme Ltd',
    'Postal address of the manufacturer: 1 Main Street, Springfield, USA',
    'Email or website of the manufacturer: safety@acme.example',
    'Responsible person in the EU: Acme Europe GmbH',
    'Warnings and safety information: Keep dry.\nNot for children.',
  ]);
  assert.deepEqual(valueAt(findJsonLd(await readPage(content.slug), 'Product'), 'manufacturer'), {
    '@type': 'Organization',
    name: 'Acme Ltd',
    address: '1 Main Street, Springfield, USA',
    email: 'safety@acme.example',
  });
  // A caller of before knows nothing of it.
  assert.equal(readErrorCode(await saveBrand(brandId, { name: 'Acme Inc' })), '200');
  assert.equal(textAt(await findBrand(brandId), 'safety', 'manufacturer'), 'Acme Ltd');
  assert.equal(readErrorCode(await saveBrand(brandId, { safety: null })), '200');
  assert.deepEqual(await readSafety(content.slug), []);
});

test('[PROD-10] a product has its own safety information where it differs', async () => {
  const brandId = await createBrand('Bolt');
  await saveBrand(brandId, { safety: OF_BRAND });
  const content = await staff.createContent({ brand_id: brandId, safety: { ...NOTHING, manufacturer: 'Cell & Co' } });
  const { id } = await staff.publish(content);
  const expected = [
    'Manufacturer: Cell &amp; Co',
    'Responsible person in the EU: Acme Europe GmbH',
    'Warnings and safety information: Keep dry.\nNot for children.',
  ];
  assert.deepEqual(await readSafety(content.slug), expected);
  const preview = await staff.call('GET', `/products/${id}/preview`);
  assert.equal(textAt(preview.body, 'product', 'safety', 'responsible_name'), 'Acme Europe GmbH');
  const long = { ...NOTHING, warnings: 'x'.repeat(4001) };
  const refused = await staff.call('POST', '/products', { ...content, safety: long });
  assert.equal(readErrorCode(refused), '400 invalid');
  assert.match(textAt(refused.body, 'error', 'fields', 'safety.warnings'), /4000/);
});

test('[PROD-09] [PROD-10] a file of products has their safety information and label', async () => {
  const content = await staff.createContent({ brand_id: await createBrand('Filed') });
  await staff.publish(content);
  const safety = JSON.stringify({ ...NOTHING, warnings: 'Hot, "very" hot' });
  const write = (cell: string, label = '') =>
    `Handle,Shop / Product Safety,Shop / Energy Label\n${content.slug},${quote(cell)},${quote(label)}\n`;
  const { id, state } = await checkCsv(shop, staff.token, write(safety, JSON.stringify(LABEL)));
  assert.equal(state, 'checked');
  const applied = await shop.api('POST', `/imports/${id}/apply`, { token: staff.token, body: {} });
  assert.ok(applied.status < 300, JSON.stringify(applied.body));
  await waitForState(shop, staff.token, id, 'applied');
  assert.deepEqual(await readSafety(content.slug), ['Warnings and safety information: Hot, &quot;very&quot; hot']);
  const exported = await fetch(`${shop.url}/api/exports/products`, {
    headers: { authorization: `Bearer ${staff.token}` },
  });
  const rows = await exported.text();
  assert.ok(rows.includes(quote(safety)) && rows.includes(quote(JSON.stringify(LABEL))));
});

const ARROW = 'alt="Energy class B, opens the label"';
const setConsumers = async (isOn: boolean): Promise<void> => {
  const token = await logInAs(shop, 'owner');
  const { body } = await shop.api('GET', '/shop/settings', { token });
  const version = numberAt(body, 'consumers', 'version');
  const change = { version, sells_to_eu_consumers: isOn };
  assert.equal((await shop.api('PUT', '/shop/settings/consumers', { token, body: change })).status, 200);
};
const fetchText = async (path: string): Promise<string> => (await fetch(shop.url + path)).text();

test('[PROD-09] the energy class of a product stands beside its price everywhere', async () => {
  const content = await staff.createContent({ energy_label: LABEL, name: 'Labelled phone' });
  const { id } = await staff.publish(content);
  const link = new RegExp(`<a href="/energy-label/${content.slug}\\.svg"[^>]*><img[^>]*${ARROW}`);
  const page = await readPage(content.slug);
  assert.match(page, link);
  assert.match(page, /href="https:\/\/eprel\.ec\.europa\.eu\/qr\/2217001">Product information sheet</);
  assert.equal(
    textAt(findJsonLd(page, 'Product'), 'hasEnergyConsumptionDetails', 'hasEnergyEfficiencyCategory'),
    'https://schema.org/EUEnergyEfficiencyCategoryB',
  );
  const { slug } =
    listAt(await staff.readStructure(), 'categories')
      .map((one) => ({ id: textAt(one, 'id'), slug: textAt(one, 'slug') }))
      .find((one) => one.id === content.category_id) ?? assert.fail('no category');
  for (const path of [
    `/catalog/category/${slug}`,
    '/search-results?query=labelled',
    `/compare?products=${content.slug}`,
  ]) {
    assert.match(await fetchText(path), link, path);
  }
  const found = await shop.api('GET', `/products?q=labelled`);
  assert.equal(textAt(found.body, 0, 'energy_label', 'class'), 'B');
  const cards = await shop.api('GET', `/product-cards?ids=${id}`);
  assert.equal(textAt(cards.body, 0, 'energy_label', 'class'), 'B');
  const cart = await shop.api('POST', '/cart/add', { token: staff.token, body: { product_id: id, quantity: 1 } });
  assert.equal(textAt(cart.body, 'cart_items', 0, 'product', 'energy_class'), 'B');
  const item = (await fetchText('/products.xml')).split('<item>').find((one) => one.includes(content.slug)) ?? '';
  assert.match(item, /<g:energy_efficiency_class>B<.*<g:certification_code>2217001</);
});

test('[PROD-09] the arrow and the label are drawings', async () => {
  const content = await staff.createContent({ energy_label: { ...LABEL, model: 'A <1>' } });
  await staff.publish(content);
  const label = await fetch(`${shop.url}/energy-label/${content.slug}.svg`);
  assert.deepEqual([label.status, label.headers.get('content-type')], [200, 'image/svg+xml; charset=utf-8']);
  assert.match(String(label.headers.get('content-security-policy')), /default-src 'none'/);
  assert.match(await label.text(), /<title>Demo label of Apple A &lt;1&gt;: class B<\/title>/);
  assert.match(await fetchText('/energy-arrow/B.svg'), />demo label</);
  for (const path of ['/energy-arrow/H.svg', '/energy-label/none.svg', '/energy-label/a', '/energy-arrow/B.png']) {
    assert.equal((await fetch(shop.url + path)).status, 404, path);
  }
  for (const bad of [
    { class: 'H' },
    { ip_rating: '68' },
    { sheet_url: 'http://acme.example' },
    { eprel_number: 'x' },
  ]) {
    const refused = await staff.call('POST', '/products', { ...content, energy_label: { ...LABEL, ...bad } });
    assert.equal(readErrorCode(refused), '400 invalid', JSON.stringify(bad));
  }
});

test('[PROD-09] shows nothing without a class, nor in a shop that does not sell to the EU', async () => {
  const plain = await staff.createContent();
  const labelled = await staff.createContent({ energy_label: LABEL });
  await staff.publish(plain);
  await staff.publish(labelled);
  assert.doesNotMatch(await readPage(plain.slug), /Energy class .*opens/);
  assert.ok((await readPage(labelled.slug)).includes(ARROW));
  await setConsumers(false);
  assert.doesNotMatch(await readPage(labelled.slug), /energy-label|energy-arrow/);
  assert.equal(valueAt((await shop.api('GET', `/products/${labelled.slug}`)).body, 'energy_label'), null);
  assert.equal((await fetch(`${shop.url}/energy-label/${labelled.slug}.svg`)).status, 404);
  assert.doesNotMatch(await fetchText('/products.xml'), /energy_efficiency_class/);
  await setConsumers(true);
  assert.ok((await readPage(labelled.slug)).includes(ARROW));
});

test('[PROD-11] reviews say whether they are verified, and mark those by buyers', async () => {
  const listed = await shop.api('GET', '/products?limit=500');
  const counts = await Promise.all(
    listAt(listed.body).map(async (product) => {
      const { body } = await shop.api('GET', `/reviews/product/${textAt(product, 'id')}`);
      return { slug: textAt(product, 'slug'), id: textAt(product, 'id'), count: listAt(body).length };
    }),
  );
  const reviewed = counts.find(({ count }) => count > 0) ?? assert.fail('no product has a review');
  const page = await readPage(reviewed.slug);
  assert.match(page, /These reviews were not checked: the shop added them/);
  assert.match(page, /Only buyers of this product can review it/);
  assert.doesNotMatch(page, /<\/h3><span>Verified purchase/);
  assert.match(await fetchText('/'), /The shop added these reviews\. We did not check whether/);
});
