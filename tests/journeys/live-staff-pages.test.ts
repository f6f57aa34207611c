/** Pages of the back office follow the changes of others, also those that another process made. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Request } from '@playwright/test';
import { assertAccessibleInBothSchemes } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import type { PageOptions } from '../support/browser.ts';
import { signIn, visit } from '../support/buyer.ts';
import { fillSales } from '../support/fill-sales.ts';
import { createOrder } from '../support/new-order.ts';
import { textAt } from '../support/read-json.ts';
import { startSecondProcess } from '../support/second-process.ts';
import { startTestShop } from '../support/shop.ts';
import type { ShopProcess } from '../support/shop-process.ts';
import type { TestShop } from '../support/shop.ts';
import { payInBlocks } from '../support/staff-fixtures.ts';
import { runWithShopDatabase } from '../support/stock-stress.ts';
import { assertSameDocument, holdReload, markDocument, visitFollowing } from '../support/pages/live-page.ts';
import { waitForFrames } from '../support/pages/frames.ts';

let shop: TestShop;
let other: ShopProcess;
let token: string;
before(async () => {
  shop = await startTestShop();
  other = await startSecondProcess(shop);
  const { body } = await shop.api('POST', '/users/login', { body: { username: 'owner', password: 'crypto-market' } });
  token = textAt(body, 'tokens', 'accessToken');
});
after(async () => {
  await other.stop();
  await shop.stop();
});

/** A call of the owner to the second process. */
async function callOther(method: string, path: string, body: object = {}): Promise<void> {
  const response = await fetch(`${other.url}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.ok(response.ok, `${path} returned ${response.status}: ${await response.text()}`);
}

/** Opens a page as staff, and waits until it follows changes. Marks the document, which a reload would lose. */
async function openAsStaff(path: string, options: PageOptions = {}) {
  const opened = await openPage(shop, { width: 1440, ...options });
  const { page } = opened;
  await signIn(shop, page, 'staff', 'crypto-market');
  await visitFollowing(page, path);
  await markDocument(page);
  return opened;
}

test('[OPS-18] an order page shows a payment and what others do', async () => {
  const order = await createOrder(shop, 'followed-buyer');
  const { page, close } = await openAsStaff(`/admin/orders/${order.id}`);
  await payInBlocks(shop, order, 0);
  await page.getByText('Paid', { exact: true }).first().waitFor();
  await callOther('POST', `/orders/${order.id}/ship`, { tracking_reference: 'TRACK-1' });
  await page.getByText('TRACK-1').first().waitFor();
  await assertSameDocument(page);
  await close();
});

test('[OPS-18] typing keeps the page and says that it may be outdated', async () => {
  const order = await createOrder(shop, 'typed-buyer');
  await payInBlocks(shop, order, 0);
  const { page, close } = await openAsStaff(`/admin/orders/${order.id}`);
  await page.getByRole('main').getByText('Ship', { exact: false }).first().waitFor();
  const form = page.locator('main details', { has: page.getByRole('textbox') }).first();
  if ((await form.count()) > 0) await form.locator('summary').first().click();
  const field = page.locator('main').getByRole('textbox').first();
  await field.fill('half a refer');
  await callOther('POST', `/orders/${order.id}/ship`, { tracking_reference: 'TRACK-2' });
  const notice = page.getByRole('status').filter({ hasText: 'This page may be outdated.' });
  await notice.waitFor();
  assert.equal(await field.inputValue(), 'half a refer');
  await assertAccessibleInBothSchemes(page);
  await notice.getByRole('button', { name: 'Reload' }).click();
  await page.getByText('TRACK-2').first().waitFor();
  await notice.waitFor({ state: 'detached' });
  await assertSameDocument(page);
  await close();
});

/** Types a note on an order's page before the page follows changes, then lets it. */
async function typeBeforeConnection(buyer: string) {
  const order = await createOrder(shop, buyer);
  const { page, close } = await openPage(shop, { width: 1440 });
  await signIn(shop, page, 'staff', 'crypto-market');
  const connected = Promise.withResolvers<undefined>();
  await page.routeWebSocket('**/api/wss', async (socket) => {
    await connected.promise;
    socket.connectToServer();
  });
  await visit(page, `/admin/orders/${order.id}`);
  const field = page.getByLabel('Note, for staff only');
  await field.fill('half a note');
  return {
    page,
    close,
    order,
    field,
    notice: page.getByText('This page may be outdated.'),
    connect: () => connected.resolve(undefined),
  };
}

test('[OPS-18] text typed before the page follows changes is no reason to call it outdated', async () => {
  const { page, close, order, field, notice, connect } = await typeBeforeConnection('early-typing-buyer');
  const isReload = (request: Request): boolean => request.url().includes(`/${order.id}.data`);
  // React Router stops reading behind the last line of the data, which may count as a failed request.
  const ends = [page.waitForEvent('requestfinished', isReload), page.waitForEvent('requestfailed', isReload)];
  connect();
  await Promise.race(ends);
  await waitForFrames(page);
  assert.equal(await notice.count(), 0);
  assert.equal(await field.inputValue(), 'half a note');
  await close();
});

test('[OPS-18] a change before the page follows changes makes it outdated while somebody types', async () => {
  const { page, close, order, field, notice, connect } = await typeBeforeConnection('early-change-buyer');
  await callOther('POST', `/orders/${order.id}/notes`, { text: 'A note of somebody else' });
  connect();
  await notice.waitFor();
  assert.equal(await field.inputValue(), 'half a note');
  assert.equal(await page.getByText('A note of somebody else').count(), 0, 'what was typed on stays');
  await close();
});

test('[OPS-18] a reload in progress loses no text typed meanwhile', async () => {
  const order = await createOrder(shop, 'typed-meanwhile-buyer');
  await payInBlocks(shop, order, 0);
  const { page, close } = await openAsStaff(`/admin/orders/${order.id}`);
  await page.locator('summary', { hasText: 'Change address' }).click();
  const { waitUntilHeld, release } = await holdReload(page, `/admin/orders/${order.id}`, 'request');
  await callOther('POST', `/orders/${order.id}/notes`, { text: 'A note that makes the page load again' });
  await waitUntilHeld();
  const field = page.getByLabel('First name');
  await field.fill('half a name');
  await callOther('POST', `/orders/${order.id}/ship`, { tracking_reference: 'TRACK-3' });
  release();
  const notice = page.getByRole('status').filter({ hasText: 'This page may be outdated.' });
  await notice.waitFor();
  assert.equal(await field.inputValue(), 'half a name');
  await notice.getByRole('button', { name: 'Reload' }).click();
  await page.getByText('TRACK-3').first().waitFor();
  await notice.waitFor({ state: 'detached' });
  await close();
});

test('[OPS-18] an action shows its result after a failed reload', async () => {
  const order = await createOrder(shop, 'failed-reload-buyer');
  await payInBlocks(shop, order, 0);
  const { page, context, getProblems } = await openAsStaff(`/admin/orders/${order.id}`, { expectedStatuses: [503] });
  const isReload = (url: URL) => url.pathname === `/admin/orders/${order.id}.data`;
  await page.route(isReload, (route) => route.fulfill({ status: 503 }));
  const failed = page.waitForResponse((response) => isReload(new URL(response.url())) && response.status() === 503);
  await callOther('POST', `/orders/${order.id}/notes`, { text: 'A note of somebody else' });
  await failed;
  await page.unroute(isReload);
  await page.getByLabel('Tracking reference (optional)').fill('half a reference');
  await page.getByLabel('Note, for staff only').fill('An own note');
  await page.getByRole('button', { name: 'Add note' }).click();
  await page.getByRole('listitem').filter({ hasText: 'An own note' }).waitFor();
  await context.close();
  assert.deepEqual(
    getProblems().filter((problem) => !problem.includes('revalidation failed')),
    [],
  );
});

test('[OPS-05] [OPS-18] the first page and the menu count what others add', async () => {
  const { page, close } = await openAsStaff('/admin');
  const item = page.locator('[data-kind=to_ship]');
  const countBefore = (await item.count()) === 0 ? 0 : Number.parseInt(await item.innerText(), 10);
  const order = await createOrder(shop, 'counted-buyer');
  await payInBlocks(shop, order, 0);
  await item.filter({ hasText: `${countBefore + 1} order` }).waitFor();
  const menu = page.getByRole('navigation', { name: 'Back office' });
  await menu.getByRole('listitem').filter({ hasText: 'Orders' }).getByText('to ship').first().waitFor();
  await callOther('POST', `/orders/${order.id}/ship`);
  if (countBefore === 0) await page.getByText('Nothing to do.').waitFor();
  else await item.filter({ hasText: `${countBefore} order` }).waitFor();
  await assertSameDocument(page);
  await close();
});

test('[OPS-05] charts have a table, a text and a CSV of their figures', async () => {
  await runWithShopDatabase(shop, (db) => fillSales(db, 400, new Date()));
  for (const width of [390, 1440]) {
    const { page, close } = await openPage(shop, { width });
    await signIn(shop, page, 'staff', 'crypto-market');
    await visit(page, '/admin/sales?period=12m&group=category');
    const charts = page.getByRole('img', {
      name: /^(Revenue, [^.]+|Revenue in bitcoin, net of refunds|Orders|Average order)\. Bars from /,
    });
    assert.equal(await charts.count(), 4);
    const summary = page.locator('summary', { hasText: 'Figures as a table' });
    await summary.focus();
    await page.keyboard.press('Enter');
    const table = page.getByRole('region', { name: 'Figures by time' });
    assert.equal(await table.getByRole('row').count(), 14, 'a head, twelve months and the total');
    await page.getByRole('region', { name: 'Sold by category' }).waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download figures by category as CSV' }).click();
    assert.match((await downloading).suggestedFilename(), /^sales-by-category-\d{4}-.*\.csv$/);
    await assertAccessibleInBothSchemes(page);
    await visit(page, '/admin');
    await page.getByRole('heading', { name: 'Revenue of the last 30 days' }).waitFor();
    await assertAccessibleInBothSchemes(page);
    await close();
  }
});

test('[OPS-05] own dates without a day ask for both', async () => {
  const { page, close } = await openPage(shop);
  await signIn(shop, page, 'staff', 'crypto-market');
  await visit(page, '/admin/sales?period=own');
  await page.getByText('Choose both dates.').waitFor();
  await page.getByLabel('Own dates, from').fill('2026-01-01');
  await page.getByLabel('To', { exact: true }).fill('2026-01-31');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByText('1 Jan 2026 to 31 Jan 2026 (UTC)').waitFor();
  await close();
});
