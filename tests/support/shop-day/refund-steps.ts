/** A refund from the customer's address to the credit note. */
import assert from 'node:assert/strict';
import { Transaction } from '@scure/btc-signer';
import { callAs, visit } from '../buyer.ts';
import { testKey } from '../devchain.ts';
import { listAt, numberAt, textAt, valueAt } from '../read-json.ts';
import { waitUntil } from '../wait-until.ts';
import type { BoughtOrder } from './purchase-steps.ts';
import { formatDollars } from './shipping-steps.ts';
import { confirm, CUSTOMER, getSecondShop, waitForMail } from './shop-day.ts';
import type { ShopDay } from './shop-day.ts';

export interface CreditNote {
  readonly number: string;
  readonly usd: number;
  /** What the refund sent. */
  readonly sats: number;
}

/** The customer enters a refund address and confirms it by the link in the mail. */
async function confirmRefundAddress(day: ShopDay, { id, number }: BoughtOrder): Promise<void> {
  const { page } = day.customer;
  const { address } = testKey();
  await visit(page, `/dashboard/orders/${id}`);
  await page.locator('summary', { hasText: 'Refund address' }).click();
  await page.getByLabel('Your Bitcoin address').fill(address);
  await page.getByRole('button', { name: 'Save address' }).click();
  await page.getByText('Open the link in our mail to confirm it').waitFor();
  const mail = await waitForMail(day, CUSTOMER.email, `Order ${number}: please confirm your refund address`);
  const path = /\/confirm-refund-address\/[\w-]{43}/.exec(mail)?.[0] ?? assert.fail(mail);
  await visit(page, path);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('heading', { name: 'Your address is confirmed' }).waitFor();
}

/** One of the two shipped tags: $29.00 less the 10 % of the promotion. */
const REFUNDED_USD = 26.1;

/** What the owner chooses in the form of a refund of items: one of the tags that were shipped. */
async function createRefund({ owner: { page } }: ShopDay, { id }: BoughtOrder): Promise<void> {
  await visit(page, `/admin/orders/${id}`);
  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  const form = page.locator('form').filter({ has: page.getByRole('button', { name: 'Refund items', exact: true }) });
  await form.getByLabel(/^AirTag.*, shipped$/).fill('1');
  await form.getByLabel('Reason, for staff only').fill('One tag too many');
  await form.getByText(`Returns ${formatDollars(REFUNDED_USD)}`).waitFor();
  await form.getByRole('button', { name: 'Refund items', exact: true }).click();
  await confirm(page, 'Create refund');
}

/** The owner refunds one item, signs the transaction in the wallet and broadcasts it. Returns its credit note. */
export async function refundOneTag(day: ShopDay, order: BoughtOrder): Promise<CreditNote> {
  const { page } = day.owner;
  await confirmRefundAddress(day, order);
  await createRefund(day, order);
  const transaction = Transaction.fromPSBT(
    Buffer.from(await page.getByRole('region', { name: 'Unsigned transaction (PSBT)' }).innerText(), 'base64'),
  );
  transaction.sign(day.shop.wallet);
  // The binary file that a wallet saves.
  const file = { name: 'signed.psbt', mimeType: 'application/octet-stream', buffer: Buffer.from(transaction.toPSBT()) };
  await page.getByLabel('File of the signed transaction').setInputFiles(file);
  await waitUntil(async () => (await page.getByLabel('Signed PSBT').inputValue()).startsWith('cHNidP'));
  await page.getByRole('button', { name: 'Broadcast' }).click();
  await confirm(page, 'Broadcast');
  await page.getByText('The refund was sent').waitFor();
  await visit(day.customer.page, `/dashboard/orders/${order.id}`);
  await day.shop.node.mine(2);
  await day.customer.page.getByText('Refund confirmed').first().waitFor();
  return readCreditNote(day, order);
}

/** The credit note of an order, which is its second document. The customer reads what it is about. */
async function readCreditNote(day: ShopDay, { id }: BoughtOrder): Promise<CreditNote> {
  const { page } = day.customer;
  const call = (path: string): Promise<unknown> => callAs(getSecondShop(day), page, 'GET', `/orders/${id}/${path}`);
  await waitUntil(async () => listAt(await call('invoices'), 'invoices').length === 2);
  const [, note] = listAt(await call('invoices'), 'invoices');
  assert.deepEqual([textAt(note, 'kind'), numberAt(note, 'total_usd')], ['credit_note', REFUNDED_USD]);
  await page.getByText('Partial refund').waitFor();
  await page
    .getByText(/^1 × AirTag/)
    .first()
    .waitFor();
  await page.getByText(/^\$26\.10, at the bitcoin price of the refund: /).waitFor();
  // The dollars of the tag at the rate of the refund.
  const refund = valueAt(await call('timeline'), 'refunds', 0);
  const sats = Math.round(numberAt(refund, 'amount_btc') * 1e8);
  const exact = (REFUNDED_USD / numberAt(refund, 'rate_usd')) * 1e8;
  assert.ok(Math.abs(sats - exact) <= 1, `${sats} for ${exact}`);
  return { number: textAt(note, 'number'), usd: REFUNDED_USD, sats };
}
