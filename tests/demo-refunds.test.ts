/** Refunds of a demo shop, signed by its own wallet. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestContext } from 'node:test';
import { sql } from 'kysely';
import type { ApiResponse } from './support/api-client.ts';
import { testKey } from './support/devchain.ts';
import { startLiveShop } from './support/live-shop.ts';
import { textAt, valueAt } from './support/read-json.ts';
import { openRefundShop } from './support/refund-shop.ts';
import type { RefundShop } from './support/refund-shop.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';

let shop: RefundShop;
before(async () => {
  // Empty: the shop uses the account of its demo wallet.
  shop = await openRefundShop({ BITCOIN_XPUB: '' });
});
after(() => shop.shop.stop());

const readErrorCode = ({ status, body }: ApiResponse): string => `${status} ${textAt(body, 'error', 'code')}`;
const sign = (refund: unknown, token = shop.staff, of = shop): Promise<ApiResponse> =>
  of.post(`/dev/refunds/${textAt(refund, 'id')}/sign`, {}, token);

async function createRefund(of: RefundShop) {
  const { buyer, id } = await of.createOverpaidOrder(testKey().address);
  return { buyer, id, refund: await of.createRefund(id) };
}

/** Signs and broadcasts. @returns the id of the transaction, once it was detected */
async function send(orderId: string, refund: unknown): Promise<string> {
  const signed = await sign(refund);
  assert.equal(signed.status, 200, JSON.stringify(signed.body));
  const body = { psbt: textAt(signed.body, 'psbt') };
  const sent = await shop.post(`/refunds/${textAt(refund, 'id')}/broadcast`, body);
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  await shop.syncChain();
  const [[state, txid] = []] = await shop.listStates(orderId);
  assert.equal(state, 'sent');
  return String(txid);
}

test('[PAY-13] the demo wallet signs a refund, and the buyer sees it confirmed', async () => {
  const { buyer, id, refund } = await createRefund(shop);
  const txid = await send(id, refund);
  assert.equal(readErrorCode(await sign(refund)), '404 not-found', 'it is sent');
  await shop.mine(3);
  assert.deepEqual(await shop.listStates(id), [['confirmed', txid]]);
  const { kinds, refunds } = await shop.readTimeline(buyer, id);
  assert.equal(valueAt(refunds, 0, 'txid'), txid);
  assert.ok(kinds.includes('refund_confirmed'), kinds.join());
});

test('[PAY-13] only staff who move money let the demo wallet sign', async () => {
  const { buyer, refund } = await createRefund(shop);
  assert.equal((await sign(refund, '')).status, 401);
  assert.equal((await sign(refund, buyer.token)).status, 403);
  const signed = await sign(refund);
  assert.doesNotMatch(JSON.stringify(signed.body), /prv/);
  const { rows } = await runWithShopDatabase(shop.shop, (db) =>
    sql<{ secrets: number }>`select count(*)::int as secrets from devchain_wallet`.execute(db),
  );
  assert.deepEqual(rows, [{ secrets: 1 }]);
});

test('[PAY-13] the account of the demo wallet outlives a restart', async () => {
  const { id, refund } = await createRefund(shop);
  await shop.shop.restart();
  const txid = await send(id, refund);
  await shop.mine(3);
  assert.deepEqual(await shop.listStates(id), [['confirmed', txid]]);
});

test('[PAY-13] the demo wallet has no key of another account', async (t: TestContext) => {
  const other = await openRefundShop();
  t.after(() => other.shop.stop());
  const { refund } = await createRefund(other);
  assert.equal(readErrorCode(await sign(refund, other.staff, other)), '409 foreign-account');
});

test('[PAY-13] a live shop has no wallet that signs', async (t: TestContext) => {
  const live = await startLiveShop();
  t.after(() => live.stop());
  const path = `/dev/refunds/${crypto.randomUUID()}/sign`;
  assert.equal(readErrorCode(await live.shop.api('POST', path, { body: {} })), '404 not-found');
});
