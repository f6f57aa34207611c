import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { AdjustableClock } from '#src/platform/clock.ts';
import type { Db } from '#src/platform/database/database.ts';
import { fixedRate } from '#src/platform/rates.ts';
import { issueToken } from '#src/platform/tokens.ts';
import { testDatabase } from '../../../tests/support/database.ts';
import { Catalogue } from '../catalogue/service.ts';
import { centsPerBtc } from '../money.ts';
import { Carts } from './service.ts';
import type { CartAnswer, Changed, Shopper } from './service.ts';

const uuid = (number: number): string => `019a0000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const [phone, cable, user, other] = [uuid(1), uuid(2), uuid(91), uuid(92)];
const [small, large, black, white] = [uuid(21), uuid(22), uuid(31), uuid(30)];
/** The line of a phone that was put in without naming values. */
const plain = [small, black].toSorted();
const RATE = centsPerBtc(11_100_000n);

/** A phone with two properties, and any number of cables without, of 10 dollars each. */
async function fill(db: Db, cables: number): Promise<void> {
  await sql`insert into brands (id, name, slug) values (${uuid(11)}, 'Apple', 'apple')`.execute(db);
  await sql`insert into categories (id, name, slug) values (${uuid(12)}, 'Phones', 'phones')`.execute(db);
  await sql`insert into properties (id, category_id, name, position) values
    (${uuid(13)}, ${uuid(12)}, 'Memory Capacity', 0), (${uuid(14)}, ${uuid(12)}, 'Colour', 1)`.execute(db);
  await sql`insert into property_values (id, property_id, value, increase_cents, position) values
    (${small}, ${uuid(13)}, '128 GB', 0, 0), (${large}, ${uuid(13)}, '1 TB', 40001, 1),
    (${black}, ${uuid(14)}, 'Black', 0, 0), (${white}, ${uuid(14)}, 'White', 1001, 1)`.execute(db);
  await sql`insert into products
    (id, name, slug, article, category_id, brand_id, base_price_cents, description, sub_description, specifications, images, main_image)
    values (${phone}, 'iPhone', 'iphone', 'A1', ${uuid(12)}, ${uuid(11)}, 99900, '', 'A phone', '{}', '{}', '/images/iphone.avif')`.execute(db);
  await sql`insert into product_values select ${phone}, id from property_values`.execute(db);
  for (let at = 0; at < cables; at += 1) {
    await sql`insert into products
      (id, name, slug, article, category_id, brand_id, base_price_cents, description, sub_description, specifications, images, main_image)
      values (${uuid(Number(cable.slice(-4)) + at * 100)}, ${`Cable ${at}`}, ${`cable-${at}`}, ${`C${at}`}, ${uuid(12)}, ${uuid(11)},
        1000, '', 'A cable', '{}', '{}', '/images/cable.avif')`.execute(db);
  }
  for (const id of [user, other]) {
    await sql`insert into users (id, username, username_key, email, email_key, password_hash, created_at)
      values (${id}, ${id}, ${id}, ${id}, ${id}, '-', now())`.execute(db);
  }
}

async function openShop(cables = 1) {
  const { db } = await testDatabase();
  await fill(db, cables);
  const clock = new AdjustableClock();
  const catalogue = await Catalogue.open(db, fixedRate(RATE, () => clock.now()));
  return { db, clock, catalogue, carts: new Carts({ db, clock, catalogue }) };
}

const ofUser: Shopper = { userId: user, guestToken: null };
const nobody: Shopper = { userId: null, guestToken: null };
const guest = (guestToken: string | null): Shopper => ({ userId: null, guestToken });

function done(changed: Changed): CartAnswer {
  assert.ok(changed.ok, JSON.stringify(changed));
  return changed.cart;
}
function tokenOf(changed: Changed): string {
  assert.ok(changed.ok && changed.guestToken !== null);
  return changed.guestToken;
}
const linesOf = (cart: { cart_items: CartAnswer['cart_items'] }) =>
  cart.cart_items.map(({ product_id, property_value_ids, quantity }) => [product_id, property_value_ids, quantity]);
const countCarts = async (db: Db): Promise<number> => (await sql`select 1 from carts`.execute(db)).rows.length;

test('[CART-08] reading makes no cart, whatever the cookie says', async () => {
  const { carts, db } = await openShop();
  for (const shopper of [nobody, ofUser, guest('nonsense'), guest(issueToken().token)]) {
    const cart = await carts.read(shopper);
    assert.deepEqual([cart.cart_items, cart.totalBtcValue, cart.has_guest_cart], [[], 0n, false]);
    assert.deepEqual(await carts.readGuestItems(shopper), []);
  }
  assert.equal(await countCarts(db), 0);
});

test('[CART-08] a guest’s first write makes the cart and its cookie, the next ones keep both', async () => {
  const { carts, db } = await openShop();
  const first = await carts.add(nobody, { product_id: cable, quantity: 2 });
  const token = tokenOf(first);
  assert.equal(done(first).has_guest_cart, true);
  assert.equal(tokenOf(await carts.add(guest(token), { product_id: cable, quantity: 3 })), token);
  assert.deepEqual(linesOf(await carts.read(guest(token))), [[cable, [], 5]]);
  assert.equal(await countCarts(db), 1);
});

test('[CART-08] a cookie that names no cart is never adopted', async () => {
  const { carts } = await openShop();
  const { token } = issueToken();
  const added = await carts.add(guest(token), { product_id: cable, quantity: 1 });
  assert.notEqual(tokenOf(added), token);
  assert.deepEqual((await carts.read(guest(token))).cart_items, []);
});

test('[API-03] [PROD-08] a line is priced with its values, each part rounded up, and totals are their sums', async () => {
  const { carts } = await openShop();
  await carts.add(ofUser, { product_id: phone, quantity: 2, property_value_ids: [white, large] });
  const cart = done(await carts.add(ofUser, { product_id: cable, quantity: 3 }));
  // 99900, 40001, 1001 and 1000 cents at 111,000 dollars a bitcoin, each rounded up to 100 sats.
  const phoneSats = 900_000n + 360_400n + 9_100n;
  assert.deepEqual(cart, {
    has_guest_cart: false,
    cart_items: [
      {
        ...{ product_id: phone, quantity: 2, price_usd: 140_902n, price_btc: phoneSats, isFree: false },
        product: { name: 'iPhone', slug: 'iphone', sub_description: 'A phone', main_image: '/images/iphone.avif' },
        property_value_ids: [large, white],
      },
      {
        ...{ product_id: cable, quantity: 3, price_usd: 1000n, price_btc: 9_100n, isFree: false },
        product: { name: 'Cable 0', slug: 'cable-0', sub_description: 'A cable', main_image: '/images/cable.avif' },
        property_value_ids: [],
      },
    ],
    ...{ appliedPromoCode: null, promoError: null, suggestedPromo: null, discount: 0, discount_usd: 0n, discount_btc: 0n },
    ...{ subtotal_usd: 284_804n, totalCartValue: 284_804n },
    ...{ subtotal_btc: 2n * phoneSats + 27_300n, totalBtcValue: 2n * phoneSats + 27_300n },
  });
});

test('[API-04] values come in any order, one not named is the first, and together they are the line', async () => {
  const { carts } = await openShop();
  for (const property_value_ids of [undefined, [], [black], [black, small], [small, black], [large], [black, large]]) {
    done(await carts.add(ofUser, { product_id: phone, quantity: 1, property_value_ids }));
  }
  const cart = done(await carts.add(ofUser, { product_id: phone, quantity: 1, property_value_ids: [white] }));
  assert.deepEqual(linesOf(cart), [
    [phone, plain, 5],
    [phone, [large, black].toSorted(), 2],
    [phone, [small, white].toSorted(), 1],
  ].toSorted((a, b) => (String(a[1]) < String(b[1]) ? -1 : 1)));
});

test('[API-04] values that the product is not offered with are refused', async () => {
  const { carts, db } = await openShop();
  for (const property_value_ids of [[uuid(77)], [small, large], [small, small], [phone]]) {
    for (const change of ['add', 'update'] as const) {
      const refused = await carts[change](ofUser, { product_id: phone, quantity: 1, property_value_ids });
      assert.deepEqual(refused, { ok: false, reason: 'unknown-values' });
    }
  }
  assert.equal(await countCarts(db), 0);
});

test('[API-04] what is not on sale cannot be put in', async () => {
  const { carts, db, catalogue } = await openShop();
  await sql`update products set is_published = false where id = ${cable}`.execute(db);
  await catalogue.reload();
  for (const product_id of [uuid(77), cable]) {
    assert.deepEqual(await carts.add(nobody, { product_id, quantity: 1 }), { ok: false, reason: 'no-such-product' });
    assert.deepEqual(await carts.update(ofUser, { product_id, quantity: 1 }), { ok: false, reason: 'no-such-product' });
  }
  assert.equal(await countCarts(db), 0);
});

test('[API-04] twenty additions at once are exactly twenty, also where there was no cart', async () => {
  const { carts } = await openShop();
  const added = () => Array.from({ length: 20 }, () => carts.add(ofUser, { product_id: cable, quantity: 1 }));
  for (const changed of await Promise.all(added())) assert.ok(changed.ok);
  assert.deepEqual(linesOf(await carts.read(ofUser)), [[cable, [], 20]]);
  await Promise.all([...added(), ...added()]);
  assert.deepEqual(linesOf(await carts.read(ofUser)), [[cable, [], 60]]);
  await Promise.all([...added(), ...added(), ...added()]);
  assert.deepEqual(linesOf(await carts.read(ofUser)), [[cable, [], 99]]);
});

test('[API-04] a line holds at most 99, and an addition beyond changes nothing', async () => {
  const { carts } = await openShop();
  done(await carts.add(ofUser, { product_id: cable, quantity: 98 }));
  assert.deepEqual(await carts.add(ofUser, { product_id: cable, quantity: 2 }), { ok: false, reason: 'quantity-limit' });
  assert.deepEqual(linesOf(done(await carts.add(ofUser, { product_id: cable, quantity: 1 }))), [[cable, [], 99]]);
});

test('[API-04] a cart holds at most 50 lines, also when they are put in at once', async () => {
  const { carts } = await openShop(60);
  const ids = Array.from({ length: 60 }, (_, at) => uuid(2 + at * 100));
  const all = await Promise.all(ids.map((product_id) => carts.add(ofUser, { product_id, quantity: 1 })));
  assert.deepEqual(all.flatMap((one) => (one.ok ? [] : one.reason)), Array.from({ length: 10 }, () => 'lines-limit'));
  const { cart_items } = await carts.read(ofUser);
  assert.equal(cart_items.length, 50);
  // More of what is in it can be put in all the same.
  assert.ok((await carts.add(ofUser, { product_id: cart_items[0]?.product_id ?? '', quantity: 1 })).ok);
});

test('[CART-02] lines stand in the order of product_id, then of the values', async () => {
  const { carts } = await openShop(3);
  for (const product_id of [uuid(202), phone, uuid(2), uuid(102)]) await carts.add(ofUser, { product_id, quantity: 1 });
  const cart = done(await carts.add(ofUser, { product_id: phone, quantity: 1, property_value_ids: [large] }));
  const keys = cart.cart_items.map(({ product_id, property_value_ids }) => `${product_id} ${property_value_ids.join()}`);
  assert.equal(keys.length, 5);
  assert.deepEqual(keys, keys.toSorted());
});

test('[CART-03] an update sets the quantity; of a line that is not there it says so', async () => {
  const { carts, db } = await openShop();
  const absent = { ok: false, reason: 'not-in-cart' };
  assert.deepEqual(await carts.update(nobody, { product_id: cable, quantity: 1 }), absent);
  assert.deepEqual(await carts.update(ofUser, { product_id: cable, quantity: 1 }), absent);
  assert.equal(await countCarts(db), 0);
  await carts.add(ofUser, { product_id: phone, quantity: 5 });
  const chosen = { product_id: phone, property_value_ids: [small] };
  assert.deepEqual(linesOf(done(await carts.update(ofUser, { ...chosen, quantity: 2 }))), [[phone, plain, 2]]);
  assert.deepEqual(await carts.update(ofUser, { ...chosen, property_value_ids: [large], quantity: 2 }), absent);
});

test('[API-04] with values a removal takes that line, without all of the product; what is gone is gone', async () => {
  const { carts } = await openShop();
  const first = await carts.add(nobody, { product_id: phone, quantity: 1 });
  const shopper = guest(tokenOf(first));
  await carts.add(shopper, { product_id: phone, quantity: 1, property_value_ids: [large] });
  await carts.add(shopper, { product_id: phone, quantity: 1, property_value_ids: [large, white] });
  await carts.add(shopper, { product_id: cable, quantity: 1 });
  for (let time = 0; time < 2; time += 1) {
    const cart = done(await carts.remove(shopper, { product_id: phone, property_value_ids: [white, large] }));
    assert.equal(cart.cart_items.length, 3);
  }
  assert.equal(done(await carts.remove(shopper, { product_id: phone, property_value_ids: [large] })).cart_items.length, 2);
  assert.deepEqual(await carts.remove(shopper, { product_id: phone, property_value_ids: [uuid(77)] }), {
    ok: false,
    reason: 'unknown-values',
  });
  assert.deepEqual(linesOf(done(await carts.remove(shopper, { product_id: phone }))), [[cable, [], 1]]);
  assert.deepEqual(linesOf(done(await carts.remove(shopper, { product_id: uuid(77) }))), [[cable, [], 1]]);
  assert.deepEqual(done(await carts.remove(nobody, { product_id: cable })).cart_items, []);
});

test('[ACC-11] a guest’s lines go into the user’s cart and add up, once, however often it is asked', async () => {
  const { carts, db } = await openShop();
  const shopper = guest(tokenOf(await carts.add(nobody, { product_id: cable, quantity: 60 })));
  await carts.add(shopper, { product_id: phone, quantity: 1, property_value_ids: [large] });
  await carts.add(ofUser, { product_id: cable, quantity: 50 });
  await carts.add(ofUser, { product_id: phone, quantity: 2 });
  const signedIn = { userId: user, guestToken: shopper.guestToken };
  const before = await carts.read(signedIn);
  assert.deepEqual([before.has_guest_cart, before.cart_items.length], [true, 2]);
  assert.equal((await carts.readGuestItems(signedIn)).length, 2);

  const merge = () => db.transaction().execute((tx) => carts.mergeGuestCart(tx, signedIn));
  const answers = await Promise.all([merge(), merge(), merge()]);
  assert.equal(answers.filter(({ preserved }) => preserved).length, 1);
  assert.deepEqual(linesOf(await carts.transfer(user, shopper.guestToken)).toSorted(), [
    [phone, plain, 2],
    [phone, [large, black].toSorted(), 1],
    [cable, [], 99],
  ].toSorted());
  assert.deepEqual((await carts.read(signedIn)).has_guest_cart, false);
  assert.deepEqual((await carts.read(shopper)).cart_items, []);
  assert.equal(await countCarts(db), 1);
});

test('[ACC-11] of two users with one guest cookie the first has its lines, and nobody has them twice', async () => {
  const { carts, db } = await openShop();
  const { guestToken } = guest(tokenOf(await carts.add(nobody, { product_id: cable, quantity: 7 })));
  const answers = await Promise.all(
    [user, other].map((userId) => db.transaction().execute((tx) => carts.mergeGuestCart(tx, { userId, guestToken }))),
  );
  assert.equal(answers.filter(({ preserved }) => preserved).length, 1);
  const quantities = await Promise.all(
    [user, other].map(async (userId) => (await carts.read({ userId, guestToken: null })).cart_items[0]?.quantity ?? 0),
  );
  assert.deepEqual(quantities.toSorted(), [0, 7]);
});

test('[ACC-11] additions of a guest while signing in are in one of the two carts, never lost', async () => {
  const { carts } = await openShop();
  const { guestToken } = guest(tokenOf(await carts.add(nobody, { product_id: cable, quantity: 1 })));
  const writes = Array.from({ length: 10 }, () => carts.add(guest(guestToken), { product_id: cable, quantity: 1 }));
  const merge = carts.transfer(user, guestToken);
  const tokens = new Set((await Promise.all(writes)).map(tokenOf));
  await merge;
  let total = (await carts.read(ofUser)).cart_items[0]?.quantity ?? 0;
  for (const token of tokens) total += (await carts.read(guest(token))).cart_items[0]?.quantity ?? 0;
  assert.equal(total, 11);
});

test('[API-06] a merge loses no line, though the cart then holds more than can be put in', async () => {
  const { carts } = await openShop(60);
  const ids = Array.from({ length: 60 }, (_, at) => uuid(2 + at * 100));
  let shopper = nobody;
  for (const product_id of ids.slice(0, 30)) shopper = guest(tokenOf(await carts.add(shopper, { product_id, quantity: 1 })));
  for (const product_id of ids.slice(30)) await carts.add(ofUser, { product_id, quantity: 1 });
  assert.equal((await carts.transfer(user, shopper.guestToken)).cart_items.length, 60);
});

test('[CART-08] signed in one has one’s own cart, never that of the cookie', async () => {
  const { carts } = await openShop();
  const guestToken = tokenOf(await carts.add(nobody, { product_id: cable, quantity: 7 }));
  const both = { userId: user, guestToken };
  const added = await carts.add(both, { product_id: phone, quantity: 1 });
  assert.deepEqual(linesOf(done(added)), [[phone, plain, 1]]);
  assert.equal(added.ok && added.guestToken, null);
  assert.deepEqual(done(await carts.remove(both, { product_id: cable })).has_guest_cart, true);
  assert.deepEqual(linesOf(await carts.read(guest(guestToken))), [[cable, [], 7]]);
});

test('a product that was withdrawn is neither listed nor charged; the checkout is told, and it can be dropped', async () => {
  const { carts, db, catalogue } = await openShop();
  await carts.add(ofUser, { product_id: phone, quantity: 1 });
  await carts.add(ofUser, { product_id: cable, quantity: 2 });
  await sql`update products set is_published = false where id = ${phone}`.execute(db);
  await catalogue.reload();
  const cart = await carts.read(ofUser);
  assert.deepEqual([linesOf(cart), cart.totalCartValue], [[[cable, [], 2]], 2000n]);
  const lock = () => db.transaction().execute((tx) => carts.lockForCheckout(tx, user, RATE));
  assert.deepEqual((await lock())?.withdrawnProductIds, [phone]);
  await carts.dropWithdrawn(user);
  const priced = await lock();
  assert.deepEqual([priced?.withdrawnProductIds, priced?.lines.length], [[], 1]);
});

test('[API-06] a checkout has the cart for itself, at its own rate, and a second one finds it empty', async () => {
  const { carts, db } = await openShop();
  const rate = centsPerBtc(22_200_000n);
  const lock = (tx: Db) => carts.lockForCheckout(tx, user, rate);
  assert.equal(await db.transaction().execute(lock), null);
  await carts.add(ofUser, { product_id: phone, quantity: 2, property_value_ids: [large] });
  const checkout = () =>
    db.transaction().execute(async (tx) => {
      const cart = await lock(tx);
      await carts.emptyAfterCheckout(tx, user);
      return cart;
    });
  const all = await Promise.all([checkout(), checkout(), carts.add(ofUser, { product_id: cable, quantity: 1 }), checkout()]);
  const carried = [all[0], all[1], all[3]].flatMap((cart) => cart?.lines ?? []);
  assert.equal(carried.filter(({ productId }) => productId === phone).length, 1);
  assert.deepEqual(carried.find(({ productId }) => productId === phone), {
    ...{ productId: phone, name: 'iPhone', slug: 'iphone', subDescription: 'A phone', mainImage: '/images/iphone.avif' },
    ...{ quantity: 2, priceCents: 139_901n, priceSats: 450_000n + 180_200n, isFree: false },
    valueIds: [large, black].toSorted(),
    propertyValues: [
      { id: large, property: 'Memory Capacity', value: '1 TB' },
      { id: black, property: 'Colour', value: 'Black' },
    ],
  });
  const left = (await carts.read(ofUser)).cart_items.length;
  const cables = carried.filter(({ productId }) => productId === cable).length;
  assert.equal(left + cables, 1);
});

test('guest carts that no cookie can name any more are removed, users’ carts stay', async () => {
  const { carts, clock, db } = await openShop();
  await carts.add(nobody, { product_id: cable, quantity: 1 });
  await carts.add(ofUser, { product_id: cable, quantity: 1 });
  clock.setOffset(29 * 24 * 3600);
  await carts.removeStaleGuestCarts();
  assert.equal(await countCarts(db), 2);
  clock.setOffset(31 * 24 * 3600);
  await carts.removeStaleGuestCarts();
  assert.equal(await countCarts(db), 1);
  assert.equal((await carts.read(ofUser)).cart_items.length, 1);
});

test('[API-03] [PAY-06] whatever is done to a cart, its totals are those of its lines', async () => {
  const { carts } = await openShop(3);
  const change = fc.record({
    kind: fc.constantFrom('add' as const, 'update' as const, 'remove' as const),
    product_id: fc.constantFrom(phone, uuid(2), uuid(102), uuid(202)),
    property_value_ids: fc.option(fc.subarray([small, large, black, white]), { nil: undefined }),
    quantity: fc.integer({ min: 1, max: 99 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
      for (const { kind, ...body } of changes) {
        const changed = await carts[kind](ofUser, body);
        if (!changed.ok) continue;
        let [dueCents, dueSats] = [0n, 0n];
        for (const item of changed.cart.cart_items) {
          assert.ok(item.quantity >= 1 && item.quantity <= 99);
          dueCents += item.price_usd * BigInt(item.quantity);
          dueSats += item.price_btc * BigInt(item.quantity);
        }
        assert.equal(changed.cart.totalCartValue, dueCents);
        assert.equal(changed.cart.totalBtcValue, dueSats);
        assert.equal(dueSats % 100n, 0n);
        assert.deepEqual(await carts.read(ofUser), changed.cart);
      }
    }),
    { numRuns: 30 },
  );
});
