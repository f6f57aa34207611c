/** Staff edit products over HTTP. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import './support/built-pages.ts';
import { CatalogueEditor, logInAs, readErrorCode } from './support/catalogue-editor.ts';
import { makePicture } from './support/hostile-pictures.ts';
import { readConflict } from './support/read-conflict.ts';
import { keysAt, listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { uploadPicture } from './support/upload-picture.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: TestShop;
let staff: CatalogueEditor;
let owner: CatalogueEditor;
before(async () => {
  shop = await startTestShop({ settings: { LOG_LEVEL: 'info' } });
  [staff, owner] = await Promise.all([CatalogueEditor.open(shop), CatalogueEditor.open(shop, 'owner')]);
});
after(() => shop.stop());

const readPublic = (slug: string) => shop.api('GET', `/products/${slug}`);
const openPage = (path: string) => fetch(`${shop.url}${path}`, { redirect: 'manual' });

const locate = async (slug: string): Promise<string> => {
  const response = await openPage(`/catalog/product/${slug}`);
  return `${response.status} ${response.headers.get('location') ?? ''}`.trim();
};

test('[OPS-02] a draft is sold once it is published, and not after its withdrawal', async () => {
  const content = await staff.createContent();
  const { id, version, product } = await staff.create(content);
  assert.equal(textAt(product, 'state'), 'draft');
  assert.equal((await readPublic(content.slug)).status, 404);
  assert.equal((await openPage(`/catalog/product/${content.slug}`)).status, 404);

  const published = await owner.save(id, { version, publish: true, content });
  assert.equal(textAt(published.body, 'product', 'state'), 'published');
  assert.equal(textAt(published.body, 'product', 'edited_by'), 'owner');
  assert.equal(numberAt((await readPublic(content.slug)).body, 'base_price_in_usd'), 19.99);
  assert.match(await (await openPage(`/catalog/product/${content.slug}`)).text(), /One metre/);

  const withdrawn = await staff.call('POST', `/products/${id}/withdraw`, { version: version + 1 });
  assert.equal(textAt(withdrawn.body, 'product', 'state'), 'withdrawn');
  assert.equal((await readPublic(content.slug)).status, 404);
  assert.equal((await openPage(`/catalog/product/${content.slug}`)).status, 404);
  const back = await staff.save(id, { version: version + 2, publish: true, content });
  assert.equal(textAt(back.body, 'product', 'state'), 'published');
  assert.equal((await readPublic(content.slug)).status, 200);
});

test('[OPS-02] customers and visitors cannot edit the catalogue', async () => {
  const customer = await logInAs(shop, 'alice');
  for (const path of ['/catalogue/products', '/catalogue/structure']) {
    assert.equal(readErrorCode(await shop.api('GET', path, { token: customer })), '403 forbidden');
    assert.equal(readErrorCode(await shop.api('GET', path)), '401 unauthenticated');
  }
});

test('[OPS-02] buyers do not see a saved draft of a published product', async () => {
  const content = await staff.createContent();
  const { id, version } = await staff.publish(content);
  const edited = { ...content, name: 'Better cable', base_price_usd: 25 };
  const saved = await staff.save(id, { version, publish: false, content: edited });
  assert.equal(valueAt(saved.body, 'product', 'has_unpublished_changes'), true);
  assert.equal(textAt(saved.body, 'product', 'content', 'name'), 'Better cable');
  assert.equal(textAt((await readPublic(content.slug)).body, 'name'), content.name);
  const preview = await staff.call('GET', `/products/${id}/preview`);
  assert.equal(textAt(preview.body, 'product', 'name'), 'Better cable');

  const discarded = await staff.call('POST', `/products/${id}/discard-changes`, { version: version + 1 });
  assert.equal(textAt(discarded.body, 'product', 'content', 'name'), content.name);
  assert.equal(readErrorCode(await staff.save(id, { version: version + 2, publish: true, content: edited })), '200');
  assert.equal(textAt((await readPublic(content.slug)).body, 'name'), 'Better cable');
});

test('[OPS-02] the second of two editors gets 409 with what changed', async () => {
  const content = await staff.createContent();
  const { id, version } = await staff.publish(content);
  const first = { ...content, name: 'From staff', base_price_usd: 30 };
  assert.equal(readErrorCode(await staff.save(id, { version, publish: true, content: first })), '200');
  const second = await owner.save(id, { version, publish: true, content: { ...content, description: 'From owner' } });
  assert.equal(readErrorCode(second), '409 changed-meanwhile');
  assert.equal(
    textAt(second.body, 'error', 'message'),
    'staff changed this product meanwhile (name, base price). Nothing was saved: reload the page to see the change',
  );
  const conflict = readConflict(second.body);
  assert.deepEqual(
    [conflict.by, conflict.fields],
    [
      'staff',
      [
        { path: 'name', label: 'Name' },
        { path: 'base_price_usd', label: 'Base price' },
      ],
    ],
  );
  assert.ok(conflict.at !== null && Math.abs(Date.parse(conflict.at) - Date.now()) < 600_000);
  assert.equal(textAt((await readPublic(content.slug)).body, 'description'), content.description);

  const latest = version + 1;
  const raced = await Promise.all(
    [staff, owner].map((editor, index) =>
      editor.save(id, { version: latest, publish: true, content: { ...first, name: `Raced ${index}` } }),
    ),
  );
  assert.deepEqual(raced.map(readErrorCode).toSorted(), ['200', '409 changed-meanwhile']);
});

test('[OPS-02] former URLs of a product redirect for good, without loops', async () => {
  const content = await staff.createContent({ slug: 'first-url' });
  const { id, version } = await staff.publish(content);
  await staff.save(id, { version, publish: true, content: { ...content, slug: 'second-url' } });
  await staff.save(id, { version: version + 1, publish: true, content: { ...content, slug: 'third-url' } });
  assert.equal(await locate('first-url'), '301 /catalog/product/third-url');
  assert.equal(await locate('second-url'), '301 /catalog/product/third-url');
  assert.equal(await locate('third-url'), '200');

  // Another product takes over a former URL, then both swap.
  const other = await staff.createContent({ slug: 'first-url' });
  const { id: otherId, version: otherVersion } = await staff.publish(other);
  assert.equal(await locate('first-url'), '200');
  await staff.save(id, { version: version + 2, publish: true, content: { ...content, slug: 'waiting' } });
  await staff.save(otherId, { version: otherVersion, publish: true, content: { ...other, slug: 'third-url' } });
  await staff.save(id, { version: version + 3, publish: true, content: { ...content, slug: 'first-url' } });
  assert.deepEqual(
    [await locate('first-url'), await locate('third-url'), await locate('second-url'), await locate('waiting')],
    ['200', '200', '301 /catalog/product/first-url', '301 /catalog/product/first-url'],
  );
});

test('[OPS-02] a former URL of a category redirects for good', async () => {
  const { id, slug } = await staff.createCategory();
  const edit = { version: 1, name: 'Renamed', slug: 'renamed-category', properties: [] };
  assert.equal(readErrorCode(await staff.call('PUT', `/categories/${id}`, edit)), '200');
  const response = await openPage(`/catalog/category/${slug}`);
  assert.equal(`${response.status} ${response.headers.get('location')}`, '301 /catalog/category/renamed-category');
  assert.equal((await openPage('/catalog/category/renamed-category')).status, 200);
});

test('[OPS-02] names of other products are refused, naming the field', async () => {
  const content = await staff.createContent();
  await staff.create(content);
  const refused = await staff.call('POST', '/products', content);
  assert.equal(readErrorCode(refused), '409 taken');
  assert.deepEqual(keysAt(refused.body, 'error', 'fields'), ['slug', 'article']);
  const sku = await staff.createContent({
    variants: [
      { value_ids: [], own_price_usd: null, sku: content.article, gtin: '', pictures: [], is_published: true },
    ],
  });
  const takenSku = await staff.call('POST', '/products', sku);
  assert.match(textAt(takenSku.body, 'error', 'fields', 'variants.0.sku'), /has this SKU already/);
});

test('[OPS-02] invalid fields are refused with their names', async () => {
  const valid = await staff.createContent();
  const cases: readonly (readonly [string, object])[] = [
    ['slug', { slug: 'Not a slug' }],
    ['name', { name: ' ' }],
    ['name', { name: 'nul\u0000' }],
    ['name', { name: '\ud800' }],
    ['name', { name: 'x'.repeat(256) }],
    ['base_price_usd', { base_price_usd: 0 }],
    ['base_price_usd', { base_price_usd: 10_000_000 }],
    ['base_price_usd', { base_price_usd: 1.001 }],
    ['pictures.0.path', { pictures: [{ path: '/images/../secret.avif', alt: '' }] }],
    ['category_id', { category_id: '019a0000-0000-7000-8000-000000000000' }],
    ['brand_id', { brand_id: '019a0000-0000-7000-8000-000000000000' }],
    [
      'specifications.1.name',
      {
        specifications: [
          { name: 'A', value: '1' },
          { name: 'A', value: '2' },
        ],
      },
    ],
    ['specifications.0.name', { specifications: [{ name: '5', value: '1' }] }],
    ['values', { values: [{ id: '019a0000-0000-7000-8000-000000000000', increase_usd: 0, pictures: [] }] }],
    [
      'variants.0.gtin',
      {
        variants: [
          { value_ids: [], own_price_usd: null, sku: '', gtin: '4006381333932', pictures: [], is_published: true },
        ],
      },
    ],
  ];
  for (const [field, changes] of cases) {
    const refused = await staff.call('POST', '/products', { ...valid, ...changes });
    assert.equal(readErrorCode(refused), '400 invalid', field);
    assert.ok(textAt(refused.body, 'error', 'fields', field).length > 0, field);
  }
  const listed = await staff.call('GET', `/products?q=${valid.slug}`);
  assert.equal(listAt(listed.body, 'products').length, 0);
});

test('[OPS-02] a product without a picture is not published', async () => {
  const content = await staff.createContent({ pictures: [] });
  const { id, version } = await staff.create(content);
  const refused = await staff.save(id, { version, publish: true, content });
  assert.match(textAt(refused.body, 'error', 'fields', 'pictures'), /Add at least one picture/);
});

const upload = async (seed: number): Promise<{ readonly id: string; readonly path: string }> => {
  const { status, body } = await uploadPicture(shop, staff.token, await makePicture('png', { seed }));
  assert.equal(status, 201, JSON.stringify(body));
  return { id: textAt(body, 'id'), path: textAt(body, 'path') };
};
const deletePicture = (id: string) => shop.api('DELETE', `/pictures/${id}`, { token: staff.token });

test('[OPS-02] a picture that a product, draft or variant shows cannot be deleted', async () => {
  const shown = await Promise.all([upload(1), upload(2), upload(3)]);
  const [ofProduct, ofVariant, ofDraft] = shown.map(({ path }) => [{ path, alt: '' }]);
  const variant = { value_ids: [], own_price_usd: null, sku: '', gtin: '', is_published: true };
  const content = await staff.createContent({
    pictures: ofProduct ?? [],
    variants: [{ ...variant, pictures: ofVariant ?? [] }],
  });
  const { id, version } = await staff.publish(content);
  await staff.save(id, { version, publish: false, content: { ...content, pictures: ofDraft ?? [] } });
  for (const { id: picture } of shown) assert.equal(readErrorCode(await deletePicture(picture)), '409 in-use');
  const discarded = await staff.call('POST', `/products/${id}/discard-changes`, { version: version + 1 });
  assert.equal(discarded.status, 200);
  assert.equal(readErrorCode(await deletePicture(shown[2]?.id ?? '')), '200');
});

test('[OPS-02] a product cannot be saved with a deleted picture', async () => {
  const { id, path } = await upload(4);
  await deletePicture(id);
  const pictures = [{ path, alt: '' }];
  const refused = await staff.call('POST', '/products', await staff.createContent({ pictures }));
  assert.equal(readErrorCode(refused), '400 invalid');
  assert.match(textAt(refused.body, 'error', 'fields', 'pictures'), /was deleted/);
});

test('[OPS-02] no product is left with a picture that is deleted as it is saved', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { id, path } = await upload(10 + round);
    const content = await staff.createContent({ pictures: [{ path, alt: '' }] });
    const [saved, deleted] = await Promise.all([staff.call('POST', '/products', content), deletePicture(id)]);
    const both = `${readErrorCode(saved)}, ${readErrorCode(deleted)}`;
    assert.ok(['201, 409 in-use', '400 invalid, 200'].includes(both), both);
  }
});

test('[OPS-02] a copy of a product has names of its own', async () => {
  const content = await staff.createContent();
  const { id } = await staff.publish(content);
  for (const number of ['', '-2']) {
    const { status, body } = await staff.call('POST', `/products/${id}/duplicate`);
    assert.equal(status, 201, JSON.stringify(body));
    assert.equal(textAt(body, 'product', 'state'), 'draft');
    assert.equal(textAt(body, 'product', 'content', 'slug'), `${content.slug}-copy${number}`);
    assert.equal(textAt(body, 'product', 'content', 'name'), `${content.name} (copy)`);
  }
});

test('[OPS-02] only a product that was never published can be deleted', async () => {
  const draft = await staff.create(await staff.createContent());
  assert.equal(readErrorCode(await staff.call('DELETE', `/products/${draft.id}`, { version: draft.version })), '200');
  assert.equal(readErrorCode(await staff.call('GET', `/products/${draft.id}`)), '404 not-found');
  const sold = await staff.publish(await staff.createContent());
  const refused = await staff.call('DELETE', `/products/${sold.id}`, { version: sold.version });
  assert.equal(readErrorCode(refused), '409 in-use');
});

test('[OPS-02] each change of staff is a security event', async () => {
  const { status, headers } = await staff.call('POST', '/products', await staff.createContent());
  assert.equal(status, 201);
  const id = headers.get('x-request-id') ?? '-';
  const findLine = (): string | undefined =>
    shop
      .readOutput()
      .split('\n')
      .find((one) => one.includes('"catalogue_changed"') && one.includes(id));
  await waitUntil(async () => findLine() !== undefined);
  assert.match(findLine() ?? '', /"target_id":"[\da-f-]{36}"/);
});
