/** Staff change promotions while buyers order with them. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { openOrderShop, toWire, WINDOW_MINUTES } from '../../../../tests/support/order-shop.ts';
import type { OrderShop } from '../../../../tests/support/order-shop.ts';
import { createPromotionFields } from '../../../../tests/support/promotion-fields.ts';
import { Refusal } from '#src/platform/http/call.ts';
import { PromotionChanges } from '#src/shop/promotions/editing/changes.service.ts';
import type { StoredPromotion } from '#src/shop/promotions/editing/changes.service.ts';
import type { PromotionFields } from '#src/shop/promotions/editing/contract.ts';
import { cents } from '#src/shop/money.ts';
import type { CheckoutResult } from '../service.ts';
import { allowPriceChanges, staffActor } from '../../../../tests/support/staff-actor.ts';

let shop: OrderShop;
let changes: PromotionChanges;
before(async () => {
  shop = await openOrderShop();
  changes = new PromotionChanges({
    db: shop.db,
    clock: { now: () => shop.now },
    catalogue: { findByIds: () => [] },
    revisions: { announce: async () => {} },
    priceGuard: allowPriceChanges,
  });
});

function requireChange(changed: StoredPromotion | Refusal): StoredPromotion {
  assert.ok(!(changed instanceof Refusal), describe(changed));
  return changed;
}
let codes = 0;
async function create(changed: Partial<PromotionFields> = {}): Promise<StoredPromotion> {
  return requireChange(
    await changes.create(createPromotionFields({ code: `CHANGE${(codes += 1)}`, ...changed }), staffActor),
  );
}
const edit = async (
  { id, code }: StoredPromotion,
  changed: Partial<PromotionFields>,
): Promise<StoredPromotion | Refusal> => {
  const { version = 0 } = (await changes.find(id)) ?? {};
  return changes.edit(id, version, createPromotionFields({ code, ...changed }), staffActor);
};
async function applyCode(code: string): Promise<string> {
  const buyer = await shop.createBuyer();
  assert.ok((await shop.carts.applyPromotion({ userId: buyer, guestToken: null }, code)).ok);
  return buyer;
}
const readReason = (result: CheckoutResult): string =>
  result.ok ? 'ordered' : `${result.reason}: ${result.words ?? ''}`;
const describe = (changed: StoredPromotion | Refusal): string => (changed instanceof Refusal ? changed.code : 'ok');

test('[OPS-11] [PROMO-05] an order keeps code and totals of an edited promotion', async () => {
  const promotion = await create({ discount_value: 15 });
  const { code, id } = promotion;
  const user = await applyCode(code);
  const order = toWire(await shop.placeOrder(user));
  assert.deepEqual([order.total_usd_after, order.promoCode?.discount_value], [849.15, 15]);
  const changed = { code: 'RENAMED', type: 'fixed_amount', discount_value: 1, max_uses: 1 } as const;
  requireChange(await edit(promotion, changed));
  assert.deepEqual(await shop.getShownOrder(user, order.id), order);
  requireChange(await changes.setActive(id, false, staffActor));
  assert.deepEqual(await shop.getShownOrder(user, order.id), order);
  assert.equal(describe(await changes.remove(id, staffActor)), 'used');

  // A requote takes the promotion of now.
  shop.advanceMinutes(WINDOW_MINUTES);
  await shop.orderStatus.expireDue(shop.now);
  assert.equal((await changes.find(id))?.uses, 0);
  assert.equal(describe(await changes.remove(id, staffActor)), 'used', 'an expired order can use it again');
  const asked = await shop.orderStatus.requote(user, order.id);
  assert.ok(!asked.ok);
  assert.equal(asked.words, 'The promo code RENAMED is no longer valid. The total is now $999.00 instead of $849.15');
  requireChange(await changes.setActive(id, true, staffActor));
  const changedTotal = await shop.orderStatus.requote(user, order.id);
  assert.ok(!changedTotal.ok);
  assert.equal(changedTotal.words, 'The total is now $998.00 instead of $849.15');
  const quoted = await shop.orderStatus.requote(user, order.id, null, cents(99_800n));
  assert.ok(quoted.ok);
  assert.deepEqual(toWire(quoted.order).promoCode, { code: 'RENAMED', type: 'fixed_amount', discount_value: 1 });
  assert.equal(toWire(quoted.order).total_usd_after, 998);
  assert.equal((await changes.find(id))?.uses, 1);
});

test('[OPS-11] the checkout takes the promotion of the database', async () => {
  const promotion = await create({ discount_value: 15 });
  const user = await applyCode(promotion.code);
  requireChange(await edit(promotion, { discount_value: 50 }));
  assert.equal(toWire(await shop.placeOrder(user)).total_usd_after, 499.5);
  const late = await applyCode(promotion.code);
  requireChange(await changes.setActive(promotion.id, false, staffActor));
  assert.equal(readReason(await shop.checkout(late)), `promo: The promo code ${promotion.code} is no longer valid`);
  const unused = await create();
  const holder = await applyCode(unused.code);
  assert.equal(describe(await changes.remove(unused.id, staffActor)), 'ok');
  assert.equal(toWire(await shop.placeOrder(holder)).total_usd_after, 999);
});

test('[OPS-11] no order has a discount that was edited during its checkout', async () => {
  const promotion = await create({ discount_value: 1 });
  const shares = [1];
  for (let round = 0; round < 8; round += 1) {
    const buyers = await Promise.all(Array.from({ length: 6 }, () => applyCode(promotion.code)));
    shares.push(round + 2);
    const editing = edit(promotion, { discount_value: round + 2 });
    const results = await Promise.all(buyers.map((user) => shop.checkout(user)));
    requireChange(await editing);
    for (const result of results) {
      if (!result.ok) {
        assert.equal(
          readReason(result),
          `promo: The promo code ${promotion.code} has just changed. Check the new total`,
        );
        continue;
      }
      const { discount, promoCode } = toWire(result.order);
      assert.equal(discount, promoCode?.discount_value);
      assert.ok(shares.slice(-2).includes(discount), `${discount} in round ${round}`);
    }
  }
  // An order read one version and was counted for that version only.
  const use = { promotionId: promotion.id, orderId: promotion.id, userId: promotion.id, at: shop.now };
  assert.equal(await shop.promotions.redeem(shop.db, { ...use, version: 1 }), 'changed');
});

test('[OPS-11] a limit below the present uses is refused with their number', async () => {
  const promotion = await create({ max_uses: 3 });
  const user = await applyCode(promotion.code);
  const first = await shop.placeOrder(user);
  await shop.placeOrder(await applyCode(promotion.code));
  const refused = await edit(promotion, { max_uses: 1 });
  assert.ok(refused instanceof Refusal);
  assert.deepEqual(
    [refused.code, refused.fields],
    ['limit-below-uses', { max_uses: 'It has been used 2 times. Enter at least 2' }],
  );
  requireChange(await edit(promotion, { max_uses: 2, max_uses_per_user: 1 }));
  assert.ok((await shop.orderStatus.cancel(user, first.id)).ok);
  requireChange(await edit(promotion, { max_uses: 1 }));
});

test('[OPS-11] never more uses than the limit while 20 buyers order and it is lowered', async () => {
  for (let round = 0; round < 5; round += 1) {
    const promotion = await create({ max_uses: 15 });
    const buyers = await Promise.all(Array.from({ length: 20 }, () => applyCode(promotion.code)));
    const orders = Promise.all(buyers.map((user) => shop.checkout(user)));
    const limits: number[] = [15];
    for (const limit of [12, 9, 6, 3]) {
      const lowered = await edit(promotion, { max_uses: limit });
      if (lowered instanceof Refusal) assert.equal(lowered.code, 'limit-below-uses');
      else {
        limits.push(limit);
        assert.ok(lowered.uses <= limit);
      }
    }
    const results = await orders;
    const { rows } = await sql<{ uses: number; orders: number }>`select uses, (select count(*)::int from promotion_uses
      where promotion_id = promotions.id) as orders from promotions where id = ${promotion.id}`.execute(shop.db);
    const ordered = results.filter(({ ok }) => ok).length;
    assert.deepEqual(rows, [{ uses: ordered, orders: ordered }]);
    assert.ok(ordered <= Math.min(...limits), `${ordered} uses with limits ${limits.join()}`);
    for (const result of results.filter(({ ok }) => !ok)) {
      assert.match(readReason(result), /^promo: The promo code CHANGE\d+ has (?:been used up|just changed)/);
    }
  }
});
