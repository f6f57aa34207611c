import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openOrderShop, WINDOW_MINUTES } from '../../../../tests/support/order-shop.ts';
import type { OrderShop } from '../../../../tests/support/order-shop.ts';
import type { NextQuote } from './quotes.service.ts';

const RATE = 11_100_000n;
let shop: OrderShop;
before(async () => {
  shop = await openOrderShop();
});

async function findNextQuote(id: string): Promise<NextQuote> {
  const next = await shop.quotes.findNext(id);
  return next ?? assert.fail('it can be quoted again');
}

/** An expired order with a late payment of a share and confirmations. */
async function createLatePayment(share: (due: bigint) => bigint, confirmations: number) {
  const user = await shop.createBuyer();
  const { id, payment } = await shop.placeOrder(user);
  shop.advanceMinutes(WINDOW_MINUTES + 1);
  await shop.orderStatus.expireDue(shop.now);
  const height = confirmations === 0 ? null : shop.tip - confirmations + 1;
  // At a rate outside the tolerance.
  shop.centsPerBtc = RATE / 2n;
  await shop.setChainState(id, [{ amount: share(payment.amount_btc), firstSeen: shop.now, height }]);
  return { user, id, due: payment.amount_btc };
}

test('[PAY-10] [PAY-11] the preview equals the requote and reports a blocking rate', async () => {
  for (const [share, confirmations, isRateBlocking] of [
    [(due: bigint) => due, 2, true],
    [(due: bigint) => due, 0, false],
    [(due: bigint) => due / 3n, 2, false],
  ] as const) {
    const { user, id } = await createLatePayment(share, confirmations);
    const next = await findNextQuote(id);
    assert.deepEqual([next.rate, next.isRateBlocking], [RATE / 2n, isRateBlocking]);
    const shown = await shop.getShownOrder(user, id);
    assert.equal(shown.payment_status, 'expired', 'reading changes nothing');
    assert.ok((await shop.orderStatus.requote(user, id)).ok);
    const { payment } = await shop.getShownOrder(user, id);
    const missing = Math.round((payment.amount_btc - payment.received_btc) * 1e8);
    assert.equal(next.missingSats, BigInt(Math.max(0, missing)));
    shop.centsPerBtc = RATE;
  }
});

test('[PAY-11] no preview for open or paid orders, or without a rate', async () => {
  const user = await shop.createBuyer();
  const { id, payment } = await shop.placeOrder(user);
  assert.equal(await shop.quotes.findNext(id), null);
  shop.advanceMinutes(WINDOW_MINUTES + 1);
  await shop.orderStatus.expireDue(shop.now);
  assert.equal((await findNextQuote(id)).missingSats, payment.amount_btc);
  shop.centsPerBtc = null;
  assert.equal((await shop.quotes.findNext(id))?.rate, null);
  shop.centsPerBtc = RATE;
  await shop.setChainState(id, [{ amount: payment.amount_btc, firstSeen: shop.now, height: shop.tip - 1 }]);
  assert.equal((await shop.getShownOrder(user, id)).payment_status, 'paid');
  assert.equal(await shop.quotes.findNext(id), null);
});
