/** Refunds, shipments and other buyers in random order and concurrently. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { addPromotion } from '../../../tests/support/add-promotion.ts';
import { testKey } from '../../../tests/support/devchain.ts';
import { openOrderRefunds } from '../../../tests/support/order-refunds.ts';
import type { OrderRefunds, Refunded } from '../../../tests/support/order-refunds.ts';
import { WINDOW_MINUTES } from '../../../tests/support/order-shop.ts';
import type { OrderShop } from '../../../tests/support/order-shop.ts';
import { createStaffActor } from '../../../tests/support/staff-actor.ts';

const RUNS = 25;
const PIECES = 3;
const USES = 2;
const CODE = 'TWICE';

let refunding: OrderRefunds;
let shop: OrderShop;
before(async () => {
  refunding = await openOrderRefunds();
  ({ shop } = refunding);
  await addPromotion(shop.db, { code: CODE, maxUses: USES });
});

const ship = (id: string) => shop.fulfilment.record(id, { to: 'shipped', trackingReference: null });

/** There is one chain sync at a time. */
let watcher: Promise<unknown> = Promise.resolve();
function runInTurn<T>(work: () => Promise<T>): Promise<T> {
  const done = watcher.then(work);
  watcher = done.catch(() => {});
  return done;
}

interface Bought extends Refunded {
  readonly address: string;
  readonly byte: number;
}

let bytes = 0;
async function createBuyer(): Promise<string> {
  const user = await shop.createBuyer();
  await shop.carts.applyPromotion({ userId: user, guestToken: null }, CODE);
  return user;
}

/** Null if there are none left. */
async function buyItem(): Promise<Bought | null> {
  const user = await createBuyer();
  const checkedOut = await shop.checkout(user);
  if (!checkedOut.ok) return null;
  const { id, payment } = checkedOut.order;
  bytes = (bytes + 1) % 256;
  const order = { user, id, due: payment.amount_btc, address: testKey().address, byte: bytes };
  await runInTurn(() => shop.setChainState(id, [{ amount: order.due, height: shop.tip - 5, firstSeen: shop.now }]));
  await refunding.confirmAddress(order, order.address);
  return order;
}

async function withdrawOne({ id }: Bought): Promise<void> {
  const made = (await shop.refunds.readForOrder(id))?.refunds.find(({ state }) => state === 'made');
  if (made) await shop.refunds.withdraw(createStaffActor(refunding.staff), made.id);
}

const SAID = {
  sent: { height: null, isLive: true },
  final: { height: 90, isLive: true },
  left: { height: null, isLive: false },
};

const ACTIONS = ['buy', 'order', 'make', 'withdraw', 'sent', 'final', 'left', 'undo', 'ship', 'expire'] as const;
interface Step {
  readonly action: (typeof ACTIONS)[number];
  readonly which: number;
}

async function act({ action, which }: Step, orders: Bought[]): Promise<void> {
  const order = orders[which % Math.max(1, orders.length)];
  if (action === 'order') return void (await shop.checkout(await createBuyer()));
  if (action === 'expire') {
    shop.advanceMinutes(WINDOW_MINUTES);
    return runInTurn(() => shop.orderStatus.expireDue(shop.now));
  }
  if (action === 'buy' || order === undefined) {
    const one = await buyItem();
    return void (one && orders.push(one));
  }
  switch (action) {
    case 'make':
      return void (await shop.refunds.make(createStaffActor(refunding.staff), order.id, {
        covers: 'whole',
        feePaidBy: 'shop',
        from: 'any-wallet',
      }));
    case 'withdraw':
      return withdrawOne(order);
    case 'undo':
      await act({ action: 'left', which }, orders);
      return withdrawOne(order);
    case 'ship':
      return void (await ship(order.id));
    default: {
      const { rows } = await sql`select from refund_scripts where address = ${order.address}`.execute(shop.db);
      const seen = [{ byte: order.byte, ...SAID[action] }];
      if (rows.length > 0) await runInTurn(() => refunding.setChainState(order.address, seen, order.due));
    }
  }
}

interface StockFacts {
  readonly available: number;
  readonly held: number;
  readonly sold: number;
  /** Quantity of orders that own their stock. */
  readonly owned: number;
  readonly uses: number;
  readonly counted: number;
  /** Open or paid orders with the promo code, with and without stock. */
  readonly entitled: number;
  readonly sentWithout: number;
}

async function readStockFacts(): Promise<StockFacts> {
  const { rows } = await sql<StockFacts>`
    select available,
      (select coalesce(sum(quantity), 0)::int from stock_holds) as held,
      coalesce((select sold_units from product_sales where product_id = ${shop.productId}), 0) as sold,
      (select coalesce(sum(line.quantity), 0)::int from orders join order_lines line on line.order_id = orders.id
        where paid_at is not null and units_returned_at is null) as owned,
      (select uses from promotions where code = ${CODE}) as uses,
      (select count(*)::int from promotion_uses) as counted,
      (select count(*)::int from orders where promo is not null
        and (is_open or (paid_at is not null and units_returned_at is null))) as entitled,
      (select count(*)::int from orders where fulfilment_status <> 'unfulfilled' and units_returned_at is not null)
        as "sentWithout"
    from variant_stock stock join product_variants variant on variant.id = variant_id
    where product_id = ${shop.productId}
  `.execute(shop.db);
  return rows[0] ?? assert.fail('no stock');
}

const FORGET = `delete from refunds; delete from payment_outputs; delete from refund_address_confirmations;
  delete from refund_addresses; delete from promotion_uses; delete from order_events; delete from stock_holds;
  delete from order_lines; delete from order_addresses; delete from orders; delete from product_sales;
  update promotions set uses = 0`;

const step: fc.Arbitrary<Step> = fc.record({
  action: fc.constantFrom(...ACTIONS, 'make', 'final', 'final'),
  which: fc.nat(1),
});
/** Actions of one list run concurrently. */
const history = fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 6, maxLength: 16, size: 'max' });

/** Withdrawn after it was final: with stock left, and with all stock reserved by others. */
const GIVEN_UP: readonly Step['action'][] = ['make', 'final', 'undo', 'ship'];
const TOO_LATE: readonly Step['action'][] = ['make', 'final', 'order', 'order', 'order', 'undo', 'ship'];
const examples = [GIVEN_UP, TOO_LATE].map((actions): [Step[][]] => [actions.map((action) => [{ action, which: 0 }])]);

test('[PAY-13] refunds, shipments and buyers keep stock and promo uses consistent', async (t) => {
  const reached = new Map<string, number>();
  const play = async (moments: readonly (readonly Step[])[]): Promise<void> => {
    for (const statement of FORGET.split(';')) await sql.raw(statement).execute(shop.db);
    await shop.setStock(PIECES);
    const orders: Bought[] = [];
    for (const moment of [[{ action: 'buy', which: 0 } as const], ...moments]) {
      // Waits for all of them before reporting a failure.
      const done = await Promise.allSettled(moment.map((one) => act(one, orders)));
      for (const one of done) if (one.status === 'rejected') throw one.reason;
      const { available, held, owned, sold, uses, counted, entitled, sentWithout } = await readStockFacts();
      assert.equal(available + held + owned, PIECES, 'all stock is accounted for');
      assert.equal(sold, owned, 'units sold');
      assert.equal(sentWithout, 0);
      assert.deepEqual([counted, entitled], [uses, uses]);
    }
    for (const { id } of orders) {
      for (const kind of await shop.listEvents(id)) reached.set(kind, (reached.get(kind) ?? 0) + 1);
    }
  };
  await fc.assert(fc.asyncProperty(history, play), { numRuns: RUNS, examples });
  t.diagnostic([...reached].map(([kind, count]) => `${count} ${kind}`).join(', '));
  for (const kind of ['units_returned', 'units_taken', 'units_gone', 'shipped', 'refund_withdrawn']) {
    assert.ok((reached.get(kind) ?? 0) > 0, `none of ${kind}`);
  }
});

test('[PAY-13] the last item of a refunded order is sold once', async () => {
  for (let round = 0; round < 10; round += 1) {
    for (const statement of FORGET.split(';')) await sql.raw(statement).execute(shop.db);
    await shop.setStock(1);
    const order = (await buyItem()) ?? assert.fail('nothing was bought');
    await refunding.createRefund(order.id, 'whole');
    const buyers = await Promise.all([1, 2, 3, 4].map(() => shop.createBuyer()));
    const confirmRefund = () =>
      runInTurn(() => refunding.setChainState(order.address, [{ byte: order.byte, ...SAID.final }], order.due));
    const [, ...results] = await Promise.all([confirmRefund(), ...buyers.map((user) => shop.checkout(user))]);
    const got = results.filter(({ ok }) => ok).length;
    assert.ok(got <= 1);
    assert.deepEqual(await shop.readStock(), { available: 1 - got, held: got });
    const after = await Promise.all(buyers.map((user) => shop.checkout(user)));
    assert.equal(got + after.filter(({ ok }) => ok).length, 1);
  }
});

test('[PAY-13] [OPS-03] a shipment precedes a concurrent refund or fails', async () => {
  const outcomes = new Set<string>();
  for (let round = 0; round < 20; round += 1) {
    for (const statement of FORGET.split(';')) await sql.raw(statement).execute(shop.db);
    await shop.setStock(1);
    const order = (await buyItem()) ?? assert.fail('nothing was bought');
    const make = () => refunding.createRefund(order.id, 'whole');
    const [sent] = await (round % 2 === 0
      ? Promise.all([ship(order.id), make()])
      : Promise.all([make(), ship(order.id)]).then(([made, shipped]) => [shipped, made] as const));
    const turns = (await shop.listEvents(order.id)).filter((kind) => kind === 'shipped' || kind === 'refund_made');
    assert.deepEqual(turns, sent.ok ? ['shipped', 'refund_made'] : ['refund_made']);
    if (!sent.ok) assert.equal(sent.reason, 'refunding');
    await runInTurn(() => refunding.setChainState(order.address, [{ byte: order.byte, ...SAID.final }], order.due));
    assert.equal((await shop.readStock()).available, sent.ok ? 0 : 1);
    outcomes.add(turns.join());
  }
  assert.ok(outcomes.size > 0);
});
