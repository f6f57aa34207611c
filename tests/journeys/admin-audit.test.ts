/** The audit log of the back office, in the browser. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { createBuyer, logIn, signIn, visit } from '../support/buyer.ts';
import { createPromotionFields } from '../support/promotion-fields.ts';
import { textAt } from '../support/read-json.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { getStaffToken } from '../support/staff-fixtures.ts';

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

/** Creates a promotion and limits its uses. Returns its id. */
async function changePromotion(code: string): Promise<string> {
  const token = await getStaffToken(shop);
  const created = await shop.api('POST', '/support/promotions', { token, body: createPromotionFields({ code }) });
  const id = textAt(created.body, 'promotion', 'id');
  const body = { ...createPromotionFields({ code, max_uses: 5 }), version: 1 };
  assert.equal((await shop.api('PUT', `/support/promotions/${id}`, { token, body })).status, 200);
  return id;
}
async function openLog(page: Page, query = ''): Promise<void> {
  await signIn(shop, page, 'owner', 'crypto-market');
  await visit(page, `/admin/audit${query}`);
}
const listEntries = (page: Page) => page.getByRole('main').locator('ol > li');

test('[OPS-06] owners find an entry, read its values and open its subject', async () => {
  const id = await changePromotion('BROWSED');
  const { page, close } = await openPage(shop);
  await signIn(shop, page, 'owner', 'crypto-market');
  await visit(page, '/admin');
  await page.getByRole('link', { name: 'Settings', exact: true }).first().click();
  await page.getByRole('link', { name: 'Audit log', exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name: /^Audit log/ }).waitFor();
  await page.getByLabel('Name, number or changed value').fill('browsed');
  await page.getByLabel('Subject').selectOption('Promotion');
  await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
  await page.waitForURL(/q=browsed/);
  await page.getByText('Promotion: edited').waitFor();
  assert.equal(await listEntries(page).count(), 2);
  const entry = listEntries(page).first();
  await entry.getByText('1 value: Max uses').click();
  assert.match(await entry.locator('dl').innerText(), /None to 5/);
  await assertAccessible(page);
  await entry.getByRole('link', { name: 'BROWSED' }).click();
  await page.waitForURL(`**/admin/promotions/${id}`);
  await close();
});

test('[OPS-06] a filter that matches nothing leads back to all entries', async () => {
  await changePromotion('REMAINS');
  const { page, close } = await openPage(shop);
  await openLog(page, '?q=nonexistent');
  await page.getByText('No entry matches.').waitFor();
  await page.getByRole('link', { name: 'Show all entries' }).click();
  await page.getByText('Promotion: created').first().waitFor();
  await close();
});

test('[OPS-06] owners download the log, managers read it, others see nothing', async () => {
  await changePromotion('SAVED');
  const { page, close } = await openPage(shop);
  await openLog(page, '?q=saved');
  await page.getByRole('button', { name: 'Download as CSV' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog').getByRole('button', { name: 'Download', exact: true }).click(),
  ]);
  const text = await readFile(await download.path(), 'utf8');
  assert.match(text, /^id,at,.*\r\n(?:.*SAVED.*\r\n){2}/);
  await close();

  const manager = await openPage(shop);
  await signIn(shop, manager.page, 'staff', 'crypto-market');
  await visit(manager.page, '/admin/audit?q=saved');
  await manager.page.getByText('Promotion: edited').waitFor();
  assert.equal(await listEntries(manager.page).count(), 3, 'two changes and the download');
  assert.equal(await manager.page.getByRole('button', { name: 'Download as CSV' }).count(), 0);
  assert.equal((await shop.api('GET', '/exports/audit', { token: await getStaffToken(shop) })).status, 403);
  await manager.close();

  for (const role of ['support', 'shipping']) {
    const username = await createBuyer(shop);
    const login = await shop.api('POST', '/users/login', { body: { username: 'owner', password: 'crypto-market' } });
    const token = textAt(login.body, 'tokens', 'accessToken');
    assert.equal((await shop.api('PUT', '/staff/role', { token, body: { username, role } })).status, 200);
    const other = await openPage(shop, { expectedStatuses: [404] });
    await visit(other.page, '/login?to=%2Fadmin');
    await logIn(other.page, username);
    await other.page.getByRole('heading', { level: 1, name: 'Home', exact: true }).waitFor();
    assert.equal(await other.page.getByRole('link', { name: 'Audit log' }).count(), 0, role);
    const response = await other.page.goto(`${shop.url}/admin/audit`);
    assert.equal(response?.status(), 404, role);
    await other.close();
  }
});
