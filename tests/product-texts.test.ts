/** Texts of a product that staff entered, or left empty, on its page. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import './support/built-pages.ts';
import { CatalogueEditor, readErrorCode } from './support/catalogue-editor.ts';
import { checkCsv, waitForState } from './support/imports/upload.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: TestShop;
let staff: CatalogueEditor;
before(async () => {
  shop = await startTestShop();
  staff = await CatalogueEditor.open(shop);
});
after(() => shop.stop());

const readPage = async (slug: string): Promise<string> => (await fetch(`${shop.url}/catalog/product/${slug}`)).text();

test('[OPS-02] the product page has the entered alternative text of a picture', async () => {
  const [front, back] = ['/images/products/iphone-air/front.avif', '/images/products/iphone-air/back.avif'];
  const content = await staff.createContent({
    pictures: [
      { path: back, alt: 'A white cable, rolled up' },
      { path: front, alt: '' },
    ],
  });
  const { id } = await staff.publish(content);
  assert.deepEqual(valueAt((await shop.api('GET', `/products/${content.slug}`)).body, 'picture_alts'), {
    [back]: 'A white cable, rolled up',
  });
  const page = await readPage(content.slug);
  assert.match(page, /alt="A white cable, rolled up"/);
  assert.match(page, new RegExp(`alt="${content.name}, picture 2 of 2"`), 'the other one has the default');
  const preview = await staff.call('GET', `/products/${id}/preview`);
  assert.equal(textAt(preview.body, 'product', 'picture_alts', back), 'A white cable, rolled up');
});

test('[OPS-02] a product without texts has no empty section', async () => {
  const content = await staff.createContent({ description: '', sub_description: '' });
  await staff.publish(content);
  const page = await readPage(content.slug);
  assert.doesNotMatch(page, new RegExp(`About ${content.name}|"description":""`));
  assert.match(page, new RegExp(`content="${content.name}\\. From `));
});

const MARKDOWN = [
  'Made of **steel**, see [our terms](/terms).',
  '# In the box',
  '- One cable',
  '- One *bag*',
  '## <b>Care</b>',
  '<script>alert(1)</script> [bad](javascript:alert(1))',
].join('\n\n');
const PLAIN = [
  'Made of steel, see our terms.',
  'In the box',
  '• One cable\n• One bag',
  '<b>Care</b>',
  '<script>alert(1)</script> [bad](javascript:alert(1))',
].join('\n\n');

const readProduct = async (slug: string) => (await shop.api('GET', `/products/${slug}`)).body;
/** The description on the page of a product. */
const readAbout = async (slug: string): Promise<string> =>
  /<h2 id="about-title">.*?<\/h2>(.*?)<\/section>/s.exec(await readPage(slug))?.[1] ?? '';

test('[OPS-02] the page shows a description in Markdown, all else its plain text', async () => {
  const content = await staff.createContent({ description: '', description_markdown: MARKDOWN });
  const { id, product } = await staff.publish(content);
  assert.equal(textAt(product, 'content', 'description_markdown'), MARKDOWN);
  assert.equal(textAt(product, 'content', 'description'), PLAIN);
  assert.equal(textAt(await readProduct(content.slug), 'description'), PLAIN);

  const about = (await readAbout(content.slug)).replaceAll(/<!--.*?-->| class="[^"]*"| data-discover="true"/g, '');
  for (const part of [
    '<p>Made of <strong>steel</strong>, see <a href="/terms">our terms</a>.</p>',
    '<h3>In the box</h3><ul><li>',
    '<em>bag</em>',
    '<h4>&lt;b&gt;Care&lt;/b&gt;</h4>',
    '<p>&lt;script&gt;alert(1)&lt;/script&gt; ',
  ])
    assert.ok(about.includes(part), `${part} in ${about}`);
  assert.doesNotMatch(about, /<script|href="javascript/);
  const page = await readPage(content.slug);
  const data = /<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/s.exec(page)?.[1] ?? '';
  assert.ok(data.includes('Made of steel, see our terms.') && !data.includes('**'), data);
  const feed = await (await fetch(`${shop.url}/products.xml`)).text();
  assert.match(feed, /Made of steel, see our terms\./);

  const preview = await staff.call('GET', `/products/${id}/preview`);
  assert.deepEqual(
    valueAt(preview.body, 'product', 'description_elements'),
    valueAt(await readProduct(content.slug), 'description_elements'),
  );
  const typed = await staff.call('POST', '/description-preview', { markdown: '# One\n\n*two*' });
  assert.deepEqual(listAt(typed.body, 'elements'), [
    { tag: 'h3' },
    'One',
    null,
    { tag: 'p' },
    { tag: 'em' },
    'two',
    null,
    null,
  ]);
});

test('[OPS-02] refuses a description that is too complex beside the field', async () => {
  const content = await staff.createContent({ description_markdown: '# a\n'.repeat(5_000) });
  const refused = await staff.call('POST', '/products', content);
  assert.equal(readErrorCode(refused), '400 invalid');
  assert.match(textAt(refused.body, 'error', 'fields', 'description_markdown'), /^The description has too many/);
  const preview = await staff.call('POST', '/description-preview', { markdown: '# a\n'.repeat(5_000) });
  assert.match(textAt(preview.body, 'error', 'fields', 'markdown'), /^has too many/);
  const long = await staff.call('POST', '/products', { ...content, description_markdown: 'a'.repeat(20_001) });
  assert.equal(readErrorCode(long), '400 invalid');
  assert.equal((await shop.api('GET', `/products/${content.slug}`)).status, 404);
});

test('[OPS-02] a plain description is shown as it was entered', async () => {
  const description = '# 5 * 3 _and_ **this**\nsecond line\n\n- <b>no list</b>';
  const content = await staff.createContent({ description });
  const { id, version } = await staff.publish(content);
  const about = await readAbout(content.slug);
  assert.match(about, /# 5 \* 3 _and_ \*\*this\*\*\nsecond line<\/p><p[^>]*>- &lt;b&gt;no list&lt;\/b&gt;<\/p>/);
  assert.equal(valueAt(await readProduct(content.slug), 'description_elements'), null);
  const same = { ...content, description_markdown: null };
  assert.equal(readErrorCode(await staff.save(id, { version, publish: true, content: same })), '200');
  assert.equal(await readAbout(content.slug), about);
});

test('[OPS-02] what was changed of a description applies', async () => {
  const content = await staff.createContent({ description: '', description_markdown: '**One**' });
  const { id, version } = await staff.publish(content);
  let last = version;
  const save = async (changes: object, publish = true) => {
    const saved = await staff.save(id, { version: last, publish, content: { ...content, ...changes } });
    assert.equal(readErrorCode(saved), '200');
    last = numberAt(saved.body, 'product', 'version');
    return [
      textAt(saved.body, 'product', 'content', 'description'),
      valueAt(saved.body, 'product', 'content', 'description_markdown'),
    ];
  };
  // As clients send it that do not know Markdown.
  assert.deepEqual(await save({ description: 'One', description_markdown: undefined, name: 'Renamed' }), [
    'One',
    '**One**',
  ]);
  assert.match(await readAbout(content.slug), /<strong>One<\/strong>/);
  assert.deepEqual(await save({ description: 'One', description_markdown: '*Draft*' }, false), ['Draft', '*Draft*']);
  assert.match(await readAbout(content.slug), /<strong>One<\/strong>/, 'a draft is not shown');
  assert.deepEqual(await save({ description: 'Draft', description_markdown: '*Draft*' }), ['Draft', '*Draft*']);
  assert.match(await readAbout(content.slug), /<em>Draft<\/em>/);
  assert.deepEqual(await save({ description: 'Changed', description_markdown: '*Draft*' }), ['Changed', null]);
  assert.match(await readAbout(content.slug), /<p[^>]*>Changed<\/p>/);
  assert.deepEqual(await save({ description: 'Changed', description_markdown: '*New*' }), ['New', '*New*']);
  const copy = await staff.call('POST', `/products/${id}/duplicate`);
  assert.equal(textAt(copy.body, 'product', 'content', 'description_markdown'), '*New*');

  const audit = await shop.api('GET', `/support/audit?subject_id=${id}`, { token: staff.token });
  assert.match(JSON.stringify(audit.body), /"Description markdown","before":"\*\*One\*\*","after":"\*Draft\*"/);
});

/** What is listed in the box on the page of a product; null without the section. */
async function readBox(slug: string): Promise<readonly string[] | null> {
  const section = /<h2 id="box-title">In the box<\/h2><\/div><ul[^>]*>(.*?)<\/ul>/s.exec(await readPage(slug));
  return section && [...(section[1] ?? '').matchAll(/<li[^>]*>(.*?)<\/li>/gs)].map(([, text = '']) => text);
}

test('[OPS-02] [PROD-05] the page lists what is in the box', async () => {
  const content = await staff.createContent({ in_the_box: 'Phone\r\n\n  Cable, 1 m \nCable, 1 m' });
  const { id } = await staff.publish(content);
  assert.deepEqual(await readBox(content.slug), ['Phone', 'Cable, 1 m']);
  const preview = await staff.call('GET', `/products/${id}/preview`);
  assert.deepEqual(valueAt(preview.body, 'product', 'in_the_box'), ['Phone', 'Cable, 1 m']);
  const other = await staff.createContent({});
  await staff.publish(other);
  assert.equal(await readBox(other.slug), null);
  const refused = await staff.call('POST', '/products', { ...other, in_the_box: 'x'.repeat(2001) });
  assert.equal(refused.status, 400);
  assert.match(JSON.stringify(valueAt(refused.body, 'error', 'fields')), /in_the_box/);
});

test('[OPS-12] a file of products has what is in the box', async () => {
  const content = await staff.createContent({ in_the_box: 'Phone\nCable' });
  await staff.publish(content);
  const path = `/exports/products?q=${content.article}`;
  const exported = String((await shop.api('GET', path, { token: staff.token })).body);
  assert.match(exported, /Shop \/ In The Box/);
  const changed = exported.replace('Phone\nCable', 'Phone\nBag');
  assert.notEqual(changed, exported);
  const { id } = await checkCsv(shop, staff.token, changed);
  assert.equal((await shop.api('POST', `/imports/${id}/apply`, { token: staff.token, body: {} })).status, 200);
  await waitForState(shop, staff.token, id, 'applied');
  await waitUntil(async () => (await readBox(content.slug))?.at(1) === 'Bag');
});

test('[OPS-12] an unchanged export keeps the Markdown, another text replaces it', async () => {
  const content = await staff.createContent({
    description: '',
    description_markdown: '# Box\n\n- One\n- *Two* & more',
  });
  await staff.publish(content);
  const about = await readAbout(content.slug);
  assert.match(about, /<em>Two<\/em>/);
  const exported = String(
    (await shop.api('GET', `/exports/products?q=${content.article}`, { token: staff.token })).body,
  );
  assert.match(exported, /<p>Box<\/p><p>• One<br>• Two &amp; more<\/p>/);
  const importFile = async (file: string, problems: RegExp): Promise<void> => {
    const { id } = await checkCsv(shop, staff.token, file);
    const notices = await shop.api('GET', `/imports/${id}/problems`, { token: staff.token });
    assert.match(JSON.stringify(notices.body), problems);
    assert.equal((await shop.api('POST', `/imports/${id}/apply`, { token: staff.token, body: {} })).status, 200);
    await waitForState(shop, staff.token, id, 'applied');
  };
  const priced = exported.replace('19.99', '20.99');
  assert.notEqual(priced, exported);
  await importFile(priced, /"problems":\[\]/);
  await waitUntil(async () => numberAt(await readProduct(content.slug), 'base_price_in_usd') === 20.99);
  assert.equal(await readAbout(content.slug), about);

  await importFile(
    priced.replace('<p>Box</p>', '<p>Bag</p>'),
    /The text of the file replaces the Markdown of the shop/,
  );
  await waitUntil(async () => textAt(await readProduct(content.slug), 'description').startsWith('Bag'));
  assert.equal(valueAt(await readProduct(content.slug), 'description_elements'), null);
  assert.match(await readAbout(content.slug), /<p[^>]*>Bag<\/p>/);
});
