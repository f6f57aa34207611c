import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { setProductStock } from '../../../tests/support/add-variants.ts';
import { addPromotion } from '../../../tests/support/add-promotion.ts';
import {
  cable,
  countCarts,
  requireCart,
  createGuest,
  anonymous,
  ofUser,
  openCartShop,
  other,
  phone,
  getToken,
  user,
  createUuid,
} from '../../../tests/support/cart-shop.ts';
import type { CartShop } from '../../../tests/support/cart-shop.ts';
import type { CartResponse } from './service.ts';

const DAY_S = 24 * 3600;

async function openShopWithPhone(cables = 1): Promise<CartShop> {
  const shop = await openCartShop(cables);
  await shop.carts.add(ofUser, { product_id: phone, quantity: 1 });
  return shop;
}
const readReason = async (shop: CartShop, code: string): Promise<string> => {
  const changed = await shop.carts.applyPromotion(ofUser, code);
  return changed.ok ? 'applied' : changed.reason;
};
const listGifts = (cart: CartResponse) => cart.cart_items.filter(({ isFree }) => isFree);

test('[API-05] [PROMO-03] [PROMO-06] applies a code in any case until it is removed', async () => {
  const shop = await openShopWithPhone();
  await addPromotion(shop.db, { code: 'SPRING15', basisPoints: 1500 });
  const applied = requireCart(await shop.carts.applyPromotion(ofUser, '  spring15 '));
  assert.deepEqual(applied.appliedPromoCode, { code: 'SPRING15', type: 'fixed_percent', discount_value: 15 });
  assert.deepEqual([applied.discount, applied.promoError], [15, null]);
  assert.deepEqual([applied.subtotal_usd, applied.totalCartValue, applied.discount_usd], [99_900n, 84_915n, 14_985n]);
  assert.deepEqual([applied.subtotal_btc, applied.totalBtcValue, applied.discount_btc], [900_000n, 765_000n, 135_000n]);
  assert.deepEqual(await shop.carts.read(ofUser), applied);
  assert.deepEqual(
    requireCart(await shop.carts.applyPromotion(ofUser, 'SPRING15')),
    applied,
    'applying again changes nothing',
  );
  const removed = requireCart(await shop.carts.removePromotion(ofUser));
  assert.deepEqual([removed.appliedPromoCode, removed.totalCartValue, removed.discount], [null, 99_900n, 0]);
  assert.deepEqual(requireCart(await shop.carts.removePromotion(ofUser)), removed);
});

test('[PROMO-03] discounts by type, never below zero', async () => {
  const shop = await openShopWithPhone();
  const totals: [string, bigint, bigint, number][] = [];
  for (const type of ['discount_percent', 'extra_discount', 'fixed_percent'] as const) {
    await addPromotion(shop.db, { code: type.toUpperCase(), type, basisPoints: 1250 });
  }
  await addPromotion(shop.db, { code: 'MINUS50', type: 'fixed_amount', cents: 5000 });
  await addPromotion(shop.db, { code: 'ALL', type: 'fixed_amount', cents: 5_000_000 });
  for (const code of ['DISCOUNT_PERCENT', 'EXTRA_DISCOUNT', 'FIXED_PERCENT', 'MINUS50', 'ALL']) {
    const cart = requireCart(await shop.carts.applyPromotion(ofUser, code));
    totals.push([code, cart.totalCartValue, cart.totalBtcValue, cart.discount]);
  }
  assert.deepEqual(totals, [
    // 874.125 dollars, rounded half up.
    ['DISCOUNT_PERCENT', 87_413n, 787_500n, 12.5],
    ['EXTRA_DISCOUNT', 87_413n, 787_500n, 12.5],
    ['FIXED_PERCENT', 87_413n, 787_500n, 12.5],
    ['MINUS50', 94_900n, 855_000n, 5.01],
    ['ALL', 0n, 0n, 100],
  ]);
});

test('[PROMO-02] reports a code that cannot apply as not found', async () => {
  const shop = await openShopWithPhone(2);
  const now = shop.clock.now().getTime();
  await addPromotion(shop.db, { code: 'OVER', endsAt: new Date(now - 1) });
  await addPromotion(shop.db, { code: 'LATER', startsAt: new Date(now + 60_000) });
  await addPromotion(shop.db, { code: 'MINIMUM', minimumCents: 99_901 });
  await addPromotion(shop.db, { code: 'GIFT', type: 'free_item', gift: cable });
  const once = await addPromotion(shop.db, { code: 'ONCE', maxUses: 1 });
  await sql`update promotions set uses = 1 where id = ${once}`.execute(shop.db);
  await addPromotion(shop.db, { code: 'GONE' });
  await sql`update promotions set is_active = false where code = 'GONE'`.execute(shop.db);
  await setProductStock(shop.db, cable, 0);
  for (const code of ['NONE', 'OVER', 'LATER', 'MINIMUM', 'GIFT', 'ONCE', 'GONE', 'ß', "' or 1=1"]) {
    assert.equal(await readReason(shop, code), 'no-such-promotion', code);
  }
  await sql`update variant_stock set available = 1`.execute(shop.db);
  assert.equal(await readReason(shop, 'GIFT'), 'applied');
});

test('[PROMO-03] [CART-04] adds and removes the gift as the cart qualifies', async () => {
  const shop = await openShopWithPhone();
  await addPromotion(shop.db, { code: 'GIFT', type: 'free_item', gift: cable, minimumCents: 150_000 });
  const setQuantity = async (pieces: number): Promise<CartResponse> =>
    requireCart(await shop.carts.update(ofUser, { product_id: phone, quantity: pieces }));
  await setQuantity(2);
  const applied = requireCart(await shop.carts.applyPromotion(ofUser, 'gift'));
  const [gift] = listGifts(applied);
  assert.deepEqual([gift?.product_id, gift?.quantity, gift?.price_usd, gift?.price_btc], [cable, 1, 0n, 0n]);
  assert.deepEqual([applied.totalCartValue, applied.discount, applied.promoError], [199_800n, 0, null]);

  const below = await setQuantity(1);
  assert.deepEqual([listGifts(below), below.appliedPromoCode?.code], [[], 'GIFT']);
  assert.equal(below.promoError, 'The promo code GIFT requires an order of at least $1,500');
  assert.deepEqual([listGifts(await setQuantity(2)).length, (await shop.carts.read(ofUser)).promoError], [1, null]);

  assert.deepEqual(await shop.carts.update(ofUser, { product_id: cable, quantity: 5 }), {
    ok: false,
    reason: 'not-in-cart',
  });
  assert.equal(listGifts(requireCart(await shop.carts.remove(ofUser, { product_id: cable }))).length, 1);
  // Also bought: two lines, the paid one first.
  const both = requireCart(await shop.carts.add(ofUser, { product_id: cable, quantity: 3 }));
  assert.deepEqual(
    both.cart_items.filter(({ product_id: id }) => id === cable).map((item) => [item.isFree, item.quantity]),
    [
      [false, 3],
      [true, 1],
    ],
  );
  // Stock of 4: three in the cart leave one for the gift; four leave none.
  await setProductStock(shop.db, cable, 4);
  assert.equal(listGifts(await shop.carts.read(ofUser)).length, 1);
  await sql`update variant_stock set available = 3`.execute(shop.db);
  const without = await shop.carts.read(ofUser);
  assert.deepEqual([listGifts(without), without.promoError], [[], 'The gift of the promo code GIFT is sold out']);
  await shop.carts.remove(ofUser, { product_id: cable });
  const empty = requireCart(await shop.carts.remove(ofUser, { product_id: phone }));
  assert.deepEqual(empty.cart_items, [], 'no gift without another line');
});

test('[PROMO-02] [PROMO-03] shows why an applied code no longer applies', async () => {
  const shop = await openShopWithPhone();
  await addPromotion(shop.db, { code: 'TODAY', endsAt: new Date(shop.clock.now().getTime() + DAY_S * 1000) });
  assert.equal(requireCart(await shop.carts.applyPromotion(ofUser, 'TODAY')).discount, 10);
  shop.clock.setOffset(DAY_S);
  const lapsed = await shop.carts.read(ofUser);
  assert.equal(lapsed.appliedPromoCode?.code, 'TODAY');
  assert.deepEqual([lapsed.promoError, lapsed.discount], ['The promo code TODAY has expired', 0]);
  assert.equal(lapsed.totalCartValue, 99_900n);
  shop.clock.setOffset(0);
  await sql`update promotions set max_uses = 1, uses = 1`.execute(shop.db);
  assert.equal((await shop.carts.read(ofUser)).promoError, 'The promo code TODAY has been used up');
  await sql`update promotions set is_active = false`.execute(shop.db);
  assert.equal((await shop.carts.read(ofUser)).promoError, 'The promo code TODAY is no longer valid');
  await sql`delete from promotions`.execute(shop.db);
  assert.equal((await shop.carts.read(ofUser)).appliedPromoCode, null, 'a deleted code is no longer applied');
});

test('[PROMO-04] suggests the advertised code that saves most', async () => {
  const shop = await openShopWithPhone(2);
  const readSuggested = async (): Promise<string | null> =>
    (await shop.carts.read(ofUser)).suggestedPromo?.code ?? null;
  assert.equal(await readSuggested(), null);
  await addPromotion(shop.db, { code: 'SECRET', basisPoints: 9000 });
  await addPromotion(shop.db, { code: 'TEN', isAdvertised: true });
  await addPromotion(shop.db, { code: 'GIFT', type: 'free_item', gift: cable, isAdvertised: true });
  await addPromotion(shop.db, { code: 'MUCH', basisPoints: 5000, minimumCents: 99_901, isAdvertised: true });
  const limited = { maxUses: 5, maxUsesPerUser: 1, isAdvertised: true };
  const first = await addPromotion(shop.db, { code: 'FIRST', basisPoints: 2000, ...limited });
  await shop.promotions.refresh();
  assert.equal(await readSuggested(), 'FIRST');
  assert.deepEqual((await shop.carts.read(ofUser)).suggestedPromo, {
    code: 'FIRST',
    type: 'fixed_percent',
    discount_value: 20,
  });
  await sql`update promotions set uses = 5 where id = ${first}`.execute(shop.db);
  assert.equal(await readSuggested(), 'TEN', 'used up in the database, not yet in memory');
  requireCart(await shop.carts.applyPromotion(ofUser, 'TEN'));
  assert.equal(await readSuggested(), null);
  requireCart(await shop.carts.applyPromotion(ofUser, 'GIFT'));
  assert.equal(await readSuggested(), 'TEN', '10% off a phone saves more than a free cable');
  requireCart(await shop.carts.update(ofUser, { product_id: phone, quantity: 2 }));
  assert.equal(await readSuggested(), 'MUCH');
  await shop.carts.remove(ofUser, { product_id: phone });
  assert.equal(await readSuggested(), null);
});

test('[PROMO-03] [ACC-11] merges a guest’s code unless the account has one', async () => {
  const shop = await openCartShop();
  await addPromotion(shop.db, { code: 'GUEST', basisPoints: 500 });
  await addPromotion(shop.db, { code: 'OWN' });
  assert.ok(!(await shop.carts.applyPromotion(anonymous, 'NONE')).ok);
  assert.equal(await countCarts(shop.db), 0, 'a refused code creates no cart');
  const token = getToken(await shop.carts.applyPromotion(anonymous, 'GUEST'));
  await shop.carts.add(createGuest(token), { product_id: phone, quantity: 1 });
  assert.equal((await shop.carts.read(createGuest(token))).totalCartValue, 94_905n);
  assert.equal((await shop.carts.transfer(user, token))?.appliedPromoCode?.code, 'GUEST');

  const second = getToken(await shop.carts.applyPromotion(anonymous, 'GUEST'));
  const ofOther = { userId: other, guestToken: null };
  requireCart(await shop.carts.applyPromotion(ofOther, 'OWN'));
  assert.equal((await shop.carts.transfer(other, second))?.appliedPromoCode?.code, 'OWN');
});

test('[CART-09] notices stock and price changes until accepted', async () => {
  const shop = await openShopWithPhone();
  await shop.carts.add(ofUser, { product_id: createUuid(2), quantity: 3 });
  const readNotices = async (productId: string) =>
    (await shop.carts.read(ofUser)).cart_items.find((item) => item.product_id === productId)?.notices;
  assert.deepEqual([await readNotices(phone), await readNotices(cable)], [[], []]);
  await sql`update products set base_price_cents = 109900 where id = ${phone}`.execute(shop.db);
  await setProductStock(shop.db, cable, 2);
  await shop.catalogue.reload();
  const message = 'It was $999.00 when you added it';
  assert.deepEqual(await readNotices(phone), [{ code: 'repriced', message, available: null, was_usd: 99_900n }]);
  assert.deepEqual(await readNotices(cable), [{ code: 'short', message: 'Only 2 left', available: 2, was_usd: null }]);
  await sql`update variant_stock set available = 0`.execute(shop.db);
  assert.deepEqual(await readNotices(cable), [
    { code: 'sold-out', message: 'Sold out', available: null, was_usd: null },
  ]);
  const accepted = requireCart(await shop.carts.acceptPrices(ofUser));
  assert.deepEqual(
    accepted.cart_items.map(({ notices }) => notices.map(({ code }) => code)),
    [[], ['sold-out']],
  );
  await sql`update products set base_price_cents = 89900 where id = ${phone}`.execute(shop.db);
  await shop.catalogue.reload();
  assert.equal((await readNotices(phone))?.[0]?.was_usd, 109_900n);
  requireCart(await shop.carts.update(ofUser, { product_id: phone, quantity: 2 }));
  assert.deepEqual(await readNotices(phone), [], 'changing a line accepts its price');
});
