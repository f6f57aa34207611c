/** A refund from the customer's address to the credit note. */
import assert from 'node:assert/strict';
import { Transaction } from '@scure/btc-signer';
import { callAs, visit } from '../buyer.ts';
import { testKey } from '../devchain.ts';
import { listAt, numberAt, textAt } from '../read-json.ts';
import { waitUntil } from '../wait-until.ts';
import type { BoughtOrder } from './purchase-steps.ts';
import { confirm, CUSTOMER, getSecondShop, waitForMail } from './shop-day.ts';
import type { ShopDay } from './shop-day.ts';

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

/** What the owner chooses in the form of a refund: the whole order. */
async function createRefund({ owner: { page } }: ShopDay, { id }: BoughtOrder): Promise<void> {
  await visit(page, `/admin/orders/${id}`);
  await page.getByLabel('Covers').first().selectOption('whole');
  await page.getByRole('button', { name: 'Create refund' }).click();
  await confirm(page, 'Create refund');
}

/** The owner signs the refund in the wallet and broadcasts it. Returns the dollars of its credit note. */
export async function refund(day: ShopDay, order: BoughtOrder): Promise<number> {
  const { page } = day.owner;
  await confirmRefundAddress(day, order);
  await createRefund(day, order);
  const transaction = Transaction.fromPSBT(
    Buffer.from(await page.getByRole('region', { name: 'Unsigned transaction (PSBT)' }).innerText(), 'base64'),
  );
  transaction.sign(day.shop.wallet);
  await page.getByLabel('Signed PSBT').fill(Buffer.from(transaction.toPSBT()).toString('base64'));
  await page.getByRole('button', { name: 'Broadcast' }).click();
  await confirm(page, 'Broadcast');
  await page.getByText('The refund was sent').waitFor();
  await visit(day.customer.page, `/dashboard/orders/${order.id}`);
  await day.shop.node.mine(2);
  await day.customer.page.getByText('Refund confirmed').first().waitFor();
  return readCreditNote(day, order);
}

/** The amount of the only credit note of an order, which is its second document. */
async function readCreditNote(day: ShopDay, { id }: BoughtOrder): Promise<number> {
  const list = async (): Promise<readonly unknown[]> =>
    listAt(await callAs(getSecondShop(day), day.customer.page, 'GET', `/orders/${id}/invoices`), 'invoices');
  await waitUntil(async () => (await list()).length === 2);
  const [invoice, note] = await list();
  assert.equal(textAt(note, 'kind'), 'credit_note');
  assert.equal(numberAt(note, 'total_usd'), numberAt(invoice, 'total_usd'));
  return numberAt(note, 'total_usd');
}
