/** The preview of a product beside its editor. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { signIn, visit } from '../support/buyer.ts';
import { CatalogueEditor } from '../support/catalogue-editor.ts';
import { resize } from '../support/pages/frames.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';
import { waitUntil } from '../support/wait-until.ts';

let shop: TestShop;
let editor: CatalogueEditor;
before(async () => {
  shop = await shareTestShop();
  editor = await CatalogueEditor.open(shop);
});

async function openEditor(name: string) {
  const { id } = await editor.create(await editor.createContent({ name }));
  const { page, close } = await openPage(shop, { width: 1440 });
  await signIn(shop, page, 'staff', 'crypto-market');
  // The document was loaded as another page, whose policy is in force.
  await visit(page, '/admin/products?state=draft');
  await page.getByRole('main').getByRole('link', { name }).first().click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  return { id, page, close };
}

const findToggle = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Preview beside' });
const findTitle = (page: Page, name: string) =>
  page.getByRole('complementary', { name: 'Preview' }).locator('iframe').contentFrame().getByRole('heading', {
    level: 1,
    name,
  });

async function readPolicy(path: string): Promise<string> {
  const response = await fetch(shop.url + path, { redirect: 'manual' });
  await response.arrayBuffer();
  return response.headers.get('content-security-policy') ?? '';
}

test('[OPS-02] the preview beside the editor shows what is saved, and stays chosen', async () => {
  const { page, close } = await openEditor('Long cable');
  const frame = page.locator('iframe');
  assert.equal(await frame.count(), 0);
  await page.getByRole('main').getByLabel('Name', { exact: true }).fill('Longer cable');
  await findToggle(page).click();
  await findTitle(page, 'Long cable').waitFor();
  assert.equal(await frame.evaluate((element) => element.clientWidth), 390);
  // What was typed before is still there.
  await page.getByRole('button', { name: 'Save draft' }).click();
  await findTitle(page, 'Longer cable').waitFor();
  await assertAccessible(page);
  await page.reload();
  await findTitle(page, 'Longer cable').waitFor();
  await resize(page, 1280, 800);
  await frame.waitFor({ state: 'detached' });
  assert.equal(await findToggle(page).count(), 0);
  await resize(page, 1440, 800);
  await findTitle(page, 'Longer cable').waitFor();
  await findToggle(page).click();
  await frame.waitFor({ state: 'detached' });
  await close();
});

test('[OPS-02] the preview comes back from a page that was opened in it', async () => {
  const { id, page, close } = await openEditor('Short cable');
  await findToggle(page).click();
  await findTitle(page, 'Short cable').waitFor();
  const inner = page.frames().find((frame) => frame.url().endsWith('/preview'));
  assert.ok(inner);
  await inner.getByRole('link', { name: 'Catalog', exact: true }).first().click();
  await waitUntil(() => inner.url().endsWith('/catalog'));
  await page.getByRole('main').getByLabel('Name', { exact: true }).fill('Shorter cable');
  await page.getByRole('button', { name: 'Save draft' }).click();
  await findTitle(page, 'Shorter cable').waitFor();
  assert.equal(new URL(inner.url()).pathname, `/admin/products/${id}/preview`);
  await close();
});

test('[OPS-02] only the preview may be framed, and only by the shop itself', async () => {
  const { id } = await editor.create(await editor.createContent({ name: 'Framed cable' }));
  assert.match(await readPolicy(`/admin/products/${id}/preview`), /frame-ancestors 'self';/);
  for (const path of [
    '/',
    `/admin/products/${id}`,
    '/admin/products/preview',
    '/cart',
    `/api/catalogue/products/${id}/preview`,
  ]) {
    assert.match(await readPolicy(path), /frame-ancestors 'none'/, path);
  }
});
