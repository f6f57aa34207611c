import assert from 'node:assert/strict';
import { setProductStock } from '../../../tests/support/add-variants.ts';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { issueToken } from '#src/platform/security/tokens.ts';
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
  phone,
  plain,
  small,
  getToken,
  user,
  createUuid,
  white,
} from '../../../tests/support/cart-shop.ts';

test('[CART-08] creates no cart on read', async () => {
  const { carts, db } = await openCartShop();
  for (const shopper of [anonymous, ofUser, createGuest('nonsense'), createGuest(issueToken().token)]) {
    const cart = await carts.read(shopper);
    assert.deepEqual([cart.cart_items, cart.totalBtcValue, cart.has_guest_cart], [[], 0n, false]);
    assert.deepEqual(await carts.readGuestItems(shopper), []);
  }
  assert.equal(await countCarts(db), 0);
});

test('[CART-08] creates the guest cart and cookie with the first write', async () => {
  const { carts, db } = await openCartShop();
  const first = await carts.add(anonymous, { product_id: cable, quantity: 2 });
  const token = getToken(first);
  assert.equal(requireCart(first).has_guest_cart, true);
  assert.equal(getToken(await carts.add(createGuest(token), { product_id: cable, quantity: 3 })), token);
  assert.deepEqual(getLines(await carts.read(createGuest(token))), [[cable, [], 5]]);
  assert.equal(await countCarts(db), 1);
});

test('[CART-08] never adopts a cookie without a cart', async () => {
  const { carts } = await openCartShop();
  const { token } = issueToken();
  const addAll = await carts.add(createGuest(token), { product_id: cable, quantity: 1 });
  assert.notEqual(getToken(addAll), token);
  assert.deepEqual((await carts.read(createGuest(token))).cart_items, []);
});

test('[API-03] [PROD-08] prices lines with their values, each part rounded up', async () => {
  const { carts } = await openCartShop();
  await carts.add(ofUser, { product_id: phone, quantity: 2, property_value_ids: [white, large] });
  const cart = requireCart(await carts.add(ofUser, { product_id: cable, quantity: 3 }));
  // 99900, 40001, 1001 and 1000 cents at 111,000 dollars per bitcoin, each rounded up to 100 sats.
  const phoneSats = 900_000n + 360_400n + 9_100n;
  assert.deepEqual(cart, {
    has_guest_cart: false,
    cart_items: [
      {
        product_id: phone,
        quantity: 2,
        price_usd: 140902n,
        price_btc: phoneSats,
        total_usd: 281804n,
        total_btc: 2n * phoneSats,
        max_quantity: 99,
        was_price_usd: null,
        lowest_price_30_days_usd: null,
        isFree: false,
        product: {
          name: 'iPhone',
          slug: 'iphone',
          sub_description: 'A phone',
          main_image: '/images/iphone.avif',
        },
        property_value_ids: [large, white],
        sku: 'A1-3',
        notices: [],
      },
      {
        product_id: cable,
        quantity: 3,
        price_usd: 1000n,
        price_btc: 9100n,
        total_usd: 3000n,
        total_btc: 27300n,
        max_quantity: 99,
        was_price_usd: null,
        lowest_price_30_days_usd: null,
        isFree: false,
        product: {
          name: 'Cable 0',
          slug: 'cable-0',
          sub_description: 'A cable',
          main_image: '/images/cable.avif',
        },
        property_value_ids: [],
        sku: 'C0-1',
        notices: [],
      },
    ],
    appliedPromoCode: null,
    promoError: null,
    suggestedPromo: null,
    delivery: null,
    discount: 0,
    discount_usd: 0n,
    discount_btc: 0n,
    subtotal_usd: 284804n,
    totalCartValue: 284804n,
    subtotal_btc: 2n * phoneSats + 27300n,
    totalBtcValue: 2n * phoneSats + 27300n,
  });
});

test('[API-04] identifies a line by its values, first values by default', async () => {
  const { carts } = await openCartShop();
  for (const property_value_ids of [undefined, [], [black], [black, small], [small, black], [large], [black, large]]) {
    requireCart(await carts.add(ofUser, { product_id: phone, quantity: 1, property_value_ids }));
  }
  const cart = requireCart(await carts.add(ofUser, { product_id: phone, quantity: 1, property_value_ids: [white] }));
  assert.deepEqual(
    getLines(cart),
    [
      [phone, plain, 5],
      [phone, [large, black].toSorted(), 2],
      [phone, [small, white].toSorted(), 1],
    ].toSorted((a, b) => (String(a[1]) < String(b[1]) ? -1 : 1)),
  );
});

test('[API-04] refuses values that the product is not offered with', async () => {
  const { carts, db } = await openCartShop();
  for (const property_value_ids of [[createUuid(77)], [small, large], [small, small], [phone]]) {
    for (const change of ['add', 'update'] as const) {
      const refused = await carts[change](ofUser, { product_id: phone, quantity: 1, property_value_ids });
      assert.deepEqual(refused, { ok: false, reason: 'unknown-values' });
    }
  }
  assert.equal(await countCarts(db), 0);
});

test('[API-04] refuses products that are not on sale', async () => {
  const { carts, db, catalogue } = await openCartShop();
  await sql`update products set is_published = false where id = ${cable}`.execute(db);
  await catalogue.reload();
  for (const product_id of [createUuid(77), cable]) {
    assert.deepEqual(await carts.add(anonymous, { product_id, quantity: 1 }), { ok: false, reason: 'no-such-product' });
    assert.deepEqual(await carts.update(ofUser, { product_id, quantity: 1 }), { ok: false, reason: 'no-such-product' });
  }
  assert.equal(await countCarts(db), 0);
});

test('[API-04] adds up twenty concurrent additions, also to a new cart', async () => {
  const { carts } = await openCartShop();
  const addAll = () => Array.from({ length: 20 }, () => carts.add(ofUser, { product_id: cable, quantity: 1 }));
  for (const changed of await Promise.all(addAll())) assert.ok(changed.ok);
  assert.deepEqual(getLines(await carts.read(ofUser)), [[cable, [], 20]]);
  await Promise.all([...addAll(), ...addAll()]);
  assert.deepEqual(getLines(await carts.read(ofUser)), [[cable, [], 60]]);
  await Promise.all([...addAll(), ...addAll(), ...addAll()]);
  assert.deepEqual(getLines(await carts.read(ofUser)), [[cable, [], 99]]);
});

test('[API-04] refuses additions beyond 99 per line', async () => {
  const { carts } = await openCartShop();
  requireCart(await carts.add(ofUser, { product_id: cable, quantity: 98 }));
  assert.deepEqual(await carts.add(ofUser, { product_id: cable, quantity: 2 }), {
    ok: false,
    reason: 'quantity-limit',
  });
  assert.deepEqual(getLines(requireCart(await carts.add(ofUser, { product_id: cable, quantity: 1 }))), [
    [cable, [], 99],
  ]);
});

test('[API-04] limits a cart to 50 lines under concurrency', async () => {
  const { carts } = await openCartShop(60);
  const ids = Array.from({ length: 60 }, (_, at) => createUuid(2 + at * 100));
  const all = await Promise.all(ids.map((product_id) => carts.add(ofUser, { product_id, quantity: 1 })));
  assert.deepEqual(
    all.flatMap((result) => (result.ok ? [] : result.reason)),
    Array.from({ length: 10 }, () => 'lines-limit'),
  );
  const { cart_items } = await carts.read(ofUser);
  assert.equal(cart_items.length, 50);
  // The quantity of existing lines can still grow.
  assert.ok((await carts.add(ofUser, { product_id: cart_items[0]?.product_id ?? '', quantity: 1 })).ok);
});

test('[CART-02] sorts lines by product_id, then by values', async () => {
  const { carts } = await openCartShop(3);
  for (const product_id of [createUuid(202), phone, createUuid(2), createUuid(102)])
    await carts.add(ofUser, { product_id, quantity: 1 });
  const cart = requireCart(await carts.add(ofUser, { product_id: phone, quantity: 1, property_value_ids: [large] }));
  const keys = cart.cart_items.map(
    ({ product_id, property_value_ids }) => `${product_id} ${property_value_ids.join()}`,
  );
  assert.equal(keys.length, 5);
  assert.deepEqual(keys, keys.toSorted());
});

test('[CART-03] sets the quantity, refuses an unknown line', async () => {
  const { carts, db } = await openCartShop();
  const absent = { ok: false, reason: 'not-in-cart' };
  assert.deepEqual(await carts.update(anonymous, { product_id: cable, quantity: 1 }), absent);
  assert.deepEqual(await carts.update(ofUser, { product_id: cable, quantity: 1 }), absent);
  assert.equal(await countCarts(db), 0);
  await carts.add(ofUser, { product_id: phone, quantity: 5 });
  const chosen = { product_id: phone, property_value_ids: [small] };
  assert.deepEqual(getLines(requireCart(await carts.update(ofUser, { ...chosen, quantity: 2 }))), [[phone, plain, 2]]);
  assert.deepEqual(await carts.update(ofUser, { ...chosen, property_value_ids: [large], quantity: 2 }), absent);
});

test('[API-04] removes one line by values, otherwise all of the product', async () => {
  const { carts } = await openCartShop();
  const first = await carts.add(anonymous, { product_id: phone, quantity: 1 });
  const shopper = createGuest(getToken(first));
  await carts.add(shopper, { product_id: phone, quantity: 1, property_value_ids: [large] });
  await carts.add(shopper, { product_id: phone, quantity: 1, property_value_ids: [large, white] });
  await carts.add(shopper, { product_id: cable, quantity: 1 });
  for (let time = 0; time < 2; time += 1) {
    const cart = requireCart(await carts.remove(shopper, { product_id: phone, property_value_ids: [white, large] }));
    assert.equal(cart.cart_items.length, 3);
  }
  assert.equal(
    requireCart(await carts.remove(shopper, { product_id: phone, property_value_ids: [large] })).cart_items.length,
    2,
  );
  assert.deepEqual(await carts.remove(shopper, { product_id: phone, property_value_ids: [createUuid(77)] }), {
    ok: false,
    reason: 'unknown-values',
  });
  assert.deepEqual(getLines(requireCart(await carts.remove(shopper, { product_id: phone }))), [[cable, [], 1]]);
  assert.deepEqual(getLines(requireCart(await carts.remove(shopper, { product_id: createUuid(77) }))), [
    [cable, [], 1],
  ]);
  assert.deepEqual(requireCart(await carts.remove(anonymous, { product_id: cable })).cart_items, []);
});

test('[CART-08] uses the account’s cart when signed in', async () => {
  const { carts } = await openCartShop();
  const guestToken = getToken(await carts.add(anonymous, { product_id: cable, quantity: 7 }));
  const both = { userId: user, guestToken };
  const addAll = await carts.add(both, { product_id: phone, quantity: 1 });
  assert.deepEqual(getLines(requireCart(addAll)), [[phone, plain, 1]]);
  assert.equal(addAll.ok && addAll.guestToken, null);
  assert.deepEqual(requireCart(await carts.remove(both, { product_id: cable })).has_guest_cart, true);
  assert.deepEqual(getLines(await carts.read(createGuest(guestToken))), [[cable, [], 7]]);
});

test('[API-03] [PAY-06] keeps totals equal to the sum of lines', async () => {
  const { carts } = await openCartShop(3);
  const change = fc.record({
    kind: fc.constantFrom('add' as const, 'update' as const, 'remove' as const),
    product_id: fc.constantFrom(phone, createUuid(2), createUuid(102), createUuid(202)),
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

test('[CART-10] [OPS-08] limits each line by the stock of its variant', async () => {
  const { carts, db } = await openCartShop();
  await setProductStock(db, phone, 5);
  await sql`update variant_stock set available = 3 from product_variants
    where id = variant_id and ${large} = any(property_value_ids)`.execute(db);
  await carts.add(ofUser, { product_id: phone, quantity: 2, property_value_ids: [small] });
  const cart = requireCart(await carts.add(ofUser, { product_id: phone, quantity: 1, property_value_ids: [large] }));
  const most = new Map(cart.cart_items.map((item) => [item.quantity, item.max_quantity]));
  assert.deepEqual(
    most,
    new Map([
      [2, 5],
      [1, 3],
    ]),
  );
});

test('[CARD-03] adds the first variant that is available', async () => {
  const { carts, db } = await openCartShop();
  await setProductStock(db, phone, 0);
  const setAvailable = (valueIds: readonly string[], available: number) =>
    sql`update variant_stock set available = ${available} from product_variants
      where id = variant_id and product_id = ${phone} and property_value_ids @> ${valueIds}::uuid[]`.execute(db);
  await setAvailable([large, white], 1);
  const cart = requireCart(await carts.add(ofUser, { product_id: phone, quantity: 1 }));
  assert.deepEqual(getLines(cart), [[phone, [large, white].toSorted(), 1]]);
  assert.deepEqual(cart.cart_items[0]?.notices, [], 'at its own price');
  await setAvailable([large, black], 1);
  const named = { product_id: phone, quantity: 1, property_value_ids: [black] };
  assert.equal(getLines(requireCart(await carts.add(ofUser, named))).length, 2);
  await setAvailable([small, black], 1);
  requireCart(await carts.remove(ofUser, { product_id: phone }));
  assert.deepEqual(getLines(requireCart(await carts.add(ofUser, { product_id: phone, quantity: 1 }))), [
    [phone, plain, 1],
  ]);
});

test('[CART-09] refuses to add what is sold out', async () => {
  const { carts, db } = await openCartShop();
  await setProductStock(db, phone, 0);
  const refusal = { ok: false, reason: 'sold-out', message: 'Sold out' };
  for (const valueIds of [undefined, [small], [large, white]]) {
    const change = { product_id: phone, quantity: 1, ...(valueIds && { property_value_ids: valueIds }) };
    assert.deepEqual(await carts.add(anonymous, change), refusal);
  }
  assert.equal(await countCarts(db), 0);
  await setProductStock(db, phone, 2);
  requireCart(await carts.add(ofUser, { product_id: phone, quantity: 1 }));
  requireCart(await carts.add(ofUser, { product_id: phone, quantity: 1 }));
  const more = await carts.add(ofUser, { product_id: phone, quantity: 1 });
  assert.deepEqual(more, { ok: false, reason: 'sold-out', message: 'Only 2 left' });
  assert.deepEqual(getLines(await carts.read(ofUser)), [[phone, plain, 2]]);
  await setProductStock(db, phone, 0);
  const [line] = (await carts.read(ofUser)).cart_items;
  assert.deepEqual(
    line?.notices.map(({ message }) => message),
    ['Sold out'],
    'a line that sells out later stays',
  );
});

test('[CART-09] refuses to add a variant that is no longer sold', async () => {
  const { carts, db } = await openCartShop();
  await sql`update product_variants set is_published = false where product_id = ${phone}`.execute(db);
  assert.deepEqual(await carts.add(anonymous, { product_id: phone, quantity: 1 }), {
    ok: false,
    reason: 'unknown-values',
  });
  assert.equal(await countCarts(db), 0);
});
