/** Chapters of a product: large figures on its page, which staff edit. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import './support/built-pages.ts';
import { CatalogueEditor, readErrorCode } from './support/catalogue-editor.ts';
import { checkCsv, waitForState } from './support/imports/upload.ts';
import { readConflict } from './support/read-conflict.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: TestShop;
let staff: CatalogueEditor;
let owner: CatalogueEditor;
before(async () => {
  shop = await startTestShop();
  staff = await CatalogueEditor.open(shop);
  owner = await CatalogueEditor.open(shop, 'owner');
});
after(() => shop.stop());

const [FRONT, BACK, OTHER] = ['iphone-air/front', 'iphone-air/back', 'iphone-17/back'].map(
  (name) => `/images/products/${name}.avif`,
);
const pictures = [
  { path: BACK ?? '', alt: 'Its back' },
  { path: FRONT ?? '', alt: '' },
];
const BATTERY = { picture: BACK, figure: '22 hours', title: 'of video', sentence: 'A whole day & more.' };
const CAMERA = { picture: FRONT, figure: '48 MP', title: 'in two cameras', sentence: 'Sharp up to the edge.' };
const WEIGHT = { picture: null, figure: '165 g', title: 'in the hand', sentence: 'Titanium weighs little.' };

const readPage = async (slug: string): Promise<string> => (await fetch(`${shop.url}/catalog/product/${slug}`)).text();
const readProduct = async (slug: string): Promise<unknown> => (await shop.api('GET', `/products/${slug}`)).body;
const readChapters = async (slug: string): Promise<readonly unknown[]> => listAt(await readProduct(slug), 'chapters');
const readStored = async (id: string): Promise<unknown> => (await staff.call('GET', `/products/${id}`)).body;

/** Texts of the headings and sentences of the chapters of a page, with the alternative text of the picture. */
function listShown(page: string): readonly string[] {
  const [, list = ''] = /<ul class="_chapters[^>]*>(.*?)<\/ul>/s.exec(page) ?? [];
  return [...list.matchAll(/<li>(.*?)<\/li>/gs)].map(([, item = '']) => {
    const alt = /<img[^>]* alt="([^"]*)"/.exec(item)?.[1];
    const text = item.replaceAll(/<[^>]+>/g, '|').replaceAll(/[| ]*\|[| ]*/g, '|');
    return alt === undefined ? text : `(${alt})${text}`;
  });
}

test('[OPS-02] [PROD-05] the page shows chapters in order, each with its picture', async () => {
  const content = await staff.createContent({ pictures, chapters: [BATTERY, CAMERA, WEIGHT] });
  const { id } = await staff.publish(content);
  const page = await readPage(content.slug);
  assert.deepEqual(listShown(page), [
    '(Its back)|22 hours|of video|A whole day &amp; more.|',
    '()|48 MP|in two cameras|Sharp up to the edge.|',
    '|165 g|in the hand|Titanium weighs little.|',
  ]);
  const places = ['id="buy"', 'class="_chapters', 'id="about-title"', 'id="specifications-title"'];
  const positions = places.map((place) => page.indexOf(place));
  assert.deepEqual(
    positions,
    positions.filter((at) => at !== -1).toSorted((one, other) => one - other),
  );
  // Below the first screen: loaded when they are near, in a box of a known shape.
  assert.match(page, /<img[^>]*back-640\.avif"[^>]* width="640" height="640" loading="lazy"/);
  assert.deepEqual(await readChapters(content.slug), [BATTERY, CAMERA, WEIGHT]);
  const preview = await staff.call('GET', `/products/${id}/preview`);
  assert.deepEqual(valueAt(preview.body, 'product', 'chapters'), [BATTERY, CAMERA, WEIGHT]);

  const other = await staff.createContent({});
  await staff.publish(other);
  assert.doesNotMatch(await readPage(other.slug), /class="_chapters/);
});

test('[OPS-02] a chapter beyond its limits is refused at its field, and nothing is stored', async () => {
  const content = await staff.createContent({ pictures, chapters: [BATTERY] });
  const { id, version } = await staff.publish(content);
  const refuse = async (chapters: readonly object[], field: string): Promise<void> => {
    const refused = await staff.save(id, { version, publish: true, content: { ...content, chapters } });
    assert.equal(readErrorCode(refused), '400 invalid', field);
    const fields = valueAt(refused.body, 'error', 'fields');
    assert.deepEqual(Object.keys(fields ?? {}), [`content.${field}`]);
  };
  await refuse([BATTERY, { ...BATTERY, figure: 'x'.repeat(25) }], 'chapters.1.figure');
  await refuse([{ ...BATTERY, title: 'x'.repeat(61) }], 'chapters.0.title');
  await refuse([{ ...BATTERY, sentence: 'x'.repeat(241) }], 'chapters.0.sentence');
  await refuse([{ ...BATTERY, figure: ' ' }], 'chapters.0.figure');
  await refuse([{ ...BATTERY, picture: 'https://other.example/a.avif' }], 'chapters.0.picture');
  await refuse(
    Array.from({ length: 7 }, () => BATTERY),
    'chapters',
  );
  const stored = await readStored(id);
  assert.equal(numberAt(stored, 'product', 'version'), version);
  assert.deepEqual(valueAt(stored, 'product', 'content', 'chapters'), [BATTERY]);
  const most = { ...WEIGHT, figure: 'x'.repeat(24), title: 'x'.repeat(60), sentence: 'x'.repeat(240) };
  const chapters = Array.from({ length: 6 }, () => most);
  assert.equal(
    readErrorCode(await staff.save(id, { version, publish: true, content: { ...content, chapters } })),
    '200',
  );
  assert.equal((await readChapters(content.slug)).length, 6);
});

test('[OPS-02] a picture that is not the product’s is refused, and nothing is stored', async () => {
  const content = await staff.createContent({ pictures, chapters: [BATTERY] });
  const foreign = { ...content, chapters: [BATTERY, { ...CAMERA, picture: OTHER }] };
  const created = await staff.call('POST', '/products', foreign);
  assert.equal(readErrorCode(created), '400 invalid');
  assert.equal((await shop.api('GET', `/products/${content.slug}`)).status, 404);
  const { id, version } = await staff.publish(content);
  const refused = await staff.save(id, { version, publish: true, content: foreign });
  assert.equal(
    textAt(refused.body, 'error', 'fields', 'chapters.1.picture'),
    'Choose one of the pictures of this product',
  );
  assert.equal(numberAt(await readStored(id), 'product', 'version'), version);
});

test('[OPS-02] a chapter stays without a picture that is removed from the product', async () => {
  const category = await staff.createCategory();
  const [[colour = ''] = []] = await staff.addProperties(category.id, [1]);
  const content = await staff.createContent({
    category_id: category.id,
    pictures,
    values: [{ id: colour, increase_usd: 0, pictures: [{ path: OTHER ?? '', alt: '' }] }],
    chapters: [BATTERY, { ...CAMERA, picture: OTHER }],
  });
  const { id, version } = await staff.publish(content);
  assert.deepEqual(await readChapters(content.slug), content.chapters);
  const fewer = { ...content, pictures: pictures.slice(1) };
  const saved = await staff.save(id, { version, publish: true, content: fewer });
  assert.equal(readErrorCode(saved), '200');
  const expected = [
    { ...BATTERY, picture: null },
    { ...CAMERA, picture: OTHER },
  ];
  assert.deepEqual(valueAt(saved.body, 'product', 'content', 'chapters'), expected);
  assert.deepEqual(await readChapters(content.slug), expected);
  // The picture of a value goes with the value.
  const none = { ...fewer, values: [], chapters: expected };
  assert.equal(readErrorCode(await staff.save(id, { version: version + 1, publish: true, content: none })), '200');
  assert.deepEqual(await readChapters(content.slug), [expected[0], { ...CAMERA, picture: null }]);
});

test('[OPS-02] the second of two editors of chapters is refused; the audit log has them', async () => {
  const content = await staff.createContent({ pictures, chapters: [BATTERY] });
  const { id, version } = await staff.publish(content);
  const draft = { ...content, chapters: [BATTERY, CAMERA] };
  assert.equal(readErrorCode(await staff.save(id, { version, publish: false, content: draft })), '200');
  assert.deepEqual(await readChapters(content.slug), [BATTERY], 'a draft is not shown');
  const second = await owner.save(id, { version, publish: true, content: { ...content, chapters: [] } });
  assert.equal(readErrorCode(second), '409 changed-meanwhile');
  assert.deepEqual(readConflict(second.body).fields, [{ path: 'chapters', label: 'Chapters' }]);
  assert.deepEqual(valueAt(await readStored(id), 'product', 'content', 'chapters'), [BATTERY, CAMERA]);
  const audit = await shop.api('GET', `/support/audit?subject_id=${id}`, { token: staff.token });
  assert.match(JSON.stringify(audit.body), /48 MP/);
  const copy = await staff.call('POST', `/products/${id}/duplicate`);
  assert.deepEqual(valueAt(copy.body, 'product', 'content', 'chapters'), [BATTERY, CAMERA]);
});

const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;

test('[OPS-12] a file of products has their chapters, and its lost pictures leave them', async () => {
  const content = await staff.createContent({ pictures, chapters: [BATTERY, CAMERA] });
  await staff.publish(content);
  const exported = String(
    (await shop.api('GET', `/exports/products?q=${content.article}`, { token: staff.token })).body,
  );
  const cell = quote(JSON.stringify([BATTERY, CAMERA]));
  assert.ok(exported.includes('Shop / Chapters') && exported.includes(cell));
  const unchanged = await checkCsv(shop, staff.token, exported);
  assert.equal(unchanged.state, 'checked');
  const listed = await shop.api('GET', `/imports/${unchanged.id}/changes`, { token: staff.token });
  assert.deepEqual(listAt(listed.body, 'products'), []);
  const apply = async (file: string): Promise<void> => {
    const { id } = await checkCsv(shop, staff.token, file);
    const applied = await shop.api('POST', `/imports/${id}/apply`, { token: staff.token, body: {} });
    const problems = await shop.api('GET', `/imports/${id}/problems`, { token: staff.token });
    assert.equal(applied.status, 200, JSON.stringify(problems.body));
    await waitForState(shop, staff.token, id, 'applied');
  };
  // As the column of the pictures has it.
  const [address = ''] = new RegExp(`https?:[^",]*${FRONT}`).exec(exported) ?? [];
  const addressed = { ...WEIGHT, picture: address };
  await apply(exported.replace(cell, quote(JSON.stringify([addressed, BATTERY]))));
  await waitUntil(async () => JSON.stringify(await readChapters(content.slug)).includes('165 g'));
  assert.deepEqual(await readChapters(content.slug), [{ ...WEIGHT, picture: FRONT }, BATTERY]);

  await apply(`Handle,Image Src\n${content.slug},${address}\n`);
  await waitUntil(async () => !JSON.stringify(await readChapters(content.slug)).includes('back'));
  assert.deepEqual(await readChapters(content.slug), [
    { ...WEIGHT, picture: FRONT },
    { ...BATTERY, picture: null },
  ]);
  await apply(`Handle,Shop / Chapters\n${content.slug},\n`);
  await waitUntil(async () => (await readChapters(content.slug)).length === 0);
});

test('[OPS-12] a chapter of a file that can’t be read is named with its line', async () => {
  const content = await staff.createContent({ pictures, chapters: [BATTERY] });
  await staff.publish(content);
  const check = async (cell: string): Promise<string> => {
    const { id } = await checkCsv(shop, staff.token, `Handle,Shop / Chapters\n${content.slug},${quote(cell)}\n`);
    const { body } = await shop.api('GET', `/imports/${id}/problems`, { token: staff.token });
    assert.equal(textAt(body, 'problems', 0, 'column'), 'Shop / Chapters');
    assert.equal(numberAt(body, 'problems', 0, 'line'), 2);
    return textAt(body, 'problems', 0, 'message');
  };
  assert.match(await check('22 hours'), /^This is not JSON such as/);
  assert.match(await check(JSON.stringify([{ ...BATTERY, figure: '' }])), /^The figure of each chapter is a text of/);
  assert.match(await check(JSON.stringify([{ ...BATTERY, colour: 'x' }])), /^“colour” is none of picture, figure/);
  assert.match(await check(JSON.stringify(Array.from({ length: 7 }, () => BATTERY))), /at most 6 chapters/);
  const foreign = await check(JSON.stringify([{ ...BATTERY, picture: OTHER }]));
  assert.equal(foreign, `“${OTHER}” is none of the pictures of this product`);
  assert.deepEqual(await readChapters(content.slug), [BATTERY]);
});
