import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { transact } from '#src/platform/database/database.ts';
import { silentLog } from '../../../../tests/support/database-server.ts';
import { openOrderShop } from '../../../../tests/support/order-shop.ts';
import type { OrderShop } from '../../../../tests/support/order-shop.ts';
import { textAt } from '../../../../tests/support/read-json.ts';
import { waitUntil } from '../../../../tests/support/wait-until.ts';
import type { ShownOrder } from '../show-order.ts';
import { OrderTimeline } from '../timeline/service.ts';
import { LiveOrders } from './service.ts';

let shop: OrderShop;
/** Connected users and the updates sent to each: order and state. */
const listening = new Set<string>();
const messages: string[] = [];
/** Ids of the orders whose changes were published. */
const published: string[] = [];
let publish: (ids: readonly string[]) => void = () => {};
let miss: () => void = () => {};
let live: LiveOrders;
/** Runs between reading and sending an order. */
let afterRead: () => Promise<void> = () => Promise.resolve();

const read = async (order: Promise<ShownOrder | null>): Promise<ShownOrder | null> => {
  const shown = await order;
  await afterRead();
  return shown;
};

before(async () => {
  shop = await openOrderShop();
  live = new LiveOrders({
    pubSub: {
      publish: (_, id) => void published.push(id),
      subscribe: (_, listener) => (publish = listener),
      onGap: (listener) => (miss = listener),
    },
    orders: {
      find: (userId, id) => read(shop.orders.find(userId, id)),
      findCurrent: (userId) => read(shop.orders.findCurrent(userId)),
    },
    timeline: new OrderTimeline({
      db: shop.db,
      orders: shop.orders,
      findRefundEntries: async () => ({ refunds: [], address: null }),
      findReceiptAddress: async () => null,
      payments: { getDustSats: () => 294n, getVerifiedAddress: () => Promise.reject(new Error('not asked')) },
      quotes: shop.quotes,
    }),
    log: silentLog,
  });
  live.start({
    get users() {
      return [...listening];
    },
    isConnected: (userId) => listening.has(userId),
    send: (userId, { data }) => {
      messages.push(`${userId} ${textAt(data, 'orderId')} ${textAt(data, 'payment', 'state')}`);
    },
  });
});
beforeEach(() => {
  listening.clear();
  messages.splice(0);
  published.splice(0);
  afterRead = () => Promise.resolve();
});

async function createListenerWithOrder(): Promise<{ readonly user: string; readonly id: string }> {
  const user = await shop.createBuyer();
  const { id } = await shop.placeOrder(user);
  listening.add(user);
  return { user, id };
}
/** Waits long enough to catch updates sent in excess. */
async function waitForMessage(last: { readonly user: string; readonly id: string }): Promise<void> {
  publish([last.id]);
  await waitUntil(() => messages.at(-1) === `${last.user} ${last.id} awaiting`);
}

test('[WS-03] publishes after commit, never after a rollback', async () => {
  const { id } = await createListenerWithOrder();
  published.splice(0);
  await assert.rejects(
    transact(shop.db, async (tx) => {
      live.publish(tx, [id]);
      throw new Error('rolled back on purpose');
    }),
    /rolled back on purpose/,
  );
  assert.deepEqual(published, []);
  await transact(shop.db, async (tx) => {
    live.publish(tx, [id]);
    assert.deepEqual(published, []);
  });
  assert.deepEqual(published, [id]);
});

test('[WS-03] sends an order to its connected owner only', async () => {
  const [first, other, away] = [
    await createListenerWithOrder(),
    await createListenerWithOrder(),
    await createListenerWithOrder(),
  ];
  listening.delete(away.user);
  publish([away.id, first.id]);
  await waitUntil(() => messages.length > 0);
  await waitForMessage(other);
  assert.deepEqual(messages, [`${first.user} ${first.id} awaiting`, `${other.user} ${other.id} awaiting`]);
});

test('[WS-03] sends updates in read order; reads again after a change', async () => {
  const { user, id } = await createListenerWithOrder();
  let reads = 0;
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  afterRead = () => ((reads += 1) === 1 ? held : Promise.resolve());
  publish([id]);
  await waitUntil(() => reads === 1);
  await shop.setChainState(id, [{ amount: 1000n, firstSeen: shop.now }]);
  publish([id]);
  publish([id]);
  // Enough time to overtake.
  await waitForMessage(await createListenerWithOrder());
  release();
  await waitUntil(() => messages.includes(`${user} ${id} underpaid`));
  assert.deepEqual(
    messages.filter((message) => message.startsWith(user)),
    [`${user} ${id} awaiting`, `${user} ${id} underpaid`],
  );
});

test('[WS-03] sends current orders to everyone after a connection gap', async () => {
  const [first, other] = [await createListenerWithOrder(), await createListenerWithOrder()];
  miss();
  await waitUntil(() => messages.length === 2);
  assert.deepEqual(
    messages.toSorted(),
    [`${first.user} ${first.id} awaiting`, `${other.user} ${other.id} awaiting`].toSorted(),
  );
});

test('[WS-03] skips an unreadable order until its next change', async () => {
  const first = await createListenerWithOrder();
  let tries = 0;
  afterRead = () => ((tries += 1) === 1 ? Promise.reject(new Error('away')) : Promise.resolve());
  publish([first.id]);
  await waitUntil(() => tries === 1);
  await waitForMessage(first);
  assert.equal(messages.length, 1);
});
