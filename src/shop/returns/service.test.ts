/** Deadlines and retention of returns. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { testKey } from '../../../tests/support/devchain.ts';
import { openOrderRefunds } from '../../../tests/support/order-refunds.ts';
import type { OrderRefunds, Refunded } from '../../../tests/support/order-refunds.ts';
import type { OrderShop } from '../../../tests/support/order-shop.ts';
import { EMPTY_SHOP_SETTINGS } from '../../../tests/support/empty-shop-settings.ts';
import { Returns } from './service.ts';

const DAY_MINUTES = 24 * 60;
let refunding: OrderRefunds;
let shop: OrderShop;
let returns: Returns;
const due: string[] = [];
const mails: string[] = [];
beforeEach(async () => {
  refunding = await openOrderRefunds();
  ({ shop } = refunding);
  due.length = 0;
  mails.length = 0;
  returns = new Returns({
    db: shop.db,
    clock: { now: () => shop.now },
    mails: { enqueue: async (_tx, enqueued) => void mails.push(...enqueued.map(({ event }) => event)) },
    accounts: {
      findContact: async (userId) => ({ username: userId, email: `${userId}@example.com`, isConfirmed: true }),
    },
    orders: shop.orders,
    files: { erasePersonalData: async () => {}, deleteOld: async () => {} },
    manualOrders: { listVariantsOf: async () => [] },
    shopSettings: { current: EMPTY_SHOP_SETTINGS, formatOrderNumber: String },
    refunds: shop.refunds,
    tickets: { create: () => Promise.reject(new Error('no ticket was asked for')) },
    onRequested: async () => {},
    onDue: async (_tx, moment) => void due.push(moment),
  });
});

async function createShippedOrder(): Promise<Refunded> {
  await shop.setStock(5);
  const order = await refunding.createPaidOrder(testKey().address, 0n, 2);
  assert.ok((await shop.fulfilment.record(order.id, { to: 'shipped', trackingReference: null, units: null })).ok);
  return order;
}
async function request({ id, user }: Refunded): Promise<string> {
  const lines = [{ position: 0, quantity: 1 }];
  const requested = await returns.request(user, id, { cause: 'defect', lines, reason: 'It does not start' });
  assert.ok(requested.ok, requested.ok ? '' : requested.reason);
  return requested.found.return.id;
}
/** As the desk approves it. */
const approve = (id: string) =>
  sql`update returns set state = 'approved', decided_at = ${shop.now}, version = version + 1,
    refund_due_at = ${shop.now}::timestamptz + interval '14 days' where id = ${id}`.execute(shop.db);

test('[OPS-28] staff are warned once, three days before a refund that is owed', async () => {
  const order = await createShippedOrder();
  const [sent, kept] = [await request(order), await request(order)];
  await approve(sent);
  await approve(kept);
  assert.ok((await returns.markSent(order.user, sent, 'RR 1')).ok);
  shop.advanceMinutes(11 * DAY_MINUTES - 1);
  await returns.warnOfDeadlines();
  assert.deepEqual(due, [], 'there is time');
  shop.advanceMinutes(1);
  await Promise.all([returns.warnOfDeadlines(), returns.warnOfDeadlines()]);
  assert.equal(due.length, 1, 'of one return, by one of two processes');
  shop.advanceMinutes(20 * DAY_MINUTES);
  await returns.warnOfDeadlines();
  assert.equal(due.length, 1, 'the other one is withheld');
  assert.ok((await returns.markSent(order.user, kept, 'RR 2')).ok);
  await returns.warnOfDeadlines();
  assert.equal(due.length, 2);
});

test('[RET-05] a repeated proof of sending sends no second mail, a corrected one does', async () => {
  const order = await createShippedOrder();
  const id = await request(order);
  await approve(id);
  for (const proof of ['RR 1', 'RR 1', 'RR 2']) assert.ok((await returns.markSent(order.user, id, proof)).ok);
  assert.equal(mails.filter((event) => event.includes('.sent-')).length, 2);
  assert.deepEqual(await returns.markSent('00000000-0000-4000-8000-000000000001', id, 'RR 3'), {
    ok: false,
    reason: 'not-found',
  });
});

test('[RET-05] what buyers wrote is erased with the account, or after the end', async () => {
  const order = await createShippedOrder();
  const [ended, open] = [await request(order), await request(order)];
  assert.ok((await returns.cancel(order.user, ended)).ok);
  const readReasons = async () => (await returns.exportPersonalData(order.id)).map(({ reason }) => reason);
  const endedAt = shop.now;
  await returns.deleteOld(endedAt);
  assert.deepEqual(await readReasons(), ['It does not start', 'It does not start']);
  await returns.deleteOld(new Date(endedAt.getTime() + 1));
  assert.deepEqual(await readReasons(), [null, 'It does not start']);
  await approve(open);
  assert.ok((await returns.markSent(order.user, open, 'RR 1')).ok);
  await shop.db.transaction().execute((tx) => returns.erasePersonalData(tx, [order.id]));
  const [, erased] = await returns.exportPersonalData(order.id);
  assert.deepEqual([erased?.reason, erased?.proof], [null, '-']);
});
