import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { MailToEnqueue } from '#src/platform/mail/mails.ts';
import { transact } from '#src/platform/database/database.ts';
import { silentLog } from '../../../tests/support/database-server.ts';
import { openOrderShop, WINDOW_MINUTES } from '../../../tests/support/order-shop.ts';
import type { OrderShop } from '../../../tests/support/order-shop.ts';
import { waitUntil } from '../../../tests/support/wait-until.ts';
import type { OrderEventKind } from '#src/shop/orders/order-events.ts';
import type { CustomerMailKind } from '#src/shop/mail-kinds.ts';
import { OrderTimeline } from '#src/shop/orders/timeline/service.ts';
import { Notifications } from './service.ts';
import { OutboxRelay } from './worker.ts';

let shop: OrderShop;
let fails = false;
const enqueued: MailToEnqueue<CustomerMailKind>[] = [];
before(async () => {
  shop = await openOrderShop();
});
beforeEach(() => enqueued.splice(0));

const frame = {
  shopName: 'Crypto Market',
  shopAddress: 'Elm Street',
  shopUrl: 'https://shop.example',
  markUrl: null,
  footer: '',
};
const createTimeline = ({ db, orders, quotes }: OrderShop): OrderTimeline =>
  new OrderTimeline({
    db,
    orders,
    quotes,
    findRefundEntries: async () => ({ refunds: [], address: null }),
    findReceiptAddress: async () => null,
    payments: { getDustSats: () => 294n, getVerifiedAddress: () => Promise.reject(new Error('not asked')) },
  });
function createNotifications({ hasUsers = true } = {}): Notifications {
  return new Notifications({
    db: shop.db,
    mails: {
      enqueue: async (tx, mails) => {
        assert.ok(tx.isTransaction);
        await sleep(5);
        if (fails) throw new Error('not today');
        enqueued.push(...mails);
      },
      isDeliveredTo: () => Promise.resolve(false),
    },
    timeline: createTimeline(shop),
    withdrawals: { findPath: () => null },
    orderTerms: { readForMail: () => Promise.resolve(null) },
    acknowledgements: {
      readMail: () => Promise.reject(new Error('not asked')),
      readLinkMail: () => Promise.reject(new Error('not asked')),
    },
    profile: { issueConfirmation: () => Promise.resolve(null), prepareNotice: () => Promise.resolve(null) },
    invitations: { issueLink: () => Promise.resolve(null) },
    passwordReset: { issueCode: () => Promise.resolve(null) },
    factorChanges: { issueLink: () => Promise.resolve(null) },
    refunds: {
      addresses: { issueConfirmation: () => Promise.resolve(null), readEnteredMail: () => Promise.resolve(null) },
      manual: { readWrittenOffMail: () => Promise.resolve(null) },
      notices: { readMail: () => Promise.resolve(null) },
    },
    returns: { notices: { readMail: () => Promise.resolve(null) } },
    stockAlerts: { readMail: () => Promise.resolve(null) },
    inbox: { readAnswerMail: () => Promise.resolve(null) },
    getSupportEmail: () => null,
    accounts: {
      findContact: (id) =>
        Promise.resolve(
          hasUsers ? { username: `name of ${id}`, email: `${id}@buyer.example`, isConfirmed: true } : null,
        ),
    },
    frame,
  });
}
async function relayAll(notifications = createNotifications()): Promise<string[]> {
  for (let rounds = 0; rounds < 15; rounds += 1) await notifications.relayNext();
  return enqueued.map(({ event }) => event);
}

test('[MAIL-02] each event causes its mail once, in order', async () => {
  const user = await shop.createBuyer();
  const { id, payment } = await shop.placeOrder(user);
  await shop.setChainState(id, [{ amount: 1000n, firstSeen: shop.now }]);
  await shop.orders.markUserPaid(user, id);
  const deep = { amount: payment.amount_btc, firstSeen: shop.now, height: shop.tip - 5 };
  await shop.setChainState(id, [deep]);
  const due = payment.amount_btc;
  const expected = ['made', `underpaid-${due}-1000`, 'paid'].map((occasion) => `order.${id}.${occasion}`);
  assert.deepEqual(await relayAll(), expected);
  for (let times = 0; times < 3; times += 1) {
    await shop.setChainState(id, []);
    await shop.setChainState(id, [deep]);
  }
  const day = shop.now.toISOString().slice(0, 10);
  const again = [`reorged-out-${day}`, `paid-again-${day}`].map((occasion) => `order.${id}.${occasion}`);
  assert.deepEqual(new Set(await relayAll()), new Set([...expected, ...again]));
});

test('[MAIL-02] [PAY-09] a payment that comes and goes is mailed once per amount', async () => {
  const user = await shop.createBuyer();
  const { id, payment } = await shop.placeOrder(user);
  const all = { amount: payment.amount_btc, firstSeen: shop.now };
  for (let times = 0; times < 5; times += 1) {
    await shop.setChainState(id, [all]);
    await shop.setChainState(id, []);
  }
  const events = (await relayAll()).map((event) => event.replace(`order.${id}.`, ''));
  const due = payment.amount_btc;
  assert.deepEqual([...new Set(events)], ['made', `seen-${due}`, `withdrawn-${due}`, `back-${due}`]);
});

test('[MAIL-02] [PAY-09] another payment to an old address is mailed', async () => {
  const user = await shop.createBuyer();
  const { id, payment } = await shop.placeOrder(user);
  const due = payment.amount_btc;
  const [firstSeen, height] = [shop.now, shop.tip - 5];
  const payWith = async (...more: readonly bigint[]): Promise<readonly string[]> => {
    await shop.setChainState(
      id,
      [due, ...more].map((amount) => ({ amount, firstSeen, height })),
    );
    return (await relayAll()).map((event) => event.replace(`order.${id}.`, ''));
  };
  assert.deepEqual(await payWith(), ['made', 'paid']);
  const [first, second] = [`overpaid-${due + 700n}`, `overpaid-${due + 1000n}`];
  assert.deepEqual(await payWith(700n), ['made', 'paid', first]);
  assert.deepEqual(await payWith(700n, 300n), ['made', 'paid', first, second]);
  assert.deepEqual(await payWith(700n, 300n), ['made', 'paid', first, second]);
  assert.deepEqual(
    enqueued.map(({ data }) => data['surplus_sats']),
    ['0', '0', '700', '1000'],
  );
});

test('[MAIL-01] an event whose mail failed is claimed again, by one process', async () => {
  const user = await shop.createBuyer();
  const { id } = await shop.placeOrder(user);
  fails = true;
  await assert.rejects(createNotifications().relayNext(), /not today/);
  fails = false;
  const ids = [id];
  for (let count = 0; count < 20; count += 1) ids.push((await shop.placeOrder(await shop.createBuyer())).id);
  await Promise.all(Array.from({ length: 8 }, () => relayAll()));
  const events = enqueued.map(({ event }) => event);
  assert.deepEqual(events.toSorted(), ids.map((one) => `order.${one}.made`).toSorted());
});

const report = (id: string, kind: OrderEventKind, details: object): Promise<unknown> =>
  transact(shop.db, (tx) => shop.orders.appendEvent(tx, id, kind, shop.now, details));

test('[MAIL-01] events of an order are claimed one at a time', async () => {
  const { id } = await shop.placeOrder(await shop.createBuyer());
  await report(id, 'cancelled', {});
  const taken: string[][] = [];
  const take = (held: Promise<void>): Promise<void> =>
    transact(shop.db, async (tx) => {
      const events = await createTimeline(shop).claimUndispatched(tx, 100);
      taken.push(events.filter((event) => event.order_id === id).map(({ kind }) => kind));
      await held;
    });
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const first = take(held);
  await waitUntil(() => taken.length === 1);
  const second = take(Promise.resolve());
  await sleep(100);
  release();
  await Promise.all([first, second]);
  await take(Promise.resolve());
  assert.deepEqual(taken, [['created'], [], ['cancelled']]);
});

test('[MAIL-02] a mail has time, amounts and reason of its event', async () => {
  const user = await shop.createBuyer();
  const { id, payment } = await shop.placeOrder(user);
  const due_sats = String(payment.amount_btc);
  const words = 'iPhone 17 is sold out';
  await report(id, 'late_sold_out', { due_sats, received_sats: '123400', before_sats: '1', surplus_sats: '7', words });
  await report(id, 'quote_void', {});
  await report(id, 'expired', { due_sats, received_sats: '0' });
  await relayAll();
  assert.deepEqual(
    enqueued.map(({ data }) => data['mail']),
    ['made', 'late-waits', 'quote-void'],
  );
  const [, waits = assert.fail('nothing was enqueued')] = enqueued;
  const at = shop.now.toISOString();
  const expected = { orderId: id, mail: 'late-waits', at, due_sats, received_sats: '123400', before_sats: '1' };
  assert.deepEqual(waits.data, { ...expected, surplus_sats: '7', words });
  const renderText = async (change: object): Promise<string> =>
    (await createNotifications().writers[waits.kind]({ ...waits.data, ...change }))?.text ?? assert.fail('no mail');
  // The payment is not waiting, so there is no mail.
  assert.equal(await createNotifications().writers[waits.kind](waits.data), null);
  shop.advanceMinutes(WINDOW_MINUTES + 1);
  await shop.orderStatus.expireDue(shop.now);
  await shop.setStock(0);
  await shop.setChainState(id, [{ amount: payment.amount_btc, firstSeen: shop.now, height: shop.tip - 5 }]);
  assert.match(await renderText({}), /BTC for your order .* is now confirmed\. iPhone 17 is sold out, so/);
  assert.match(await renderText({ mail: 'paid', at: '2026-03-02T08:05:00.000Z' }), /^Paid: 2 Mar 2026, 08:05 UTC$/m);
  await shop.setStock(1000);
  const replaced = { mail: 'replaced', received_sats: '0', before_sats: '567800000' };
  assert.match(await renderText(replaced), /payment of 5\.678000 BTC .* is no longer on its way/);
  await relayAll();
});

test('[MAIL-02] a mail is written when sent, and not to deleted accounts', async () => {
  const user = await shop.createBuyer();
  const { id, number, payment } = await shop.placeOrder(user);
  const made = `order.${id}.made`;
  await relayAll();
  const { kind, data } = enqueued.find(({ event }) => event === made) ?? assert.fail('nothing was enqueued');
  const write = createNotifications().writers[kind];
  const mail = (await write(data)) ?? assert.fail('no mail');
  assert.equal(mail.to, `${user}@buyer.example`);
  const { rows } = await sql<{ link_token: string }>`select link_token from orders where id = ${id}`.execute(shop.db);
  for (const part of [number, payment.address, `https://shop.example/pay/${rows[0]?.link_token}`, `name of ${user}`]) {
    assert.ok(mail.text.includes(part) && mail.html.includes(part), part);
  }
  const nobody = createNotifications({ hasUsers: false }).writers[kind];
  assert.equal(await nobody?.(data), null);
  assert.equal(await write({ ...data, orderId: '019a0000-0000-7000-8000-000000000000' }), null);
  await assert.rejects(write({ ...data, mail: 'shouted' }), /unknown order mail "shouted"/);
});

test('[MAIL-01] the relay continues after a failure and stops when stopped', async () => {
  let calls = 0;
  const relay = new OutboxRelay({
    notifications: {
      relayNext: () => {
        calls += 1;
        return calls === 2 ? Promise.reject(new Error('away')) : Promise.resolve(calls === 3);
      },
    },
    log: silentLog,
    pollMs: 5,
  });
  relay.start();
  relay.start();
  await waitUntil(() => calls > 6);
  await relay.stop();
  const ended = calls;
  await sleep(30);
  assert.equal(calls, ended);
});
