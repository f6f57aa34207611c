/** Texts of a product that staff entered, or left empty, on its page. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CatalogueEditor } from './support/catalogue-editor.ts';
import { textAt, valueAt } from './support/read-json.ts';
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
