/** Invoices and credit notes over HTTP. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { testKey } from './support/devchain.ts';
import { listAt, numberAt, textAt } from './support/read-json.ts';
import { openRefundShop } from './support/refund-shop.ts';
import type { Buyer, RefundShop } from './support/refund-shop.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: RefundShop;
before(async () => {
  shop = await openRefundShop();
});
after(() => shop.shop.stop());

const listInvoices = async ({ token }: Buyer, orderId: string): Promise<readonly unknown[]> =>
  listAt((await shop.shop.api('GET', `/orders/${orderId}/invoices`, { token })).body, 'invoices');

async function waitForInvoices(buyer: Buyer, orderId: string, count: number): Promise<readonly unknown[]> {
  await waitUntil(async () => (await listInvoices(buyer, orderId)).length === count);
  return listInvoices(buyer, orderId);
}

test('[OPS-16] issues an invoice when an order is paid', async () => {
  const buyer = await shop.createBuyer();
  const id = await shop.createPaidOrder(buyer, 0.009);
  const [invoice] = await waitForInvoices(buyer, id, 1);
  console.log(invoice);
});
