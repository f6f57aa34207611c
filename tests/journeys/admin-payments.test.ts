/** Payment pages and actions of staff, in the browser, which customers can't open. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { logIn, mine, moveClock, createBuyer, payOrder, signIn, visit } from '../support/buyer.ts';
import { injectionPayloads } from '../support/injection-payloads.ts';
import { watchLayoutShifts } from '../support/pages/layout-shift.ts';
import { listAt, textAt } from '../support/read-json.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { createOrder } from '../support/new-order.ts';
import { createOverpaidOrder, payInBlocks, getStaffToken } from '../support/staff-fixtures.ts';
import { BILLING } from '../support/stress-buyer.ts';
import { resize } from '../support/pages/frames.ts';

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

async function openAsStaff(page: Page, path: string): Promise<void> {
  await signIn(shop, page, 'staff', 'crypto-market');
  await visit(page, path);
}
/** Into the directory SHOTS, if it is set. */
async function saveTaskScreenshots(page: Page): Promise<void> {
  const directory = process.env['SHOTS'];
  if (directory === undefined) return;
  for (const width of [1440, 390]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await resize(page, width, 900);
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${directory}/tasks-${width}-${colorScheme}.png` });
    }
  }
  await resize(page, 1280, 900);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Presses the button of an action and confirms it in the dialog. */
async function confirmAction(page: Page, button: string, confirm: string): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: button, exact: true }).click();
  // It may be in a drawer, which is a dialog too.
  await page.getByRole('dialog').last().getByRole('button', { name: confirm, exact: true }).click();
}

test('[OPS-01] only staff see the link to the admin pages', async () => {
  const { page, close } = await openPage(shop, { expectedStatuses: [404] });
  const { id } = await createOrder(shop, 'alone');
  for (const path of ['/admin', '/admin/payments', '/admin/orders', `/admin/orders/${id}`]) {
    await page.goto(path);
    assert.equal(new URL(page.url()).pathname, '/login', `${path}: a stranger signs in first`);
  }
  await visit(page, '/login');
  await logIn(page, await createBuyer(shop));
  await page.getByRole('heading', { level: 1, name: 'Hello' }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'Back office' }).count(), 0);
  for (const path of ['/admin', '/admin/payments', '/admin/orders', `/admin/orders/${id}`]) {
    const response = await page.goto(path);
    assert.equal(response?.status(), 404, path);
    assert.ok(!(await page.content()).includes('Back office'), path);
  }
  await close();

  const support = await openPage(shop);
  await openAsStaff(support.page, '/dashboard');
  await support.page.getByRole('link', { name: 'Back office' }).click();
  await support.page.getByRole('heading', { level: 1, name: 'Home', exact: true }).waitFor();
  await assertAccessible(support.page);
  const menu = support.page.getByRole('navigation', { name: 'Back office' });
  await menu.getByRole('link', { name: 'Orders', exact: true }).click();
  await support.page.getByRole('link', { name: 'Payment tasks', exact: true }).click();
  await support.page.getByRole('heading', { level: 1, name: 'Payment tasks' }).waitFor();
  await support.page.getByText('No open tasks.').waitFor();
  await assertAccessible(support.page);
  await support.close();
});

test('[OPS-03] [PAY-10] staff accept an expired partial payment with a reason', async () => {
  const order = await createOrder(shop, 'in-part');
  await payInBlocks(shop, order, -0.0005);
  await moveClock(shop, 7300);
  const { page, close } = await openPage(shop);
  await openAsStaff(page, '/admin/payments');
  await page.getByRole('heading', { name: 'Action needed 1' }).waitFor();
  await page.getByText(/^\$[\d,.]+, 0\.\d+ BTC of \$[\d,.]+, 0\.\d+ BTC$/).waitFor();
  await saveTaskScreenshots(page);
  await page.getByRole('link', { name: 'Partly paid and expired' }).click();
  await page.getByRole('heading', { level: 1, name: `Order ${order.number}` }).waitFor();
  const main = page.getByRole('main');
  await main.getByRole('button', { name: 'Accept payment' }).click();
  await main.getByText(', 0.000500 BTC is waived', { exact: false }).waitFor();
  await main.getByRole('button', { name: 'Accept as paid' }).click();
  assert.equal(await page.getByRole('dialog').count(), 1, 'a reason is required first');
  await main
    .getByRole('region', { name: 'Accept as paid' })
    .getByLabel('Reason, for staff only')
    .fill('A gesture for the long wait');
  await main.getByRole('button', { name: 'Accept as paid' }).click();
  await page.getByRole('dialog').last().getByRole('button', { name: 'Not now' }).click();
  assert.equal(await main.getByText('Accepted as paid').count(), 0);
  await confirmAction(page, 'Accept as paid', 'Accept as paid');
  await main.getByText('A gesture for the long wait').waitFor();
  await main.getByText('Accepted as paid').waitFor();
  assert.match(await main.innerText(), /by staff/);
  assert.equal(await main.getByRole('button', { name: 'Accept as paid' }).count(), 0);

  await main.getByLabel('Tracking reference (optional)').fill('RR 123 456 785 GB');
  await confirmAction(page, 'Mark as shipped', 'Mark as shipped');
  await main.getByRole('region', { name: 'Delivery', exact: true }).getByText('Reference RR 123 456 785 GB').waitFor();
  await confirmAction(page, 'Mark as delivered', 'Mark as delivered');
  await main.getByText('Delivered', { exact: true }).first().waitFor();
  await page.getByRole('link', { name: 'Payment tasks', exact: true }).click();
  await page.getByText('No open tasks.').waitFor();
  await moveClock(shop, 0);
  await close();
});

test('[OPS-03] [PAY-09] staff create, export, withdraw and record a refund of a surplus', async () => {
  const { id } = await createOverpaidOrder(shop, 'too-much');
  const { page, close } = await openPage(shop, { expectedStatuses: [400] });
  await openAsStaff(page, `/admin/orders/${id}`);
  const main = page.getByRole('main');
  await main.getByRole('heading', { name: 'An overpayment can be refunded' }).waitFor();
  const openRefund = () => main.getByRole('button', { name: 'Refund', exact: true }).click();
  await openRefund();
  const form = main.locator('form').filter({ hasText: 'Overpayment' });
  await form.getByLabel('Network fee', { exact: true }).selectOption({ label: 'Deducted from the refund' });
  await form.getByLabel('Fee rate in sat/vB (optional)').fill('2');
  await confirmAction(page, 'Create refund', 'Create refund');
  await main.getByText('BTC not sent yet', { exact: false }).waitFor();
  const psbt = (await main.getByRole('region', { name: 'Unsigned transaction (PSBT)' }).innerText()).trim();
  assert.equal(Buffer.from(psbt, 'base64').subarray(0, 5).toString('latin1'), 'psbt\u00ff');
  const saving = page.waitForEvent('download');
  await main.getByRole('button', { name: 'Save as file' }).click();
  const saved = await saving;
  assert.match(saved.suggestedFilename(), /^refund-[0-9a-f]{12}\.psbt$/);
  assert.equal(await readFile(await saved.path(), 'base64'), psbt);
  assert.match((await main.getByRole('link', { name: 'Open in a wallet' }).getAttribute('href')) ?? '', /^bitcoin:/i);
  assert.equal(await main.getByRole('button', { name: 'Create refund' }).count(), 0, 'one at a time');

  await main.getByLabel('Signed PSBT').fill('nonsense');
  await confirmAction(page, 'Broadcast', 'Broadcast');
  await page.getByRole('dialog').getByRole('alert').getByText('neither a PSBT', { exact: false }).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Not now' }).click();
  await confirmAction(page, 'Withdraw refund', 'Withdraw refund');
  await main.getByText('BTC withdrawn', { exact: false }).waitFor();
  await openRefund();
  await confirmAction(page, 'Create refund', 'Create refund');
  await main.getByText('BTC not sent yet', { exact: false }).waitFor();
  await main.getByLabel('Transaction id, if it was not detected').fill('AB'.repeat(32));
  await confirmAction(page, 'Record transaction', 'Record transaction');
  await main.getByText('ab'.repeat(32)).first().waitFor();
  await close();
});

test('[OPS-03] staff search and filter orders, also without a result', async () => {
  const order = await createOrder(shop, 'found-by-name');
  await payOrder(shop, order.id, 0.0001);
  const { page, close } = await openPage(shop);
  await openAsStaff(page, '/admin/orders');
  await page.getByRole('searchbox', { name: 'Number, buyer, recipient, address or transaction' }).fill('found-by');
  await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
  await page.getByRole('heading', { level: 1, name: 'Orders 1' }).waitFor();
  await page.getByText('Underpaid').waitFor();
  await page.getByLabel('Status').selectOption({ label: 'Paid' });
  await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
  await page.getByText('No order matches.').waitFor();
  await page.getByRole('link', { name: 'Show all orders' }).click();
  await page.getByRole('link', { name: order.number }).click();
  await page.getByRole('heading', { level: 1, name: `Order ${order.number}` }).waitFor();
  await close();
});

test('[OPS-03] [PAY-12] the open order page shows that a payment was reorganised', async () => {
  const order = await createOrder(shop, 'taken-back');
  await payInBlocks(shop, order, 0);
  const { page, close } = await openPage(shop);
  const shifts = await watchLayoutShifts(page);
  await openAsStaff(page, '/admin/payments');
  await visit(page, `/admin/orders/${order.id}`);
  await page.getByRole('button', { name: 'Mark as shipped' }).waitFor();
  assert.deepEqual(await shifts(), [], 'the layout does not shift');
  await shop.api('POST', '/dev/reorg', { body: { depth: 4 } });
  await page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')));
  await page.getByRole('heading', { name: 'Do not ship: payment not confirmed' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Mark as shipped' }).count(), 0);
  // A double-spend confirms.
  const cancel = page.getByRole('button', { name: 'Cancel the order' });
  assert.equal(await cancel.count(), 0, 'its payment may still arrive');
  const { body: details } = await shop.api('GET', `/support/orders/${order.id}`, { token: await getStaffToken(shop) });
  await shop.api('POST', '/dev/replace', { body: { txid: textAt(listAt(details, 'outputs')[0], 'txid') } });
  await mine(shop, 3);
  const cancelForm = page.getByRole('region', { name: 'Cancel the order' });
  await page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')));
  await cancel.click();
  await cancelForm.getByLabel('Reason, for staff only').fill('Its coins were spent otherwise');
  await assertAccessible(page);
  await confirmAction(page, 'Cancel order', 'Cancel order');
  await cancelForm.waitFor({ state: 'detached' });
  await page.getByText('Its coins were spent otherwise').waitFor();
  await page.getByRole('main').getByText('Cancelled', { exact: true }).first().waitFor();
  await close();
});

test('[API-00] [OPS-03] names, addresses and reasons are escaped on the admin pages', async () => {
  const { page, close } = await openPage(shop);
  await openAsStaff(page, '/admin/orders');
  for (const [index, text] of injectionPayloads.slice(0, 25).entries()) {
    const short = text.slice(0, 100).trim();
    const order = await createOrder(shop, `hostile-${index}`, { ...BILLING, firstName: short, note: short });
    const user = textAt((await shop.api('GET', '/users/user', { token: order.token })).body, 'id');
    const username = `${text.slice(0, 50).trim()}${index}`;
    // Usernames with @ are refused.
    if (!username.includes('@')) {
      await shop.api('PUT', `/users/${user}`, { token: order.token, body: { username } });
    }
    await page.goto(`/admin/orders/${order.id}`);
    await page.getByRole('heading', { level: 1, name: `Order ${order.number}` }).waitFor();
    assert.equal(await page.evaluate(() => 'hacked' in globalThis), false, text);
    const shownText = await page.locator('main').evaluate((main) => main.textContent.replaceAll(/\s+/g, ''));
    assert.ok(shownText.includes(short.replaceAll(/\s+/g, '')), `${text} is not shown as written`);
  }
  await page.goto('/admin/orders');
  const strange = 'x-fragment, base, iframe, object, math, [onload], [onerror], [ontoggle], [onfocus], [onmouseover]';
  assert.equal(await page.locator(`main :is(${strange})`).count(), 0);
  assert.equal(await page.evaluate(() => 'hacked' in globalThis), false);
  await close();
});

test('[OPS-03] an order is readable without JavaScript; disabled buttons say why', async () => {
  const order = await createOrder(shop, 'scriptless');
  await payInBlocks(shop, order, 0);
  const { page, context, close } = await openPage(shop, { javaScript: false });
  // Signed in by the API, since the login form needs JavaScript.
  const { headers } = await shop.api('POST', '/users/login', {
    body: { username: 'staff', password: 'crypto-market' },
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  const cookies = headers.getSetCookie().map((line) => /^(?<name>[^=]+)=(?<value>[^;]*)/.exec(line)?.groups ?? {});
  await context.addCookies(cookies.map(({ name = '', value = '' }) => ({ name, value, url: shop.url })));
  await page.goto(`/admin/orders/${order.id}`);
  await page.getByRole('heading', { level: 1, name: `Order ${order.number}` }).waitFor();
  const main = page.getByRole('main');
  assert.equal(await main.getByRole('button', { name: 'Mark as shipped' }).isDisabled(), true);
  // Text locators ignore noscript.
  const why = main.getByRole('region', { name: 'Delivery', exact: true }).locator('noscript p').first();
  assert.ok(await why.isVisible());
  assert.match(await why.innerText(), /^This needs JavaScript/);
  await page.goto('/admin/orders?page=99');
  await main.getByText('This page is empty.').waitFor();
  await main.getByRole('link', { name: 'Go to the first page' }).click();
  await main.getByRole('link', { name: order.number }).waitFor();
  await close();
});
