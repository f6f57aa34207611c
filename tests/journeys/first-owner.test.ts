/** The link that creates the first owner of a live shop, in a browser. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Page } from '@playwright/test';
import { sql } from 'kysely';
import { issueToken } from '#src/platform/security/tokens.ts';
import { replaceLink } from '#src/shop/accounts/team/first-owner-link.store.ts';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { startLiveShop } from '../support/live-shop.ts';
import type { LiveShop } from '../support/live-shop.ts';
import { runWithShopDatabase } from '../support/stock-stress.ts';
import { saveScreenshots } from '../support/screenshots.ts';

const PASSWORD = 'crypto-market';

let live: LiveShop;
before(async () => {
  live = await startLiveShop();
});
after(() => live.stop());
beforeEach(() => runWithShopDatabase(live.shop, (db) => sql`update users set role = 'customer'`.execute(db)));

const field = (page: Page, label: string) => page.getByRole('main').getByLabel(label, { exact: true });
const getButton = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Create account and log in' });

async function createPath(): Promise<string> {
  const { token, hash } = issueToken();
  const inAnHour = new Date(Date.now() + 3_600_000);
  assert.ok(await runWithShopDatabase(live.shop, (db) => replaceLink(db, hash, inAnHour)));
  return `/first-owner/${token}`;
}

/** Requests whose Referer contains the link. */
function findLeaks(page: Page): string[] {
  const leaks: string[] = [];
  page.on('request', (request) => {
    if (request.headers()['referer']?.includes('/first-owner/') === true) leaks.push(request.url());
  });
  return leaks;
}

test('[OPS-01] the link leads to an owner who is logged in', async () => {
  const path = await createPath();
  const { page, close } = await openPage(live.shop, { expectedStatuses: [400, 404] });
  const leaks = findLeaks(page);
  await page.goto(path);
  await assertAccessible(page);
  await saveScreenshots(page, 'first-owner');
  await getButton(page).click();
  await page.getByText('Username is required', { exact: true }).waitFor();
  await field(page, 'Username').fill(`owner-${'x'.repeat(54)}`);
  await field(page, 'Email').fill(`${'long'.repeat(15)}@${'domain'.repeat(10)}.example`);
  await field(page, 'Password').fill('eleven-char');
  await getButton(page).click();
  await page.getByText(/^Password must be at least 12 characters$/).waitFor();
  await saveScreenshots(page, 'first-owner-refused');
  assert.deepEqual(leaks, [], 'while the link is valid');
  await field(page, 'Password').fill(PASSWORD);
  await getButton(page).dblclick();
  await page.waitForURL('**/admin/security**');
  await page.getByRole('heading', { level: 1, name: 'Security' }).waitFor();
  await page.goBack();
  // The blank page of the context: the history does not lead back to the form.
  await page.waitForURL((url) => !url.pathname.startsWith('/admin'));
  assert.ok(!page.url().includes('first-owner'), page.url());
  await page.goto(path);
  await page.getByRole('heading', { level: 1, name: 'This link is not valid' }).waitFor();
  await saveScreenshots(page, 'first-owner-used');
  await close();
});

test('[OPS-01] [ACC-14] the link works without scripts', async () => {
  const path = await createPath();
  const { page, close } = await openPage(live.shop, { javaScript: false, expectedStatuses: [400, 404] });
  await page.goto(path);
  await field(page, 'Username').fill('plain-owner');
  await field(page, 'Email').fill('plain-owner@first.example');
  await field(page, 'Password').fill('eleven-char');
  await getButton(page).click();
  await page.getByText(/^Password must be at least 12 characters$/).waitFor();
  assert.equal(await field(page, 'Email').inputValue(), 'plain-owner@first.example');
  assert.equal(await field(page, 'Password').inputValue(), '');
  await field(page, 'Password').fill(PASSWORD);
  await getButton(page).click();
  await page.waitForURL(/\/admin\b/);
  await page.goto(path);
  await page.getByRole('heading', { level: 1, name: 'This link is not valid' }).waitFor();
  await close();
});
