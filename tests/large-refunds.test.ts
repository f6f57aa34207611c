/** A refund whose PSBT has many inputs, and one whose body is too large. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ApiResponse } from './support/api-client.ts';
import { testKey } from './support/devchain.ts';
import { textAt } from './support/read-json.ts';
import { openRefundShop } from './support/refund-shop.ts';
import type { RefundShop } from './support/refund-shop.ts';

let shop: RefundShop;
before(async () => {
  shop = await openRefundShop();
});
after(() => shop.shop.stop());

const readErrorCode = ({ status, body }: ApiResponse): string => `${status} ${textAt(body, 'error', 'code')}`;

test('[PAY-13] accepts the signed PSBT of a refund with 130 inputs', async () => {
  const buyer = await shop.createBuyer();
  const { body } = await shop.checkout(buyer);
  const id = textAt(body, 'order', 'id');
  for (let coin = 0; coin < 130; coin += 1) await shop.callDemoTool('pay', { order_id: id, amount_btc: 0.000_07 });
  await shop.mine(2);
  await shop.confirmAddress(buyer, id, testKey().address);
  const refund = await shop.createRefund(id, { covers: 'whole', fee_paid_by: 'buyer', fee_rate: 1 });
  assert.equal(shop.listCoins(refund).length, 130);
  const { psbt, txid } = await shop.signMany(refund);
  assert.ok(psbt.length > 60_000, `${psbt.length} characters`);
  const broadcastLarge = (token: string) => shop.post(`/refunds/${textAt(refund, 'id')}/broadcast`, { psbt }, token);
  assert.equal(readErrorCode(await broadcastLarge(buyer.token)), '403 forbidden');
  assert.equal((await broadcastLarge(shop.staff)).status, 200);
  await shop.mine(2);
  assert.deepEqual(await shop.listStates(id), [['confirmed', txid]]);
  // The shop does not read the rest, so the connection may be closed while it is still sent.
  const endless = { psbt: 'a'.repeat(1_100_000) };
  const tooLarge = await shop.post(`/refunds/${textAt(refund, 'id')}/broadcast`, endless).catch(() => null);
  if (tooLarge !== null) assert.equal(readErrorCode(tooLarge), '413 too-large');
});
