/** Chapters: staff edit them, and the page of the product shows them. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Locator, Page } from '@playwright/test';
import { assertAccessible, assertAccessibleInBothSchemes } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import type { PageOptions } from '../support/browser.ts';
import { signIn, visit } from '../support/buyer.ts';
import { CatalogueEditor } from '../support/catalogue-editor.ts';
import { watchLayoutShifts } from '../support/pages/layout-shift.ts';
import { valueAt } from '../support/read-json.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';
import { waitUntil } from '../support/wait-until.ts';

let shop: TestShop;
let editor: CatalogueEditor;
before(async () => {
  shop = await shareTestShop();
  editor = await CatalogueEditor.open(shop);
});

const [FRONT, BACK] = ['front', 'back'].map((view) => `/images/products/iphone-air/${view}.avif`);
const pictures = [
  { path: BACK ?? '', alt: 'Its back' },
  { path: FRONT ?? '', alt: 'Its front' },
];

/** The editor of a published product with two pictures and no chapters. */
async function openEditor(options: PageOptions = {}) {
  const content = await editor.createContent({ pictures });
  const { id } = await editor.publish(content);
  const { page, close } = await openPage(shop, { width: 1440, ...options });
  await signIn(shop, page, 'staff', 'crypto-market');
  await visit(page, `/admin/products/${id}`);
  const section = page.getByRole('region', { name: 'Chapters', exact: true });
  const readStored = async () =>
    valueAt((await editor.call('GET', `/products/${id}`)).body, 'product', 'content', 'chapters');
  return {
    content,
    page,
    close,
    section,
    chapter: (at: number) => section.getByRole('group', { name: `Chapter ${at}` }),
    readStored,
  };
}

async function fill(chapter: Locator, [figure, title, sentence]: readonly [string, string, string]): Promise<void> {
  await chapter.getByLabel('Figure').fill(figure);
  await chapter.getByLabel('Title').fill(title);
  await chapter.getByLabel('Sentence').fill(sentence);
}

const publish = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Publish changes' }).click();
  await page.getByText('Published', { exact: true }).first().waitFor();
};
const hasFocus = (element: Locator): Promise<boolean> => element.evaluate((one) => one === document.activeElement);

test('[OPS-02] [PROD-05] staff write chapters by keyboard, and the page shows them', async () => {
  const { content, page, close, section, chapter } = await openEditor();
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Chapters' }).click();
  await section.getByText('No chapters yet.', { exact: false }).waitFor();
  await section.getByRole('button', { name: 'Add chapter' }).focus();
  await page.keyboard.press('Enter');
  await waitUntil(() => hasFocus(chapter(1).getByLabel('Figure')));
  await page.keyboard.type('22 hours');
  await page.keyboard.press('Tab');
  await page.keyboard.type('of video');
  await page.keyboard.press('Tab');
  await page.keyboard.type('A whole day.');
  await page.keyboard.press('Tab');
  assert.ok(await hasFocus(chapter(1).getByRole('radio', { name: 'No picture' })));
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  assert.ok(await chapter(1).getByRole('radio', { name: 'Its front' }).isChecked());

  await section.getByRole('button', { name: 'Add chapter' }).click();
  await fill(chapter(2), ['48 MP', 'in two cameras', 'Sharp up to the edge.']);
  await chapter(2).getByRole('radio', { name: 'Its back' }).check();
  await chapter(2).getByRole('button', { name: 'Move up' }).focus();
  await page.keyboard.press('Enter');
  await waitUntil(async () => (await chapter(1).getByLabel('Figure').inputValue()) === '48 MP');
  await assertAccessibleInBothSchemes(page);
  await publish(page);
  await visit(page, `/catalog/product/${content.slug}`);
  const headings = page.getByRole('heading', { level: 2 });
  assert.deepEqual((await headings.allInnerTexts()).slice(0, 2), ['48 MP\nin two cameras', '22 hours\nof video']);
  await page.getByRole('listitem').filter({ hasText: '22 hours' }).getByRole('img', { name: 'Its front' }).waitFor();
  await close();
});

test('[OPS-02] each problem of a chapter is at its field, and the first has the focus', async () => {
  const { page, close, section, chapter, readStored } = await openEditor({ width: 390, expectedStatuses: [400] });
  await section.getByRole('button', { name: 'Add chapter' }).click();
  await page.getByRole('button', { name: 'Publish changes' }).click();
  await section.getByText('Enter a figure, such as 22 hours').waitFor();
  await waitUntil(() => hasFocus(chapter(1).getByLabel('Figure')));
  await fill(chapter(1), ['f'.repeat(30), 'of video', 'A whole day.']);
  await section.getByText('Maximum 24 characters. Remove 6.').waitFor();
  assert.equal(await section.getByText('Enter a sentence').count(), 0);
  // What only the shop finds: a title that nobody sees.
  await fill(chapter(1), ['22 hours', '\u200B', 'A whole day.']);
  await page.getByRole('button', { name: 'Publish changes' }).click();
  await section.getByText('Is required.').waitFor();
  await waitUntil(() => hasFocus(chapter(1).getByLabel('Title')));
  assert.deepEqual(await readStored(), []);
  await assertAccessible(page);
  await section.getByRole('button', { name: 'Remove chapter 1' }).click();
  await section.getByText('No chapters yet.', { exact: false }).waitFor();
  await publish(page);
  await close();
});

test('[OPS-02] a chapter has no picture once it is removed, and has it again after an undo', async () => {
  const { page, close, section, chapter, readStored } = await openEditor();
  await section.getByRole('button', { name: 'Add chapter' }).click();
  await fill(chapter(1), ['22 hours', 'of video', 'A whole day.']);
  const front = chapter(1).getByRole('radio', { name: 'Its front' });
  await front.check();
  const list = page.getByRole('region', { name: 'Pictures', exact: true });
  await list.getByRole('button', { name: 'Remove picture 2' }).click();
  await front.waitFor({ state: 'detached' });
  assert.ok(await chapter(1).getByRole('radio', { name: 'No picture' }).isChecked());
  await list.getByRole('button', { name: 'Undo' }).click();
  await front.waitFor();
  assert.ok(await front.isChecked());
  await list.getByRole('button', { name: 'Remove picture 2' }).click();
  await publish(page);
  assert.deepEqual(await readStored(), [
    { picture: null, figure: '22 hours', title: 'of video', sentence: 'A whole day.' },
  ]);
  await close();
});

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The picture and the text of each chapter, scrolled into view one after the other. */
const listBoxes = (page: Page): Promise<readonly { readonly picture: Box; readonly text: Box }[]> =>
  page.locator('main ul', { has: page.getByRole('heading', { level: 2 }) }).evaluate(async (list) => {
    const boxes = [];
    for (const item of list.children) {
      item.scrollIntoView({ block: 'center' });
      const image = item.querySelector('img');
      await image?.decode();
      const [picture, text] = [image?.parentElement, item.querySelector('h2')].map((one) => {
        const { left, right, top, bottom } = one?.getBoundingClientRect() ?? new DOMRect();
        return { left, right, top: top + scrollY, bottom: bottom + scrollY };
      });
      if (picture && text) boxes.push({ picture, text });
    }
    return boxes;
  });

for (const [width, colorScheme] of [
  [390, 'dark'],
  [1440, 'light'],
] as const) {
  test(`[PROD-05] chapters at ${width} px: pictures beside or above texts, without a shift`, async () => {
    const { page, close } = await openPage(shop, { width, height: 900, colorScheme });
    const readShifts = await watchLayoutShifts(page);
    await page.goto('/catalog/product/iphone-17-pro');
    const boxes = await listBoxes(page);
    assert.equal(boxes.length, 3);
    const sides = boxes.map(({ picture, text }) => {
      if (text.top >= picture.bottom) return 'above';
      return picture.left > text.left ? 'right' : 'left';
    });
    assert.deepEqual(sides, width === 390 ? ['above', 'above', 'above'] : ['right', 'left', 'right']);
    for (const { picture } of boxes) assert.ok(picture.left >= 0 && picture.right <= width);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
    assert.deepEqual(await readShifts(), []);
    await assertAccessible(page);
    await close();
  });
}

test('[PROD-05] chapters of the longest texts fit a phone', async () => {
  const most = { picture: BACK, figure: '2'.repeat(24), title: 't'.repeat(60), sentence: 'word '.repeat(48).trim() };
  const content = await editor.createContent({ pictures, chapters: [most, { ...most, picture: null }] });
  await editor.publish(content);
  const { page, close } = await openPage(shop, { width: 390, javaScript: false });
  await page.goto(`/catalog/product/${content.slug}`);
  assert.equal(await page.getByRole('heading', { name: most.figure, exact: false }).count(), 2);
  assert.equal(await page.locator('html').evaluate((html) => html.scrollWidth), 390);
  await close();
});
