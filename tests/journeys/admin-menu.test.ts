/** The shell of the back office: header, rail, tabs, and the bar of phones. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertAccessibleInBothSchemes } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { logIn, signIn, visit } from '../support/buyer.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

async function openAs(username: 'staff' | 'owner', width: number, path = '/admin/products') {
  const opened = await openPage(shop, { width });
  const { page } = opened;
  await signIn(shop, page, username, 'crypto-market');
  await visit(page, path);
  return {
    ...opened,
    rail: page.getByRole('navigation', { name: 'Back office', exact: true }),
    tabs: page.getByRole('navigation', { name: /^Pages of/ }),
    bar: page.getByRole('navigation', { name: 'Back office on phones' }),
  };
}

const ENTRIES = ['Home', 'Orders', 'Products', 'Inventory', 'Customers', 'Support', 'Marketing', 'Reports', 'Settings'];

test('[OPS-30] the rail has nine entries and marks the one whose page is open', async () => {
  const { page, rail, tabs, close } = await openAs('owner', 1440);
  assert.deepEqual(await rail.getByRole('link').allInnerTexts(), ENTRIES);
  const current = page.locator('nav [aria-current]:visible');
  assert.deepEqual(await current.allInnerTexts(), ['Products', 'Products']);
  await tabs.getByRole('link', { name: 'Brands' }).click();
  await page.getByRole('heading', { level: 1, name: 'Brands' }).waitFor();
  assert.deepEqual(await current.allInnerTexts(), ['Products', 'Brands']);
  await rail.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('heading', { level: 1, name: 'General' }).waitFor();
  assert.deepEqual(await current.allInnerTexts(), ['Settings', 'General']);
  await tabs.getByRole('link', { name: 'Integrations' }).click();
  await page.getByRole('link', { name: 'Manage API keys' }).click();
  await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
  assert.deepEqual(await current.allInnerTexts(), ['Settings', 'Integrations']);
  await assertAccessibleInBothSchemes(page);
  await close();
});

test('[OPS-30] the rail stays in view, and nothing of the shop is around the page', async () => {
  const { page, rail, close } = await openAs('owner', 1440, '/admin/settings');
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  const { y = -1, height = 0 } = (await rail.boundingBox()) ?? {};
  assert.ok(y >= 0 && y + height <= (page.viewportSize()?.height ?? 0), 'the whole rail is in view');
  assert.equal(await page.getByRole('contentinfo').count(), 0, 'no footer');
  for (const name of ['Shop', 'Main', 'Cart and account']) {
    assert.equal(await page.getByRole('navigation', { name, exact: true }).count(), 0, name);
  }
  assert.equal(await page.getByRole('combobox', { name: 'Search', exact: true }).count(), 0, 'no search of the shop');
  assert.equal(await page.getByRole('main').count(), 1);
  await close();
});

test('[OPS-30] a phone has four entries and the others behind a button', async () => {
  const { page, rail, bar, close } = await openAs('owner', 390);
  assert.ok(!(await rail.isVisible()));
  assert.deepEqual(await bar.getByRole('link').allInnerTexts(), ['Home', 'Orders', 'Products', 'Support']);
  const more = bar.getByRole('button', { name: 'More' });
  await more.focus();
  await page.keyboard.press('Enter');
  await bar.getByRole('link', { name: 'Reports' }).waitFor();
  await assertAccessibleInBothSchemes(page);
  await bar.getByRole('link', { name: 'Reports' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Sales' }).waitFor();
  await bar.getByRole('link', { name: 'Reports' }).waitFor({ state: 'hidden' });
  await close();
});

test('[OPS-30] staff have no page of owners among their tabs', async () => {
  const { tabs, close } = await openAs('staff', 1440, '/admin/settings');
  await tabs.getByRole('link', { name: 'Tax' }).waitFor();
  assert.equal(await tabs.getByRole('link', { name: 'Team' }).count(), 0);
  await close();
});

test('[OPS-30] the header says what waits, and logs out', async () => {
  const { page, close } = await openAs('owner', 1440, '/admin');
  const header = page.getByRole('banner');
  await header.getByRole('button', { name: /What waits/ }).click();
  await header.getByText('Nothing waits.').waitFor();
  await header.getByRole('link', { name: 'View shop' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search the back office' }).fill('tax');
  await page.getByRole('dialog').getByRole('option').first().click();
  await page.getByLabel('Name of the tax').fill('Half typed');
  const listKept = () => page.evaluate(() => Object.keys(sessionStorage).filter((key) => /draft|search/.test(key)));
  assert.equal((await listKept()).length, 2, 'unsaved changes, and what was opened last');
  await header.getByRole('button', { name: 'Owner' }).click();
  await header.getByRole('button', { name: 'Log out' }).click();
  await page.waitForURL('**/login');
  assert.deepEqual(await listKept(), [], 'the next person at this computer finds nothing');
  await page.goto('/admin');
  await page.waitForURL('**/login?to=%2Fadmin');
  await close();
});

test('[OPS-30] one search finds pages, products and customers by keyboard', async () => {
  const { page, close } = await openAs('owner', 390, '/admin');
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Search the back office' });
  const options = page.getByRole('dialog').getByRole('option');
  await field.fill('brand');
  await options.filter({ hasText: 'Brands' }).waitFor();
  await field.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Brands' }).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });

  await page.getByRole('banner').getByRole('button', { name: 'Search' }).click();
  assert.deepEqual(await options.allInnerTexts(), ['Brands\nProducts\nPages'], 'what was opened last');
  await field.fill('alice');
  await options.filter({ hasText: 'Customers' }).waitFor();
  await assertAccessibleInBothSchemes(page);
  await field.fill('macbook');
  const [first, second] = [options.nth(0), options.nth(1)];
  await second.waitFor();
  await field.press('ArrowDown');
  assert.equal(await second.getAttribute('aria-selected'), 'true');
  assert.equal(await field.getAttribute('aria-activedescendant'), await second.getAttribute('id'));
  await field.press('ArrowUp');
  const name = (await first.innerText()).split('\n')[0] ?? '';
  await field.press('Enter');
  await page.getByRole('heading', { level: 1, name }).waitFor();

  await page.keyboard.press('Control+k');
  await field.fill('no such thing');
  await page.getByText('Nothing found.').waitFor();
  await close();
});

test('[OPS-30] the search shows a role only what it may use', async () => {
  const { page, close } = await openAs('staff', 1440, '/admin');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search the back office' }).fill('o');
  const options = page.getByRole('dialog').getByRole('option');
  await options.filter({ hasText: 'Orders to ship' }).waitFor();
  assert.equal(
    await options.filter({ hasText: 'Customers' }).filter({ hasText: '@' }).count(),
    0,
    'one letter asks for nobody',
  );
  assert.equal(await options.filter({ hasText: 'Owner' }).count(), 0);
  await close();
});

test('[OPS-30] members of the team land in the back office after login', async () => {
  const { page, close } = await openPage(shop, { width: 1440 });
  await visit(page, '/login');
  await logIn(page, 'staff', 'crypto-market');
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  assert.equal(new URL(page.url()).pathname, '/admin');
  await close();
});

test('[OPS-30] a page that a role may not use says so in the shell, with status 404', async () => {
  const { page, rail, expectStatuses, close } = await openAs('staff', 1440);
  expectStatuses([404]);
  for (const path of ['/admin/owner', '/admin/no-such-page']) {
    assert.equal((await page.goto(path))?.status(), 404, path);
    await page.getByRole('heading', { level: 1, name: 'This page is not here' }).waitFor();
    await rail.getByRole('link', { name: 'Orders' }).waitFor();
  }
  await assertAccessibleInBothSchemes(page);
  await close();
});
