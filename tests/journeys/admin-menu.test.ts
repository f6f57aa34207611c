/** The menu of the back office: a column beside wide pages, a closed menu above narrow ones. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertAccessibleInBothSchemes } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { signIn, visit } from '../support/buyer.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';

const OWN_LINE_PX = 60;

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

async function openAs(username: 'staff' | 'owner', width: number) {
  const opened = await openPage(shop, { width });
  await signIn(shop, opened.page, username, 'crypto-market');
  await visit(opened.page, '/admin/products');
  return { ...opened, menu: opened.page.getByRole('navigation', { name: 'Back office' }) };
}

test('[OPS-01] the menu of a phone opens and closes by keyboard', async () => {
  const { page, menu, close } = await openAs('owner', 390);
  const summary = menu.locator('summary');
  assert.equal(await menu.getByRole('link').count(), 0, 'it is closed');
  assert.ok(((await menu.boundingBox())?.height ?? 0) < 2 * OWN_LINE_PX, 'it takes one line');
  await menu.getByText('Products', { exact: true }).first().waitFor();
  await summary.focus();
  await page.keyboard.press('Enter');
  await menu.getByRole('list', { name: 'Catalogue' }).getByRole('link', { name: 'Brands' }).waitFor();
  await assertAccessibleInBothSchemes(page);
  await menu.getByRole('link', { name: 'Brands' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Brands' }).waitFor();
  await page.waitForFunction(() => document.querySelector('nav[aria-label="Back office"] details[open]') === null);
  await close();
});

test('[OPS-01] the menu of a wide window shows and marks every page', async () => {
  const { page, menu, close } = await openAs('owner', 1440);
  const current = menu.locator('[aria-current=page]');
  assert.deepEqual(await current.allInnerTexts(), ['Products']);
  for (const name of ['Inventory', 'Settings', 'Owner']) {
    await menu.getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    assert.deepEqual(await current.allInnerTexts(), [name]);
  }
  await assertAccessibleInBothSchemes(page);
  await close();
});

test('[OPS-01] the menu of staff has no page of owners', async () => {
  const { menu, close } = await openAs('staff', 1440);
  await menu.getByRole('link', { name: 'Settings' }).waitFor();
  assert.equal(await menu.getByRole('link', { name: 'Owner' }).count(), 0);
  await close();
});
