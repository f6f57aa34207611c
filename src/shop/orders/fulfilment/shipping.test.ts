/** An order is shipped only while paid, and once, under concurrency. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { transact } from '#src/platform/database/database.ts';
import { openOrderShop } from '../../../../tests/support/order-shop.ts';
import type { OrderShop, Output } from '../../../../tests/support/order-shop.ts';

const ROUNDS = 25;

let shop: OrderShop;
before(async () => {
  shop = await openOrderShop();
});

const ship = (id: string, trackingReference: string | null = null) =>
  shop.fulfilment.record(id, { to: 'shipped', trackingReference });
const deliver = (id: string) => shop.fulfilment.record(id, { to: 'delivered' });

async function createPaidOrder(): Promise<{
  readonly id: string;
  readonly user: string;
  readonly outputs: readonly Output[];
}> {
  const user = await shop.createBuyer();
  const { id, payment } = await shop.placeOrder(user);
  const outputs = [{ amount: payment.amount_btc, firstSeen: shop.now, height: shop.tip - 5 }];
  await shop.setChainState(id, outputs);
  return { id, user, outputs };
}

test('[OPS-03] [PAY-12] holds an order with a reorganized payment until paid again', async () => {
  const { id, user, outputs } = await createPaidOrder();
  await shop.setChainState(id, []);
  assert.equal((await shop.getShownOrder(user, id)).payment.state, 'reorged_out');
  assert.deepEqual(await ship(id), { ok: false, reason: 'shipping-held' });
  assert.equal((await shop.getShownOrder(user, id)).fulfilment_status, 'unfulfilled');
  await shop.setChainState(id, outputs);
  assert.ok((await ship(id)).ok);
  assert.ok((await deliver(id)).ok);
  // A shipped parcel cannot be held.
  await shop.setChainState(id, []);
  assert.equal((await shop.getShownOrder(user, id)).fulfilment_status, 'delivered');
  assert.deepEqual((await shop.listEvents(id)).slice(1), [
    'paid',
    'reorged_out',
    'paid_again',
    'shipped',
    'delivered',
    'reorged_out',
  ]);
  assert.deepEqual(await ship(uuidv7()), { ok: false, reason: 'not-found' });
});

test('[OPS-03] parallel shipping happens once and never without a payment', async () => {
  let [sentCount, held] = [0, 0];
  // Delay of shipping after the reorganization in ms, adjusted until both coincide.
  let [later, step] = [0, 4];
  let wasSent: boolean | null = null;
  for (let round = 0; round < ROUNDS; round += 1) {
    const { id, user } = await createPaidOrder();
    const [results] = await Promise.all([
      Promise.all(
        ['A', 'B', null].map(async (reference, index) => {
          await sleep(Math.max(later, 0) + 3 * ((round + index) % 4));
          return ship(id, reference);
        }),
      ),
      sleep(Math.max(-later, 0)).then(() => shop.setChainState(id, [])),
      deliver(id),
    ]);
    const events = (await shop.listEvents(id)).filter((kind) => ['shipped', 'reorged_out'].includes(kind));
    const isSent = events.includes('shipped');
    assert.deepEqual(events, isSent ? ['shipped', 'reorged_out'] : ['reorged_out']);
    assert.equal(
      results.some(({ ok }) => ok),
      isSent,
    );
    for (const result of results) {
      assert.ok(result.ok || ['shipping-held', 'shipped-otherwise'].includes(result.reason));
    }
    assert.equal((await shop.getShownOrder(user, id)).fulfilment_status === 'unfulfilled', !isSent);
    if (isSent) sentCount += 1;
    else held += 1;
    step = wasSent === isSent ? step * 2 : 4;
    later += isSent ? step : -step;
    wasSent = isSent;
  }
  assert.ok(sentCount > 0 && held > 0, `both happen: ${sentCount} sent, ${held} held`);
});

test('[OPS-13] a full refund restocks only the units that were not shipped', async () => {
  const countCommitted = async (): Promise<number> => {
    const { rows } = await sql<{ quantity: number }>`
      select coalesce(sum(quantity), 0)::int as quantity from committed_stock
    `.execute(shop.db);
    return rows[0]?.quantity ?? 0;
  };
  const others = await countCommitted();
  const user = await shop.createBuyer(3);
  const { id, payment } = await shop.placeOrder(user);
  await shop.setChainState(id, [{ amount: payment.amount_btc, firstSeen: shop.now, height: shop.tip - 5 }]);
  assert.equal(await countCommitted(), others + 3);
  const part = { to: 'shipped', trackingReference: null, number: 1, units: [{ position: 0, quantity: 1 }] } as const;
  assert.ok((await shop.fulfilment.record(id, part)).ok);
  assert.equal((await shop.getShownOrder(user, id)).fulfilment_status, 'partly_shipped');
  assert.equal(await countCommitted(), others + 2);
  await transact(shop.db, async (tx) => {
    await sql`update orders set refund_state = 'refunded', payment_status = 'refunded' where id = ${id}`.execute(tx);
    await shop.stock?.restock(tx, [id], shop.now);
  });
  assert.equal(await countCommitted(), others);
  assert.deepEqual(await shop.fulfilment.record(id, { to: 'shipped', trackingReference: null }), {
    ok: false,
    reason: 'refunding',
  });
});
