/** A refund is planned without a lock, and made under it: what has changed in between is seen. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { testKey } from '../../../tests/support/devchain.ts';
import { openOrderRefunds, SURPLUS } from '../../../tests/support/order-refunds.ts';
import type { OrderRefunds, Refunded } from '../../../tests/support/order-refunds.ts';
import type { OrderShop } from '../../../tests/support/order-shop.ts';
import { until } from '../../../tests/support/until.ts';
import type { Made } from './service.ts';

let refunding: OrderRefunds;
let shop: OrderShop;
before(async () => {
  refunding = await openOrderRefunds();
  ({ shop } = refunding);
});

/** Somebody waits for a lock of this kind: `relation` for a table, `transactionid` for a row. */
const isWaitingFor = (kind: 'relation' | 'transactionid') => async (): Promise<boolean> => {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and wait_event = ${kind}
  `.execute(shop.db);
  return rows.length > 0;
};

const startTransaction = () => shop.db.startTransaction().execute();
type Begun = Awaited<ReturnType<typeof startTransaction>>;

/**
 * Makes a refund whose order changes after each of its plans, before it looks again. Each plan is stopped at a table that
 * only plans read, until the order is locked for the change: who gets the lock first is not left to chance.
 */
async function madeWhile({ id }: Refunded, change: (tx: Db) => Promise<unknown>, times = 1): Promise<Made> {
  const open: Begun[] = [];
  const begin = async (statement: RawBuilder<unknown>): Promise<Begun> => {
    const tx = await startTransaction();
    open.push(tx);
    await statement.execute(tx);
    return tx;
  };
  const stopPlans = () => begin(sql`lock table restores in access exclusive mode`);
  try {
    let stopped = await stopPlans();
    const making = shop.refunds.make(refunding.staff, id, { covers: 'surplus', feePaidBy: 'shop', from: 'any-wallet' });
    for (let left = times; left > 0; left -= 1) {
      await until(isWaitingFor('relation'));
      const changing = await begin(sql`select from orders where id = ${id} for no key update`);
      await stopped.commit().execute();
      await until(isWaitingFor('transactionid'));
      if (left > 1) stopped = await stopPlans();
      await change(changing);
      await changing.commit().execute();
    }
    return await making;
  } finally {
    for (const tx of open) if (!tx.isCommitted) await tx.rollback().execute();
  }
}

async function receives(tx: Db, { id }: Refunded, amount: bigint): Promise<void> {
  const txid = Buffer.from(testKey().secret);
  await sql`insert into payment_outputs (txid, vout, order_id, amount_sats, is_coinbase, is_live, height, block_hash,
      first_seen, raw_tx)
    values (${txid}, 0, ${id}, ${amount}, false, true, ${shop.tip - 5}, ${Buffer.alloc(32, 1)}, ${shop.now}, '')`.execute(
    tx,
  );
}

test('[PAY-13] more that came while a refund was planned is in it', async () => {
  const order = await refunding.paid(testKey().address, SURPLUS);
  const made = await madeWhile(order, (tx) => receives(tx, order, 700n));
  assert.ok(made.ok);
  assert.deepEqual([made.refund.debit_btc, made.refund.amount_btc], [SURPLUS + 700n, SURPLUS + 700n]);
});

test('[PAY-13] what left while a refund was planned is not sent back', async () => {
  const order = await refunding.paid(testKey().address, SURPLUS);
  const leaves = (tx: Db) =>
    sql`update payment_outputs set amount_sats = ${order.due + 600n} where order_id = ${order.id}`.execute(tx);
  const made = await madeWhile(order, leaves);
  assert.ok(made.ok);
  assert.equal(made.refund.debit_btc, 600n);
});

test('[PAY-13] an address that was confirmed while a refund was planned is where it goes; one that was not ends it', async () => {
  const [first, second] = [testKey().address, testKey().address];
  const order = await refunding.paid(first, SURPLUS);
  const rename = (address: string, at: Date | null) => (tx: Db) =>
    sql`update refund_addresses set address = ${address}, confirmed_at = ${at} where order_id = ${order.id}`.execute(
      tx,
    );
  const refused = await madeWhile(order, rename(second, null));
  assert.deepEqual(refused, { ok: false, reason: 'address-not-confirmed' });
  await rename(first, shop.now)(shop.db);
  const made = await madeWhile(order, rename(second, shop.now));
  assert.ok(made.ok);
  assert.equal(made.refund.address, second);
});

test('[PAY-13] an order that changes with every look is refused, and nothing of the refund stays', async () => {
  const order = await refunding.paid(testKey().address, SURPLUS);
  const made = await madeWhile(order, (tx) => receives(tx, order, 100n), 3);
  assert.deepEqual(made, { ok: false, reason: 'changed' });
  assert.deepEqual(await refunding.states(order.id), []);
});
