import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { addPromotion } from '../../../../tests/support/add-promotion.ts';
import type { PromotionSketch } from '../../../../tests/support/add-promotion.ts';
import { openOrderShop, WINDOW_MINUTES, toWire } from '../../../../tests/support/order-shop.ts';
import type { OrderShop } from '../../../../tests/support/order-shop.ts';
import type { CheckoutResult } from '../service.ts';

let shop: OrderShop;
let codes = 0;
before(async () => {
  shop = await openOrderShop();
});

async function createCode(sketch: Omit<PromotionSketch, 'code'> = {}): Promise<string> {
  const code = `CODE${(codes += 1)}`;
  await addPromotion(shop.db, { code, ...sketch });
  return code;
}
async function applyCode(code: string, user?: string): Promise<string> {
  const buyer = user ?? (await shop.createBuyer());
  if ((await shop.countCartLines(buyer)) === 0) await shop.fillCart(buyer);
  const changed = await shop.carts.applyPromotion({ userId: buyer, guestToken: null }, code);
  assert.ok(changed.ok, 'the code was not applied');
  return buyer;
}
/** Stored and actual number of uses. */
async function readUses(code: string): Promise<readonly number[]> {
  const { rows } = await sql<{ uses: number; orders: number }>`select uses,
      (select count(*)::int from promotion_uses where promotion_id = promotions.id) as orders
    from promotions where code = ${code}`.execute(shop.db);
  const { uses, orders } = rows[0] ?? assert.fail();
  return [uses, orders];
}
const readCart = (userId: string) => shop.carts.read({ userId, guestToken: null });
const readReason = (result: CheckoutResult): string =>
  result.ok ? 'ordered' : `${result.reason}: ${result.words ?? ''}`;

test('[PROMO-03] [PROMO-05] [API-11] an order stores code, totals and gift, and counts the use', async () => {
  const code = await createCode({ basisPoints: 1500, maxUses: 2 });
  const user = await applyCode(code);
  assert.deepEqual(await readUses(code), [0, 0], 'applying does not count as a use');
  const cart = await readCart(user);
  const order = toWire(await shop.placeOrder(user));
  assert.deepEqual(order.promoCode, { code, type: 'fixed_percent', discount_value: 15 });
  assert.deepEqual([order.total_price_usd, order.total_usd_after, order.discount], [999, 849.15, 15]);
  assert.deepEqual([order.total_price_btc, order.total_btc_after], [0.009, 0.00765]);
  assert.equal(order.payment.amount_btc, Number(cart.totalBtcValue) / 1e8);
  assert.deepEqual(await readUses(code), [1, 1]);
  assert.equal((await readCart(user)).appliedPromoCode, null);
  await sql`update promotions set discount_basis_points = 1, is_active = false where code = ${code}`.execute(shop.db);
  assert.deepEqual(await shop.getShownOrder(user, order.id), order, 'later changes of the promotion do not matter');

  const gift = await createCode({ type: 'free_item', gift: shop.otherProductId });
  await shop.setStock(1, shop.otherProductId);
  const giftOrder = toWire(await shop.placeOrder(await applyCode(gift)));
  assert.deepEqual(
    giftOrder.order_items.map((item) => [item.product_id, item.isFree, item.price_usd, item.price_btc, item.quantity]),
    [
      [shop.productId, false, 999, 0.009, 1],
      [shop.otherProductId, true, 0, 0, 1],
    ],
  );
  assert.equal(giftOrder.total_usd_after, 999);
  assert.deepEqual(
    await shop.readStock(shop.otherProductId),
    { available: 0, held: 1 },
    'a gift is reserved like any item',
  );
  await sql`delete from variant_stock`.execute(shop.db);
});

test('[PROMO-03] 20 parallel buyers of the last use place one order', async () => {
  const code = await createCode({ maxUses: 1 });
  const buyers = await Promise.all(Array.from({ length: 20 }, () => applyCode(code)));
  const addresses = await shop.countRows('order_addresses');
  for (let round = 0; round < 5; round += 1) {
    const results = await Promise.all(buyers.map((user) => shop.checkout(user)));
    const reasons = results.filter(({ ok }) => !ok).map(readReason);
    assert.deepEqual([...new Set(reasons)], [`promo: The promo code ${code} has been used up`]);
    assert.equal(reasons.length, 19);
    assert.deepEqual(await readUses(code), [1, 1]);
    assert.equal(await shop.countRows('order_addresses'), addresses + round + 1);
    const winner = results.findIndex(({ ok }) => ok);
    const [placed, user] = [results[winner], buyers[winner]];
    assert.ok(placed?.ok && user !== undefined);
    const cancels = await Promise.all([1, 2, 3].map(() => shop.orderStatus.cancel(user, placed.order.id)));
    assert.ok(cancels.every(({ ok }) => ok));
    assert.deepEqual(await readUses(code), [0, 0], 'returned once despite repeated cancels');
    const cart = await readCart(user);
    assert.deepEqual([cart.appliedPromoCode?.code, cart.cart_items.length], [code, 1], 'the cart is restored');
  }
});

test('[PROMO-03] the limit per user holds through checkouts, cancelling and requotes', async () => {
  const code = await createCode({ maxUsesPerUser: 1 });
  const user = await applyCode(code);
  const { id } = await shop.placeOrder(user);
  await shop.fillCart(user);
  const again = await shop.carts.applyPromotion({ userId: user, guestToken: null }, code);
  assert.ok(!again.ok, 'the user has no use left');
  await applyCode(code);
  assert.deepEqual(await readUses(code), [1, 1], 'other users can use it');

  // Applied while free, then used by a requote: the checkout reports it.
  shop.advanceMinutes(WINDOW_MINUTES);
  await shop.orderStatus.expireDue(shop.now);
  assert.deepEqual(await readUses(code), [0, 0]);
  await applyCode(code, user);
  assert.ok((await shop.orderStatus.requote(user, id)).ok);
  assert.equal((await readCart(user)).promoError, `You have already used the promo code ${code} once`);
  assert.ok((await shop.orderStatus.cancel(user, id)).ok);
  assert.equal((await readCart(user)).promoError, null);
  assert.ok((await shop.checkout(user)).ok);
});

test('[PROMO-03] a lapsed code fails the checkout with the reason', async () => {
  const code = await createCode({ endsAt: new Date(shop.now.getTime() + 60_000) });
  const user = await applyCode(code);
  shop.advanceMinutes(1);
  assert.equal(readReason(await shop.checkout(user)), `promo: The promo code ${code} has expired`);
  assert.deepEqual([await shop.countRows('orders', user), await shop.countCartUnits(user)], [0, 1]);
  assert.ok((await shop.carts.removePromotion({ userId: user, guestToken: null })).ok);
  assert.equal(toWire(await shop.placeOrder(user)).total_usd_after, 999);
});

test('[PROMO-03] [PAY-11] [PAY-16] expiry restores the use; a requote redeems it again', async () => {
  const code = await createCode({ basisPoints: 3333, maxUses: 1 });
  const user = await applyCode(code);
  const former = toWire(await shop.createExpiredOrder(user));
  assert.deepEqual(await readUses(code), [0, 0]);
  const rate = shop.centsPerBtc;
  shop.centsPerBtc = 9_990_000n;
  const quoted = await shop.orderStatus.requote(user, former.id);
  shop.centsPerBtc = rate;
  assert.ok(quoted.ok);
  const order = toWire(quoted.order);
  assert.deepEqual([order.total_usd_after, order.promoCode], [former.total_usd_after, former.promoCode]);
  // 999 dollars are 0.01 bitcoin now; 66.67 percent of that, rounded up.
  assert.deepEqual(
    [order.total_price_btc, order.total_btc_after, order.payment.amount_btc],
    [0.01, 0.006667, 0.006667],
  );
  assert.deepEqual(await readUses(code), [1, 1]);

  shop.advanceMinutes(WINDOW_MINUTES);
  await shop.orderStatus.expireDue(shop.now);
  await sql`update promotions set uses = 1 where code = ${code}`.execute(shop.db);
  await shop.setStock(5);
  const asked = await shop.orderStatus.requote(user, former.id);
  assert.ok(!asked.ok && asked.reason === 'repriced');
  const words = `The promo code ${code} has been used up. The total is now $999.00 instead of $666.03`;
  assert.equal(asked.words, words);
  assert.equal((await shop.getShownOrder(user, former.id)).payment_status, 'expired');
  assert.deepEqual(await shop.readStock(), { available: 5, held: 0 }, 'nothing is reserved');
  await sql`delete from variant_stock`.execute(shop.db);
});

test('[PROMO-03] [PAY-10] a late payment waits while its promo code is used up', async () => {
  const code = await createCode({ maxUses: 1 });
  const user = await applyCode(code);
  const { id, payment } = await shop.createExpiredOrder(user);
  const rival = await shop.placeOrder(await applyCode(code));
  await shop.setStock(5);
  const late = { amount: payment.amount_btc, firstSeen: shop.now, height: shop.tip - 3 };
  await shop.setChainState(id, [late]);
  await shop.orderStatus.reconcileLate();
  await shop.orderStatus.reconcileLate();
  const waiting = await shop.getShownOrder(user, id);
  assert.deepEqual([waiting.payment_status, waiting.payment.state], ['expired', 'late']);
  assert.equal((await shop.listEvents(id)).filter((kind) => kind === 'late_promo_gone').length, 1);
  assert.deepEqual(await shop.readStock(), { available: 5, held: 0 });

  const { rows } = await sql<{ user: string }>`select user_id as user from orders where id = ${rival.id}`.execute(
    shop.db,
  );
  assert.ok((await shop.orderStatus.cancel(rows[0]?.user ?? '', rival.id)).ok);
  await shop.orderStatus.reconcileLate();
  assert.equal((await shop.getShownOrder(user, id)).payment_status, 'paid');
  assert.deepEqual(await readUses(code), [1, 1]);
  assert.deepEqual(await shop.readStock(), { available: 4, held: 0 });
  await sql`delete from variant_stock`.execute(shop.db);
});

test('[PROMO-03] [PAY-08] an order with total 0 is paid immediately', async () => {
  const code = await createCode({ type: 'fixed_amount', cents: 100_000, maxUses: 3 });
  await shop.setStock(2);
  const [user, sold] = [await applyCode(code), await shop.readSoldUnits()];
  const order = toWire(await shop.placeOrder(user));
  assert.deepEqual([order.payment_status, order.payment.state], ['paid', 'paid']);
  assert.deepEqual([order.total_usd_after, order.total_btc_after, order.discount], [0, 0, 100]);
  assert.deepEqual([order.payment.amount_btc, order.payment.bip21], [0, null]);
  assert.deepEqual(await shop.listEvents(order.id), ['created', 'paid']);
  assert.deepEqual([await shop.readStock(), (await shop.readSoldUnits()) - sold], [{ available: 1, held: 0 }, 1]);
  assert.equal(await shop.orders.findOpenAddress(user), null, 'the user has no open order');
  const refused = await shop.orderStatus.cancel(user, order.id);
  assert.ok(!refused.ok && refused.reason === 'not-cancellable');
  shop.advanceMinutes(WINDOW_MINUTES);
  await shop.orderStatus.expireDue(shop.now);
  assert.deepEqual([(await shop.getShownOrder(user, order.id)).payment_status, await readUses(code)], ['paid', [1, 1]]);

  const [dust, enough] = [99_899, 99_867].map((off) => createCode({ type: 'fixed_amount', cents: off }));
  const left = await shop.createBuyer();
  assert.equal(readReason(await shop.checkout(await applyCode((await dust) ?? '', left))), 'below-dust: ', 'one cent');
  assert.equal(readReason(await shop.checkout(await applyCode((await enough) ?? '', left))), 'ordered', '33 cents');
  await sql`delete from variant_stock`.execute(shop.db);
});

test('[CART-09] [API-06] reports changed prices and products and orders nothing', async () => {
  const user = await shop.createBuyer();
  await sql`update cart_lines set seen_cents = 89900
    where cart_id = (select id from carts where user_id = ${user})`.execute(shop.db);
  const message = 'repriced: iPhone 17 now costs $999.00 instead of $899.00. Review your cart to continue';
  assert.equal(readReason(await shop.checkout(user)), message);
  assert.equal(readReason(await shop.checkout(user, 'key')), message, 'until the buyer accepts the new price');
  assert.ok((await shop.carts.acceptPrices({ userId: user, guestToken: null })).ok);
  assert.equal(readReason(await shop.checkout(user, 'key')), 'ordered');
});
