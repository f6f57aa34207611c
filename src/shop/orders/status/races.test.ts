/** Concurrent actions on an order lose, double or oversell nothing. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { addPromotion } from '../../../../tests/support/add-promotion.ts';
import { openOrderShop, WINDOW_MINUTES } from '../../../../tests/support/order-shop.ts';
import type { OrderShop } from '../../../../tests/support/order-shop.ts';
import { createStaffActor } from '../../../../tests/support/staff-actor.ts';

const ROUNDS = 50;
const INITIAL = 3;
const STAFF = createStaffActor(uuidv7());

let shop: OrderShop;
before(async () => {
  shop = await openOrderShop();
});

const ACTIONS = [
  'cancel',
  'requote',
  'pay',
  'payLate',
  'payPart',
  'unpay',
  'expire',
  'reconcileLate',
  'acceptAsPaid',
  'checkout',
  'said',
] as const;
type Action = (typeof ACTIONS)[number];

/** Each response is a success or an expected rejection; anything thrown fails the test. */
async function act(action: Action, user: string, id: string, due: bigint, inTime: Date): Promise<void> {
  const setPaid = (amount: bigint, firstSeen: Date) =>
    shop.setChainState(id, [{ amount, firstSeen, height: shop.tip - 5 }]);
  switch (action) {
    case 'cancel':
      await shop.orderStatus.cancel(user, id);
      return;
    case 'requote':
      await shop.orderStatus.requote(user, id);
      return;
    case 'pay':
      return setPaid(due, inTime);
    case 'payLate':
      return setPaid(due, shop.now);
    case 'payPart':
      return setPaid(due / 3n, inTime);
    case 'unpay':
      return shop.setChainState(id, []);
    case 'expire':
      return shop.orderStatus.expireDue(shop.now);
    case 'reconcileLate':
      return shop.orderStatus.reconcileLate();
    case 'acceptAsPaid':
      await shop.paymentDecisions.acceptAsPaid(id, { by: STAFF, reason: 'We take it' });
      return;
    case 'checkout':
      await shop.checkout(user);
      return;
    case 'said':
      await shop.orders.markUserPaid(user, id);
      return;
    default:
      return action satisfies never;
  }
}

interface Standing {
  /** Orders that use the code and are open or were paid. */
  readonly owing: number;
  readonly open: number;
  readonly ordered: number;
  /** Cancelled, items returned to the cart, then accepted by staff. */
  readonly takenAfterAll: number;
  readonly held: number;
  readonly heldByOthers: number;
  readonly sold: number;
}

/** A buyer's orders, their items, and stock reserved by open orders. */
async function readTotals(user: string): Promise<Standing> {
  const { rows } = await sql<Standing>`
    select count(*) filter (where is_open)::int as open,
      count(*) filter (where promo is not null and (is_open or paid_at is not null))::int as owing,
      coalesce(sum(line.quantity) filter (where payment_status <> 'cancelled'), 0)::int as ordered,
      coalesce(sum(line.quantity) filter (where payment_status <> 'cancelled' and exists (
        select from order_events event where event.order_id = orders.id and event.kind = 'cancelled')), 0)::int as "takenAfterAll",
      coalesce(sum(hold.quantity) filter (where is_open), 0)::int as held,
      coalesce(sum(hold.quantity) filter (where not is_open), 0)::int as "heldByOthers",
      coalesce(sum(line.quantity) filter (where paid_at is not null), 0)::int as sold
    from orders join order_lines line on line.order_id = orders.id left join stock_holds hold on hold.order_id = orders.id
    where user_id = ${user}`.execute(shop.db);
  return rows[0] ?? assert.fail();
}

async function checkInvariants(user: string, pieces: number, soldBefore: number): Promise<void> {
  const stock = await shop.readStock();
  const sold = (await shop.readSoldUnits()) - soldBefore;
  const totals = await readTotals(user);
  assert.ok(stock.available >= 0);
  assert.equal(stock.available + stock.held + sold, INITIAL, 'available, reserved and sold add up');
  assert.equal(totals.held, stock.held);
  assert.equal(totals.heldByOthers, 0, 'only open orders reserve stock');
  assert.equal(sold, totals.sold);
  assert.ok(totals.open <= 1);
  const { rows } = await sql<{ uses: number; orders: number }>`select uses,
      (select count(*)::int from promotion_uses) as orders from promotions`.execute(shop.db);
  assert.deepEqual(rows, [{ uses: totals.owing, orders: totals.owing }], 'one use per order with the promotion');
  const counted = totals.ordered - totals.takenAfterAll + (await shop.countCartUnits(user));
  assert.equal(counted, pieces, 'pieces in the cart and ordered');
  const { rows: twice } = await sql`select order_id from order_events where kind in ('paid', 'settled')
    group by order_id, kind, details having count(*) > 1`.execute(shop.db);
  assert.deepEqual(twice, [], 'paid and accepted once');
}

const action = fc.record({ kind: fc.constantFrom(...ACTIONS), delayMs: fc.nat(12) });
const crowd = fc.array(action, { minLength: 2, maxLength: 7 });

test('[OPS-03] [PAY-10] [PAY-11] [PROMO-03] concurrent actions keep stock, orders and codes consistent', async () => {
  await addPromotion(shop.db, { code: 'RACE', maxUses: 3, maxUsesPerUser: 2 });
  await fc.assert(
    fc.asyncProperty(fc.array(crowd, { minLength: 2, maxLength: 4 }), async (crowds) => {
      await shop.setStock(INITIAL);
      const soldBefore = await shop.readSoldUnits();
      const user = await shop.createBuyer(2);
      const applied = await shop.carts.applyPromotion({ userId: user, guestToken: null }, 'RACE');
      assert.ok(applied.ok);
      const { id, payment } = await shop.placeOrder(user);
      const inTime = shop.now;
      for (const [index, actions] of crowds.entries()) {
        // The first round runs within the window, the second at its end, and so on.
        if (index > 0) shop.advanceMinutes(WINDOW_MINUTES);
        await Promise.all(
          actions.map(async ({ kind, delayMs }) => {
            await sleep(delayMs);
            await act(kind, user, id, payment.amount_btc, inTime);
          }),
        );
        await checkInvariants(user, 2, soldBefore);
      }
      // Closes all orders of this round.
      await sql`update orders set is_open = false, payment_status = 'cancelled', cancelled_at = now()
        where payment_status in ('pending', 'user_paid', 'expired')`.execute(shop.db);
      await sql`delete from stock_holds`.execute(shop.db);
      await sql`delete from promotion_uses`.execute(shop.db);
      await sql`update promotions set uses = 0`.execute(shop.db);
    }),
    { numRuns: ROUNDS, endOnFailure: true },
  );
});

test('[OPS-03] [PAY-10] [PAY-11] concurrent staff, requote, top-up and sync pay and sell once', async () => {
  const delays = fc.array(fc.nat(60), { minLength: 6, maxLength: 6 });
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(delays, fc.boolean(), async (delayMs, tops) => {
      await shop.setStock(INITIAL);
      const soldBefore = await shop.readSoldUnits();
      const user = await shop.createBuyer(2);
      const { id, payment } = await shop.placeOrder(user);
      const part = { amount: payment.amount_btc / 2n, firstSeen: shop.now, height: shop.tip - 5 };
      await shop.setChainState(id, [part]);
      shop.advanceMinutes(WINDOW_MINUTES);
      const top = { amount: payment.amount_btc - part.amount, firstSeen: shop.now, height: shop.tip - 5 };
      const accept = () => shop.paymentDecisions.acceptAsPaid(id, { by: STAFF, reason: 'We take it' });
      const runDelayed = async <Result>(index: number, work: () => Promise<Result>): Promise<Result> => {
        await sleep(delayMs[index] ?? 0);
        return work();
      };
      const [first, second, , requoted] = await Promise.all([
        runDelayed(0, accept),
        runDelayed(1, accept),
        runDelayed(2, () => shop.orderStatus.expireDue(shop.now)),
        runDelayed(3, () => shop.orderStatus.requote(user, id)),
        runDelayed(4, async () => (tops ? shop.setChainState(id, [part, top]) : undefined)),
        runDelayed(5, () => shop.orderStatus.reconcileLate()),
      ]);
      await checkInvariants(user, 2, soldBefore);
      const { payment_status: status, payment: after } = await shop.getShownOrder(user, id);
      const kinds = await shop.listEvents(id);
      assert.equal(status, 'paid', 'rejections come from a faster action only');
      assert.equal(kinds.filter((kind) => kind === 'paid').length, 1);
      const acceptances = kinds.filter((kind) => kind === 'settled').length;
      assert.ok(acceptances <= 1);
      assert.equal(first.ok || second.ok, acceptances === 1, 'a success means one acceptance');
      assert.equal(
        after.state,
        tops && acceptances === 1 && after.amount_btc < after.received_btc ? 'overpaid' : 'paid',
      );
      outcomes.add(`${acceptances} ${requoted.ok}`);
    }),
    { numRuns: ROUNDS, endOnFailure: true },
  );
  assert.ok(outcomes.size > 1, 'more than one order of actions occurred');
});

async function countDeadlocks(): Promise<number> {
  const { rows } = await sql<{ n: number }>`select deadlocks::int as n from pg_stat_database
    where datname = current_database()`.execute(shop.db);
  return rows[0]?.n ?? assert.fail();
}

test('[API-06] parallel checkouts and cancels of the same products never deadlock', async () => {
  await shop.setStock(1000);
  await shop.setStock(1000, shop.otherProductId);
  const deadlocksBefore = await countDeadlocks();
  const buyers = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const user = await shop.createBuyer(0);
      const products = [shop.productId, shop.otherProductId];
      for (const product of index % 2 === 0 ? products : products.toReversed()) await shop.fillCart(user, 1, product);
      return user;
    }),
  );
  await Promise.all(
    buyers.map(async (user) => {
      for (let round = 0; round < 3; round += 1) {
        const placed = await shop.checkout(user);
        assert.ok(placed.ok, placed.ok ? '' : placed.reason);
        assert.ok((await shop.orderStatus.cancel(user, placed.order.id)).ok);
      }
    }),
  );
  for (const product of [shop.productId, shop.otherProductId]) {
    assert.deepEqual(await shop.readStock(product), { available: 1000, held: 0 });
  }
  assert.equal(await countDeadlocks(), deadlocksBefore);
});
