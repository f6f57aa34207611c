/** A refund is planned without a lock and made under it, so changes in between are noticed. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { testKey } from '../../../tests/support/devchain.ts';
import { openOrderRefunds, SURPLUS } from '../../../tests/support/order-refunds.ts';
import type { OrderRefunds, Refunded } from '../../../tests/support/order-refunds.ts';
import type { OrderShop } from '../../../tests/support/order-shop.ts';
import { waitUntil } from '../../../tests/support/wait-until.ts';
import type { MakeResult } from './service.ts';
import { createStaffActor } from '../../../tests/support/staff-actor.ts';

let refunding: OrderRefunds;
let shop: OrderShop;
before(async () => {
  refunding = await openOrderRefunds();
  ({ shop } = refunding);
});

/** Waits until this many connections of the database wait for locks. */
const areWaiting = (count: number) => async (): Promise<boolean> => {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
  `.execute(shop.db);
  return rows.length >= count;
};

/**
 * Makes a refund whose order changes between its plan and its lock. With `times` the next lock is
 * requested behind the refund, so that it waits again after replanning. Locks the table, since row
 * locks are not granted in the order of requests.
 */
async function makeWhile({ id }: Refunded, change: (tx: Db) => Promise<unknown>, times = 1): Promise<MakeResult> {
  const making: Promise<MakeResult>[] = [];
  const hold = async (left: number): Promise<void> => {
    let next: Promise<void> | undefined;
    await shop.db.transaction().execute(async (tx) => {
      await sql`lock table orders in exclusive mode`.execute(tx);
      if (making.length === 0) {
        making.push(
          shop.refunds.make(createStaffActor(refunding.staff), id, {
            covers: 'surplus',
            feePaidBy: 'shop',
            from: 'any-wallet',
          }),
        );
      }
      await waitUntil(areWaiting(1));
      if (left > 1) {
        next = hold(left - 1);
        await waitUntil(areWaiting(2));
      }
      await change(tx);
    });
    await next;
  };
  await hold(times);
  return (await making[0]) ?? assert.fail();
}

async function recordOutput(tx: Db, { id }: Refunded, amount: bigint): Promise<void> {
  const txid = Buffer.from(testKey().secret);
  await sql`insert into payment_outputs (txid, vout, order_id, amount_sats, is_coinbase, is_live, height, block_hash,
      first_seen, raw_tx)
    values (${txid}, 0, ${id}, ${amount}, false, true, ${shop.tip - 5}, ${Buffer.alloc(32, 1)}, ${shop.now}, '')`.execute(
    tx,
  );
}

test('[PAY-13] a payment during planning is included in the refund', async () => {
  const order = await refunding.createPaidOrder(testKey().address, SURPLUS);
  const made = await makeWhile(order, (tx) => recordOutput(tx, order, 700n));
  assert.ok(made.ok);
  assert.deepEqual([made.refund.debit_btc, made.refund.amount_btc], [SURPLUS + 700n, SURPLUS + 700n]);
});

test('[PAY-13] a payment lost during planning is not refunded', async () => {
  const order = await refunding.createPaidOrder(testKey().address, SURPLUS);
  const shrinkOutputs = (tx: Db) =>
    sql`update payment_outputs set amount_sats = ${order.due + 600n} where order_id = ${order.id}`.execute(tx);
  const made = await makeWhile(order, shrinkOutputs);
  assert.ok(made.ok);
  assert.equal(made.refund.debit_btc, 600n);
});

test('[PAY-13] a refund goes to the address confirmed during its planning', async () => {
  const [first, second] = [testKey().address, testKey().address];
  const order = await refunding.createPaidOrder(first, SURPLUS);
  const rename = (address: string, at: Date | null) => (tx: Db) =>
    sql`update refund_addresses set address = ${address}, confirmed_at = ${at} where order_id = ${order.id}`.execute(
      tx,
    );
  const refused = await makeWhile(order, rename(second, null));
  assert.deepEqual(refused, { ok: false, reason: 'address-not-confirmed' });
  await rename(first, shop.now)(shop.db);
  const made = await makeWhile(order, rename(second, shop.now));
  assert.ok(made.ok);
  assert.equal(made.refund.address, second);
});

test('[PAY-13] an order that changes at every attempt is refused', async () => {
  const order = await refunding.createPaidOrder(testKey().address, SURPLUS);
  const made = await makeWhile(order, (tx) => recordOutput(tx, order, 100n), 3);
  assert.deepEqual(made, { ok: false, reason: 'changed' });
  assert.deepEqual(await refunding.readStates(order.id), []);
});
