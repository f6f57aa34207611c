/** Manual refunds and write-offs on the order page of staff. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { sql } from 'kysely';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { logIn, signIn, visit } from '../support/buyer.ts';
import { testKey } from '../support/devchain.ts';
import { visitFollowing } from '../support/pages/live-page.ts';
import { openRefundShop } from '../support/refund-shop.ts';
import type { RefundShop } from '../support/refund-shop.ts';
import { listAt, numberAt, textAt } from '../support/read-json.ts';
import { getStaffToken } from '../support/staff-fixtures.ts';
import { runWithShopDatabase } from '../support/stock-stress.ts';
import { waitUntil } from '../support/wait-until.ts';
import { saveScreenshots } from '../support/screenshots.ts';

const PASSWORD = 'crypto-market';
let shop: RefundShop;
before(async () => {
  shop = await openRefundShop({ UNCLAIMED_AFTER_DAYS: '1', BITCOIN_XPUB: '' });
});
after(() => shop.shop.stop());

const openRefund = (page: Page): Promise<void> => page.getByRole('button', { name: 'Refund', exact: true }).click();

test('[OPS-25] staff record a refund, undo that, enter an address and write off', async () => {
  const buyer = await shop.createBuyer();
  const id = await shop.createCancelledPaidOrder(buyer, 0.009);
  const { page, close } = await openPage(shop.shop, { expectedStatuses: [401] });
  await visit(page, `/login?to=/admin/orders/${id}`);
  await logIn(page, 'staff', PASSWORD);
  await page.waitForURL(`**/admin/orders/${id}`);
  await openRefund(page);
  await page.getByText('If nobody claims the amount, you can write it off').waitFor();
  await assertAccessible(page);

  const record = page.locator('form', { hasText: 'Record refund' });
  await record.getByLabel('Transaction id').fill('ab'.repeat(32));
  await record.getByLabel('Sent to').fill(testKey().address);
  await record.getByLabel('Why you').fill('sent from the old wallet');
  await record.getByRole('button', { name: 'Record refund' }).click();
  await page.getByRole('dialog').last().getByRole('button', { name: 'Record refund' }).click();
  await page.getByText('recorded as sent').waitFor();
  const undo = page.locator('form', { hasText: 'Undo record' });
  await undo.getByLabel('Reason for undoing').fill('a typing error');
  await undo.getByRole('button', { name: 'Undo record' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo record' }).click();
  await page.getByText('BTC withdrawn').waitFor();

  // A session of staff ends after a day, and its password is recent for 15 minutes.
  await shop.callDemoTool('clock', { offset_s: 25 * 3600 });
  await visit(page, `/login?to=/admin/orders/${id}`);
  await logIn(page, 'staff', PASSWORD);
  await page.waitForURL(`**/admin/orders/${id}`);
  await openRefund(page);
  await page.getByRole('heading', { name: 'Manual refunds' }).waitFor();
  await shop.callDemoTool('clock', { offset_s: 26 * 3600 });
  await page.getByRole('heading', { name: 'Manual refunds' }).waitFor();
  const writeOff = page.locator('form', { hasText: 'Write off' });
  await writeOff.getByLabel('Why you').fill('no answer to three mails');
  await writeOff.getByRole('button', { name: 'Write off' }).click();
  await page.getByRole('dialog').last().getByRole('button', { name: 'Write off' }).click();
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByLabel('Current password').press('Enter');
  await page.getByRole('heading', { name: /written off as unclaimed/ }).waitFor();
  await page.getByText('no answer to three mails').first().waitFor();
  await assertAccessible(page);
  await close();
});

test('[PAY-13] staff of a demo shop sign a refund with the demo wallet', async () => {
  const { buyer, id } = await shop.createOverpaidOrder(testKey().address);
  await shop.createRefund(id);
  const { page, close } = await openPage(shop.shop);
  await signIn(shop.shop, page, 'staff', PASSWORD);
  await visitFollowing(page, `/admin/orders/${id}`);
  await page.getByRole('heading', { name: 'Overpayment: $55.50, 0.000500 BTC not sent yet' }).waitFor();
  await page.getByRole('button', { name: 'Sign with the demo wallet' }).scrollIntoViewIfNeeded();
  await assertAccessible(page);
  await saveScreenshots(page, 'demo-signing');
  await page.getByRole('button', { name: 'Sign with the demo wallet' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign and broadcast' }).click();
  await page.getByRole('heading', { name: /^Overpayment: .* sent$/ }).waitFor();
  await shop.mine(3);
  await page.getByRole('heading', { name: /^Overpayment: .* confirmed$/ }).waitFor();
  const { refunds } = await shop.readTimeline(buyer, id);
  assert.equal(textAt(refunds, 0, 'state'), 'confirmed');
  await close();
});

/** Opens the page of an order whose refund was recorded by staff, and waits until it follows changes. */
async function openRecorded() {
  const id = await shop.createCancelledPaidOrder(await shop.createBuyer(), 0.009);
  const sent = { covers: 'whole', txid: 'ef'.repeat(32), address: testKey().address, reason: 'from the old wallet' };
  assert.equal((await shop.post(`/orders/${id}/refunds/elsewhere`, sent)).status, 201);
  const { page, close } = await openPage(shop.shop, { expectedStatuses: [409] });
  await signIn(shop.shop, page, 'staff', PASSWORD);
  await visitFollowing(page, `/admin/orders/${id}`);
  const undo = page.locator('form', { hasText: 'Undo record' });
  const reason = undo.getByLabel('Reason for undoing');
  await reason.fill('a typing error');
  return {
    page,
    reason,
    button: undo.getByRole('button', { name: 'Undo record' }),
    dialog: page.getByRole('dialog'),
    notice: page.getByRole('status').filter({ hasText: 'This page may be outdated.' }),
    /** A change by somebody else, which makes the notice appear. */
    change: async () => assert.equal((await shop.post(`/orders/${id}/notes`, { text: 'a note' })).status, 201),
    close,
  };
}

test('[OPS-18] a notice that appears during a click does not move the page', async () => {
  const { page, button, dialog, notice, change, close } = await openRecorded();
  await button.hover();
  await page.mouse.down();
  await change();
  await notice.waitFor();
  await page.mouse.up();
  await dialog.waitFor();
  await close();
});

/** Renames a column, so that of the page only the refunds fail to load. */
const renameColumn = (from: string, to: string): Promise<unknown> =>
  runWithShopDatabase(shop.shop, (db) => sql.raw(`alter table write_offs rename ${from} to ${to}`).execute(db));

test('[OPS-18] [OPS-25] a failed reload of the refunds keeps the typed reason', async () => {
  const { page, reason, button, dialog, notice, change, close } = await openRecorded();
  await renameColumn('reason', 'broken');
  await change();
  await notice.getByRole('button', { name: 'Reload' }).click();
  const failure = page
    .getByRole('alert')
    .filter({ hasText: 'The refunds could not be loaded. What is shown may be out of date.' });
  await failure.waitFor();
  assert.equal(await reason.inputValue(), 'a typing error');

  await button.click();
  const refusal = { status: 409, json: { error: { code: 'refund-open', message: 'Another refund is open' } } };
  await page.route('**/undo-record', (route) => route.fulfill(refusal), { times: 1 });
  await dialog.getByRole('button', { name: 'Undo record' }).click();
  await dialog.getByText('Another refund is open.').waitFor();
  // The button is disabled until the page has loaded again.
  await dialog.getByRole('button', { name: 'Undo record' }).click({ trial: true });
  await dialog.getByText('Another refund is open.').waitFor();
  await renameColumn('broken', 'reason');
  await dialog.getByRole('button', { name: 'Undo record' }).click();
  await page.getByText('BTC withdrawn').waitFor();
  await failure.waitFor({ state: 'detached' });
  await close();
});

test('[OPS-25] [OPS-16] staff record a refund of items that was sent elsewhere', async () => {
  const buyer = await shop.createBuyer();
  const id = await shop.createPaidOrder(buyer, 0.009);
  const { page, close } = await openPage(shop.shop);
  await visit(page, `/login?to=/admin/orders/${id}`);
  await logIn(page, 'staff', PASSWORD);
  await page.waitForURL(`**/admin/orders/${id}`);
  await openRefund(page);
  const record = page.locator('form', { hasText: 'Record refund' });
  await record.getByLabel('Covers').selectOption('Items');
  await record.getByText('Choose the units to refund.').waitFor();
  await record.getByLabel(/^iPhone Air.*, not shipped$/).fill('1');
  await record.getByText('Returns $999.00').waitFor();
  await record.getByLabel('Reason, for staff only').fill('damaged in our warehouse');
  await record.getByLabel('Transaction id').fill('cd'.repeat(32));
  await record.getByLabel('Sent to').fill(testKey().address);
  await record.getByLabel('Why you').fill('the buyer asked by phone');
  await assertAccessible(page);
  await record.getByRole('button', { name: 'Record refund' }).click();
  const dialog = page.getByRole('dialog').last();
  await dialog.getByText(/^1 × iPhone Air/).waitFor();
  await dialog.getByRole('button', { name: 'Record refund' }).click();
  await page.getByRole('heading', { name: /^Items: .* BTC recorded as sent$/ }).waitFor();
  const listNotes = async () => {
    const { body } = await shop.shop.api('GET', `/support/orders/${id}/invoices`, { token: shop.staff });
    return listAt(body, 'invoices').filter((one) => textAt(one, 'kind') === 'credit_note');
  };
  await waitUntil(async () => (await listNotes()).length > 0);
  assert.deepEqual(
    (await listNotes()).map((one) => numberAt(one, 'total_usd')),
    [999],
  );
  await close();
});

test('[OPS-25] the page of a written-off order explains how to claim the money', async () => {
  const buyer = await shop.createBuyer();
  const id = await shop.createCancelledPaidOrder(buyer, 0.009);
  await shop.callDemoTool('clock', { offset_s: 51 * 3600 });
  const token = await getStaffToken(shop.shop);
  const writtenOff = await shop.post(`/orders/${id}/write-offs`, { kind: 'unclaimed', reason: 'no response' }, token);
  assert.equal(writtenOff.status, 201);
  const { page, close } = await openPage(shop.shop);
  await visit(page, `/login?to=/dashboard/orders/${id}`);
  await logIn(page, buyer.name, PASSWORD);
  await page.getByText('This order is closed').waitFor();
  await page.getByText('Enter a refund address below to get it back.').waitFor();
  await page.getByLabel('Your Bitcoin address').waitFor();
  await assertAccessible(page);
  const entry = { address: testKey().address, reason: 'by phone' };
  assert.equal((await shop.post(`/orders/${id}/refund-address/enter`, entry, token)).status, 200);
  await page.reload();
  await page.getByText('We refund it to the address that we entered for you.').waitFor();
  await page.getByText('We entered this address for you').waitFor();
  await close();
});
