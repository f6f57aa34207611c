/** The first page of the back office: figures, what waits, recent orders and health, by role. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { assertAccessibleInBothSchemes } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { createBuyer, logIn, mine, openCartAsBuyer, payOrder, placeOrder, signIn, visit } from '../support/buyer.ts';
import { fillSales } from '../support/fill-sales.ts';
import { textAt } from '../support/read-json.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { runWithShopDatabase } from '../support/stock-stress.ts';
import { createCustomer, createReview, createTicket } from '../support/support-fixtures.ts';
import { saveScreenshots } from '../support/screenshots.ts';

const PASSWORD = 'crypto-market';

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

const getSection = (page: Page, name: string) => page.getByRole('main').getByRole('region', { name, exact: true });

async function openAsSupport() {
  const username = await createBuyer(shop);
  const login = await shop.api('POST', '/users/login', { body: { username: 'owner', password: PASSWORD } });
  const token = textAt(login.body, 'tokens', 'accessToken');
  await shop.api('PUT', '/staff/role', { token, body: { username, role: 'support' } });
  const opened = await openPage(shop);
  await opened.page.goto('/login?to=%2Fadmin');
  await logIn(opened.page, username);
  await opened.page.getByRole('heading', { level: 1, name: 'Home', exact: true }).waitFor();
  return opened;
}

const listQuickActions = (page: Page): Promise<string[]> =>
  page.getByRole('navigation', { name: 'Quick actions' }).getByRole('link').allInnerTexts();

test('[OPS-05] a new shop compares nothing and shows empty states', async () => {
  const { page, close } = await openPage(shop);
  await signIn(shop, page, 'owner', PASSWORD);
  await visit(page, '/admin');
  assert.deepEqual(await listQuickActions(page), ['New order', 'Add product', 'Create promotion']);
  const sales = getSection(page, 'Sales');
  await sales.getByText('there is nothing to compare with', { exact: false }).waitFor();
  assert.doesNotMatch(await sales.innerText(), /%|before:/);
  await getSection(page, 'Recent orders').getByText('No orders yet.').waitFor();
  await getSection(page, 'Recent orders').getByRole('link', { name: 'Create an order' }).waitFor();
  await assertAccessibleInBothSchemes(page);
  await saveScreenshots(page, 'home-empty');
  await close();
});

test('[OPS-05] support decides on the first page and sees no figures', async () => {
  await createReview(shop, `reviewer-${Date.now()}`, 'Fast, quiet, and the battery lasts all day.');
  await createTicket(shop, (await createCustomer(shop)).token, 'My parcel has not arrived yet');
  const { page, close } = await openAsSupport();
  assert.deepEqual(await listQuickActions(page), ['New order']);
  const todo = getSection(page, 'To do');
  await todo.getByText('Fast, quiet', { exact: false }).waitFor();
  for (const name of ['Sales', 'Revenue of the last 30 days', 'State of the shop', 'Set up your shop']) {
    assert.equal(await getSection(page, name).count(), 0, `support sees ${name}`);
  }
  await assertAccessibleInBothSchemes(page);
  await saveScreenshots(page, 'home-support');
  await todo.getByRole('button', { name: /^Take ticket/ }).click();
  await page.getByText('The ticket is yours').first().waitFor();
  await todo.getByRole('button', { name: /^Take ticket/ }).waitFor({ state: 'detached' });
  await todo.getByRole('button', { name: /^Approve the review/ }).click();
  await page.getByText('Review approved').first().waitFor();
  await todo.locator('[data-kind=reviews]').waitFor({ state: 'detached' });
  await close();
});

test('[OPS-05] the first page leads to a waiting payment and message in one click', async () => {
  const buyer = await openPage(shop);
  await openCartAsBuyer(shop, buyer.page);
  const id = await placeOrder(shop, buyer.page);
  await payOrder(shop, id);
  await payOrder(shop, id, 0.0005);
  await mine(shop, 6);
  await buyer.close();
  const message = { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com', message: 'Do you deliver?' };
  await shop.api('POST', '/contact', { body: message });
  const { page, close } = await openPage(shop);
  await signIn(shop, page, 'owner', PASSWORD);
  await visit(page, '/admin');
  const todo = getSection(page, 'To do');
  await todo.getByText('Overpaid', { exact: false }).waitFor();
  await assertAccessibleInBothSchemes(page);
  await saveScreenshots(page, 'home-waiting');
  await todo.locator('[data-kind=payments]').getByRole('link').nth(1).click();
  await page.getByRole('heading', { level: 1, name: /^Order / }).waitFor();
  await visit(page, '/admin');
  await todo.getByRole('link', { name: 'Grace Hopper' }).click();
  await page.getByRole('heading', { level: 1, name: 'Message from Grace Hopper' }).waitFor();
  await close();
});

test('[OPS-05] an owner compares the last days with the same days before', async () => {
  await runWithShopDatabase(shop, (db) => fillSales(db, 4_000, new Date()));
  const { page, close } = await openPage(shop);
  await signIn(shop, page, 'owner', PASSWORD);
  await visit(page, '/admin');
  const sales = getSection(page, 'Sales');
  await saveScreenshots(page, 'home-owner');
  await sales.getByRole('link', { name: 'Last 7 days' }).click();
  await page.waitForURL('**/admin?days=7');
  await sales.getByText(/, compared with \w{3}, \d+ \w{3} \d{4} to /).waitFor();
  assert.match(await sales.innerText(), /[+−]\d+% before: \$/);
  assert.equal(await getSection(page, 'Recent orders').getByRole('listitem').count(), 6);
  const health = getSection(page, 'State of the shop');
  assert.equal(await health.getByText('Database').isVisible(), false);
  await health.locator('summary').focus();
  await page.keyboard.press('Enter');
  await health.getByText('Database').waitFor();
  await assertAccessibleInBothSchemes(page);
  await saveScreenshots(page, 'home-week');
  await close();
});
