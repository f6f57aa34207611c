import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import {
  black,
  cable,
  countCarts,
  requireCart,
  createGuest,
  large,
  getLines,
  anonymous,
  ofUser,
  openCartShop,
  other,
  phone,
  plain,
  RATE,
  getToken,
  user,
  createUuid,
} from '../../../tests/support/cart-shop.ts';
import { centsPerBtc } from '#src/shop/money.ts';
import { NO_CHARGES } from './price-charges.ts';

test('[ACC-11] merges guest lines into the user’s cart once', async () => {
  const { carts, db } = await openCartShop();
  const shopper = createGuest(getToken(await carts.add(anonymous, { product_id: cable, quantity: 60 })));
  await carts.add(shopper, { product_id: phone, quantity: 1, property_value_ids: [large] });
  await carts.add(ofUser, { product_id: cable, quantity: 50 });
  await carts.add(ofUser, { product_id: phone, quantity: 2 });
  const signedIn = { userId: user, guestToken: shopper.guestToken };
  const before = await carts.read(signedIn);
  assert.deepEqual([before.has_guest_cart, before.cart_items.length], [true, 2]);
  assert.equal((await carts.readGuestItems(signedIn)).length, 2);

  const merge = () => db.transaction().execute((tx) => carts.mergeGuestCart(tx, signedIn));
  const results = await Promise.all([merge(), merge(), merge()]);
  assert.equal(results.filter(({ preserved }) => preserved).length, 1);
  const merged = await carts.transfer(user, shopper.guestToken);
  assert.ok(merged);
  const [enlarged, ...others] = getLines(merged).toReversed();
  assert.deepEqual(enlarged, [cable, [], 99]);
  assert.deepEqual(
    new Set(others.map(String)),
    new Set(
      [
        [phone, plain, 2],
        [phone, [large, black].toSorted(), 1],
      ].map(String),
    ),
  );
  assert.deepEqual((await carts.read(signedIn)).has_guest_cart, false);
  assert.deepEqual((await carts.read(shopper)).cart_items, []);
  assert.equal(await countCarts(db), 1);
});

test('[ACC-11] merges a guest cart into one of two accounts only', async () => {
  const { carts, db } = await openCartShop();
  const { guestToken } = createGuest(getToken(await carts.add(anonymous, { product_id: cable, quantity: 7 })));
  const results = await Promise.all(
    [user, other].map((userId) => db.transaction().execute((tx) => carts.mergeGuestCart(tx, { userId, guestToken }))),
  );
  assert.equal(results.filter(({ preserved }) => preserved).length, 1);
  const quantities = await Promise.all(
    [user, other].map(async (userId) => (await carts.read({ userId, guestToken: null })).cart_items[0]?.quantity ?? 0),
  );
  assert.deepEqual(new Set(quantities), new Set([0, 7]));
});

test('[ACC-11] loses no addition made while signing in', async () => {
  const { carts } = await openCartShop();
  const { guestToken } = createGuest(getToken(await carts.add(anonymous, { product_id: cable, quantity: 1 })));
  const writes = Array.from({ length: 10 }, () =>
    carts.add(createGuest(guestToken), { product_id: cable, quantity: 1 }),
  );
  const merge = carts.transfer(user, guestToken);
  const tokens = new Set((await Promise.all(writes)).map(getToken));
  await merge;
  let total = (await carts.read(ofUser)).cart_items[0]?.quantity ?? 0;
  for (const token of tokens) total += (await carts.read(createGuest(token))).cart_items[0]?.quantity ?? 0;
  assert.equal(total, 11);
});

test('[API-06] keeps all lines in a merge beyond the line limit', async () => {
  const { carts } = await openCartShop(60);
  const ids = Array.from({ length: 60 }, (_, at) => createUuid(2 + at * 100));
  let shopper = anonymous;
  for (const product_id of ids.slice(0, 30))
    shopper = createGuest(getToken(await carts.add(shopper, { product_id, quantity: 1 })));
  for (const product_id of ids.slice(30)) await carts.add(ofUser, { product_id, quantity: 1 });
  assert.equal((await carts.transfer(user, shopper.guestToken))?.cart_items.length, 60);
});

test('[CART-09] lists a withdrawn product without charging it', async () => {
  const { carts, db, catalogue } = await openCartShop();
  await carts.add(ofUser, { product_id: phone, quantity: 1 });
  await carts.add(ofUser, { product_id: cable, quantity: 2 });
  await sql`update products set is_published = false where id = ${phone}`.execute(db);
  await catalogue.reload();
  const cart = await carts.read(ofUser);
  assert.equal(cart.totalCartValue, 2000n);
  const [first, second] = cart.cart_items;
  assert.deepEqual([first?.product_id, first?.price_usd, first?.product.name], [phone, 0n, 'iPhone']);
  assert.deepEqual(first?.notices, [
    { code: 'withdrawn', message: 'No longer available', available: null, was_usd: null },
  ]);
  assert.deepEqual([second?.product_id, second?.quantity, second?.notices], [cable, 2, []]);
  const locked = await db
    .transaction()
    .execute((tx) => carts.lockForCheckout(tx, user, { rate: RATE, now: new Date(), buyer: NO_CHARGES.buyer }));
  assert.deepEqual(
    locked?.lines.map(({ notices }) => notices.map(({ code }) => code)),
    [['withdrawn'], []],
  );
  const removed = requireCart(await carts.remove(ofUser, { product_id: phone }));
  assert.deepEqual(getLines(removed), [[cable, [], 2]]);
});

test('[API-06] serializes checkouts of one cart at their own rate', async () => {
  const { carts, db } = await openCartShop();
  const rate = centsPerBtc(22_200_000n);
  const lock = (tx: Db) => carts.lockForCheckout(tx, user, { rate, now: new Date(), buyer: NO_CHARGES.buyer });
  assert.equal(await db.transaction().execute(lock), null);
  await carts.add(ofUser, { product_id: phone, quantity: 2, property_value_ids: [large] });
  const checkout = () =>
    db.transaction().execute(async (tx) => {
      const cart = await lock(tx);
      await carts.emptyAfterCheckout(tx, user);
      return cart;
    });
  const all = await Promise.all([
    checkout(),
    checkout(),
    carts.add(ofUser, { product_id: cable, quantity: 1 }),
    checkout(),
  ]);
  const carried = [all[0], all[1], all[3]].flatMap((cart) => cart?.lines ?? []);
  assert.equal(carried.filter(({ productId }) => productId === phone).length, 1);
  const { variantId, ...ordered } = carried.find(({ productId }) => productId === phone) ?? assert.fail();
  assert.ok(variantId);
  assert.deepEqual(ordered, {
    productId: phone,
    name: 'iPhone',
    slug: 'iphone',
    subDescription: 'A phone',
    mainImage: '/images/iphone.avif',
    quantity: 2,
    priceCents: 139901n,
    priceSats: 450000n + 180200n,
    isFree: false,
    valueIds: [large, black].toSorted(),
    sku: 'A1-4',
    available: null,
    propertyValues: [
      {
        id: large,
        property: 'Memory Capacity',
        value: '1 TB',
      },
      {
        id: black,
        property: 'Colour',
        value: 'Black',
      },
    ],
    notices: [],
    maxQuantity: 99,
  });
  const left = (await carts.read(ofUser)).cart_items.length;
  const cables = carried.filter(({ productId }) => productId === cable).length;
  assert.equal(left + cables, 1);
});

test('deletes guest carts with expired cookies, not users’ carts', async () => {
  const { carts, clock, db } = await openCartShop();
  await carts.add(anonymous, { product_id: cable, quantity: 1 });
  await carts.add(ofUser, { product_id: cable, quantity: 1 });
  clock.setOffset(29 * 24 * 3600);
  await carts.deleteStaleGuestCarts();
  assert.equal(await countCarts(db), 2);
  clock.setOffset(31 * 24 * 3600);
  await carts.deleteStaleGuestCarts();
  assert.equal(await countCarts(db), 1);
  assert.equal((await carts.read(ofUser)).cart_items.length, 1);
});
