/** The library of pictures, in a browser. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Locator, Page } from '@playwright/test';
import { openPage } from '../support/browser.ts';
import { signIn } from '../support/buyer.ts';
import { makeHostileFiles, makePicture } from '../support/hostile-pictures.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { waitUntil } from '../support/wait-until.ts';

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

interface Chosen {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}
const choose = async (name: string, seed: number): Promise<Chosen> => ({
  name,
  mimeType: 'image/png',
  buffer: await makePicture('png', { width: 120 + seed, height: 90, seed }),
});
const openLibrary = async (page: Page): Promise<void> => {
  await signIn(shop, page, 'staff', 'crypto-market');
  await page.goto('/admin/pictures');
};
const getInput = (page: Page): Locator => page.locator('input[type="file"]');
const getField = (page: Page): Locator => page.getByRole('group', { name: 'New pictures' });
const getAltFields = (page: Page): Locator => getField(page).getByLabel(/^Alternative text of picture/);
/** Waits for uploads: the shop converts each picture to several sizes and formats. */
const waitForPictures = (page: Page, count: number): Promise<void> =>
  waitUntil(async () => (await getAltFields(page).count()) === count);
const readPaths = (page: Page): Promise<string[]> =>
  getField(page)
    .locator('ol img')
    .evaluateAll((pictures) => pictures.map((picture) => picture.getAttribute('src') ?? ''));

test('[OPS-02] staff upload several pictures and save their texts', async () => {
  const { page, close } = await openPage(shop);
  await openLibrary(page);
  await page.getByText('There are no uploaded pictures.').waitFor();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Add pictures' }).click();
  await (await chooser).setFiles([await choose('a.png', 1), await choose('b.png', 2), await choose('c.png', 3)]);
  await waitForPictures(page, 3);
  for (const [at, text] of ['Front', 'Back', 'Box'].entries()) await getAltFields(page).nth(at).fill(text);
  await page.getByRole('button', { name: 'Save alternative texts' }).click();
  await page.getByText('The alternative texts were saved').waitFor();
  const library = page.getByRole('region', { name: 'Library' });
  await library.getByText('3 pictures').waitFor();
  const readTexts = () =>
    library
      .getByLabel('Alternative text')
      .evaluateAll((fields) => fields.map((field) => (field instanceof HTMLInputElement ? field.value : '')));
  // The library is read again after the texts are saved.
  await waitUntil(async () => (await readTexts()).toSorted().join() === 'Back,Box,Front');
  await close();
});

test('[OPS-02] pictures are ordered by keyboard and by drag', async () => {
  const { page, close } = await openPage(shop);
  await openLibrary(page);
  await getInput(page).setInputFiles([await choose('d.png', 11), await choose('e.png', 12), await choose('f.png', 13)]);
  await waitForPictures(page, 3);
  const [first = '', second = '', third = ''] = await readPaths(page);
  await page.getByRole('button', { name: 'Move picture 1 later' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Moved to position 2 of 3').waitFor({ state: 'attached' });
  await page.keyboard.press('Enter');
  await page.getByText('Moved to position 3 of 3').waitFor({ state: 'attached' });
  assert.deepEqual(await readPaths(page), [second, third, first]);
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Move picture 3 earlier');
  const pictures = getField(page).locator('ol > li');
  await pictures.nth(2).locator('[draggable]').dragTo(pictures.nth(0));
  await page.getByText('Moved to position 1 of 3').waitFor({ state: 'attached' });
  assert.deepEqual(await readPaths(page), [first, second, third]);
  await close();
});

test('[OPS-02] the focus follows a moved picture while another one is added', async () => {
  const { page, close } = await openPage(shop);
  await openLibrary(page);
  await getInput(page).setInputFiles([await choose('i.png', 41), await choose('j.png', 42)]);
  await waitForPictures(page, 2);
  // Moves the first picture at once when the third one appears: React still has effects to run then.
  await getField(page).evaluate((field) => {
    new MutationObserver((_, observer) => {
      if (field.querySelectorAll('ol > li').length < 3) return;
      observer.disconnect();
      field.querySelector<HTMLElement>('[aria-label="Move picture 1 later"]')?.click();
    }).observe(field, { childList: true, subtree: true });
  });
  await getInput(page).setInputFiles([await choose('k.png', 43)]);
  await page.getByText('Moved to position 2 of 3').waitFor({ state: 'attached' });
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Move picture 2 later');
  await close();
});

test('[OPS-02] a removed picture comes back in its place', async () => {
  const { page, close } = await openPage(shop);
  await openLibrary(page);
  await getInput(page).setInputFiles([await choose('g.png', 21), await choose('h.png', 22)]);
  await waitForPictures(page, 2);
  const paths = await readPaths(page);
  await page.getByRole('button', { name: 'Remove picture 1' }).click();
  assert.deepEqual(await readPaths(page), paths.slice(1));
  await page.keyboard.press('Enter');
  await page.getByText('The picture is back').waitFor({ state: 'attached' });
  assert.deepEqual(await readPaths(page), paths);
  await close();
});

test('[OPS-02] files dropped on the page are uploaded, bad ones explained', async () => {
  const { page, close } = await openPage(shop, { expectedStatuses: [400] });
  await openLibrary(page);
  const [, , svg] = (await makeHostileFiles())[0] ?? assert.fail();
  const good = (await choose('good.png', 31)).buffer;
  const transfer = await page.evaluateHandle(
    (files) => {
      const dropped = new DataTransfer();
      for (const { name, base64 } of files) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        dropped.items.add(new File([bytes], name, { type: 'image/png' }));
      }
      return dropped;
    },
    [
      { name: 'bad.png', base64: svg.toString('base64') },
      { name: 'good.png', base64: good.toString('base64') },
    ],
  );
  await getField(page).getByText('or drop files here').dispatchEvent('drop', { dataTransfer: transfer });
  await waitForPictures(page, 1);
  const uploads = page.getByRole('list', { name: 'Uploads' });
  await uploads.getByText('The file is not a JPEG, PNG, WebP, AVIF or GIF picture.').waitFor();
  assert.equal(await uploads.getByRole('listitem').count(), 1);
  await page.getByRole('button', { name: 'Dismiss: bad.png' }).click();
  await uploads.waitFor({ state: 'detached' });
  await close();
});

test('[OPS-02] a file above the limit is refused before it is sent', async () => {
  const { page, close } = await openPage(shop);
  await openLibrary(page);
  // The browser reads the file itself: its content would take long to reach it.
  const directory = await mkdtemp(join(tmpdir(), 'shop-huge-'));
  const file = join(directory, 'huge.gif');
  await writeFile(file, '');
  await truncate(file, 21 * 1024 * 1024);
  await getInput(page).setInputFiles(file);
  await page.getByText('The file has 21 MB. The limit is 20 MB.').waitFor();
  await close();
  await rm(directory, { recursive: true });
});

test('[OPS-02] staff delete an unused picture from the library', async () => {
  const { page, close } = await openPage(shop);
  await openLibrary(page);
  const library = page.getByRole('region', { name: 'Library' });
  await library.getByRole('listitem').first().waitFor();
  const count = await library.locator('li:has(img)').count();
  await library.getByRole('button', { name: 'Delete' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('The picture was deleted').waitFor();
  await waitUntil(async () => (await library.locator('li:has(img)').count()) === count - 1);
  await close();
});
