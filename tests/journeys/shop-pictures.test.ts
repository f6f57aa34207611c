/** Logo, icon and hero in the browser: uploaded, or chosen from the library. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { assertAccessibleInBothSchemes } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { signIn, visit } from '../support/buyer.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { saveScreenshots } from '../support/screenshots.ts';

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

async function openAs(username: 'staff' | 'owner', path: string, expectedStatuses: number[] = []) {
  const opened = await openPage(shop, { width: 1440, height: 900, expectedStatuses });
  await signIn(shop, opened.page, username, 'crypto-market');
  await visit(opened.page, path);
  return opened;
}
async function makeLogo(text: string) {
  const svg = `<svg width="512" height="128"><text x="0" y="96" font-size="96" fill="#e33">${text}</text></svg>`;
  return { name: `${text}.png`, mimeType: 'image/png', buffer: await sharp(Buffer.from(svg)).png().toBuffer() };
}
const getSection = (page: Page, name: string) => page.getByRole('main').getByRole('region', { name, exact: true });

test('[OPS-07] an owner uploads a logo and chooses it as the icon', async () => {
  const { page, close } = await openAs('owner', '/admin/settings');
  const identity = getSection(page, 'Identity');
  await identity.getByRole('button', { name: 'Choose from library for Logo' }).click();
  await page.getByRole('dialog').getByText('There are no uploaded pictures.').waitFor();
  await page.keyboard.press('Escape');
  await identity
    .getByRole('group', { name: 'Logo' })
    .locator('input[type=file]')
    .setInputFiles(await makeLogo('Bits'));
  await identity.getByRole('button', { name: 'Remove picture' }).waitFor();
  for (const scheme of ['light', 'dark']) {
    const preview = identity.getByRole('figure', { name: `Preview of the header, ${scheme}` });
    await preview.getByRole('img', { name: 'Crypto Market' }).waitFor();
  }
  const choose = identity.getByRole('button', { name: 'Choose from library for Icon' });
  await choose.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Picture library' });
  await dialog.getByRole('button', { name: 'Choose this picture' }).waitFor();
  await assertAccessibleInBothSchemes(page);
  await saveScreenshots(page, 'library-dialog');
  await dialog.getByRole('button', { name: 'Choose this picture' }).focus();
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('main').getByText('Unsaved changes').waitFor();
  await saveScreenshots(page, 'settings-pictures');
  await assertAccessibleInBothSchemes(page);
  await page.getByRole('main').getByRole('button', { name: 'Save' }).click();
  await page.getByText('General saved').first().waitFor();
  await visit(page, '/contact');
  const logo = page.getByRole('banner').getByRole('img', { name: 'Crypto Market' });
  assert.match((await logo.getAttribute('src')) ?? '', /^\/api\/images\/uploads\/[0-9a-f]{40}-320\.avif$/);
  await page.waitForFunction(() =>
    [...document.images].some(({ alt, naturalWidth }) => alt !== '' && naturalWidth > 0),
  );
  assert.equal(await page.locator('link[rel="apple-touch-icon"]').count(), 1);
  await visit(page, '/admin/pictures');
  await page.getByRole('link', { name: 'Logo of the shop' }).waitFor();
  await page.getByRole('link', { name: 'Icon of the shop' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Delete' }).count(), 0);
  await close();
});

test('[OPS-07] staff choose the picture of the hero, with a preview', async () => {
  const { page, close } = await openAs('staff', '/admin/content');
  await page.getByRole('heading', { level: 2, name: 'Hero', exact: true }).click();
  const hero = page.locator('details[open]');
  await hero.getByRole('button', { name: 'Choose from library for Picture' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Choose this picture' }).first().click();
  await hero.getByLabel('Alternative text').fill('A red word');
  await hero.locator('[inert] img[alt="A red word"]').waitFor();
  await saveScreenshots(page, 'content-hero');
  await assertAccessibleInBothSchemes(page);
  await hero.getByRole('button', { name: 'Save hero' }).click();
  await page.getByText('Hero saved').waitFor();
  await page.goto('/');
  const picture = page.getByRole('img', { name: 'A red word' });
  assert.match((await picture.getAttribute('srcset')) ?? '', /-320\.avif 320w, .*-2048\.avif 2048w$/);
  await close();
});

test('[OPS-07] a logo deleted meanwhile is refused beside its focused field', async () => {
  const { page, close } = await openAs('owner', '/admin/settings', [400]);
  const identity = getSection(page, 'Identity');
  const logo = identity.getByRole('group', { name: 'Logo' });
  await logo.locator('input[type=file]').setInputFiles(await makeLogo('Gone'));
  await page.getByRole('main').getByText('Unsaved changes').waitFor();
  const other = await openAs('staff', '/admin/pictures');
  await other.page.getByRole('button', { name: 'Delete' }).first().click();
  await other.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await other.page.getByText('The picture was deleted').first().waitFor();
  await other.close();
  await page.getByRole('main').getByRole('button', { name: 'Save' }).click();
  await logo.getByText('Logo is not a picture of the library. Choose it again').waitFor();
  assert.ok(await logo.evaluate((field) => field.contains(document.activeElement)));
  await close();
});
