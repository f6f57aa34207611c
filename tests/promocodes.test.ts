/** Promo codes of the demo over HTTP, from the cart to the paid order. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addPromotion } from './support/add-promotion.ts';
import { stressPromo } from './support/promo-stress.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { ApiResponse } from './support/api-client.ts';
import type { TestShop } from './support/shop.ts';
import { runWithShopDatabase, createStockBuyer } from './support/stock-stress.ts';
import { BILLING } from './support/stress-buyer.ts';

let shop: TestShop;
let productId: string;
before(async () => {
  shop = await startTestShop();
  productId = textAt((await shop.api('GET', '/products?q=iphone&limit=1')).body, 0, 'id');
});
after(() => shop.stop());

let buyers = 0;
const createBuyer = (): Promise<string> => createStockBuyer(shop, `code-${(buyers += 1)}`, productId);
const apply = (token: string, code: unknown): Promise<ApiResponse> =>
  shop.api('POST', '/promocodes/apply', { token, body: { code } });
const readBody = ({ status, body }: ApiResponse, expected = 200): unknown => {
  assert.equal(status, expected, JSON.stringify(body));
  return body;
};
const toSats = (btc: number): bigint => BigInt(Math.round(btc * 1e8));
const toCents = (usd: number): bigint => BigInt(Math.round(usd * 100));
/** Smallest multiple of 100 satoshi that is at least the quotient. */
const computePayable = (dividend: bigint, divisor: bigint): bigint => {
  const steps = dividend / (divisor * 100n);
  return (steps * divisor * 100n === dividend ? steps : steps + 1n) * 100n;
};

test('[API-05] [PROMO-03] [PROMO-05] [PROMO-06] applies, shows, orders and removes each demo code', async () => {
  const token = await createBuyer();
  const plain = readBody(await shop.api('GET', '/cart', { token }));
  const [cents, sats] = [toCents(numberAt(plain, 'subtotal_usd')), toSats(numberAt(plain, 'subtotal_btc'))];
  const share = (left: bigint): [bigint, bigint] => [
    (cents * left * 2n + 100n) / 200n,
    computePayable(sats * left, 100n),
  ];
  const cases: readonly (readonly [string, string, number, readonly [bigint, bigint]])[] = [
    ['WELCOME10', 'discount_percent', 10, share(90n)],
    ['EXTRA5', 'extra_discount', 5, share(95n)],
    ['SPRING15', 'fixed_percent', 15, share(85n)],
    ['MINUS50', 'fixed_amount', 50, [cents - 5000n, computePayable(sats * (cents - 5000n), cents)]],
    ['GIFT', 'free_item', 0, [cents, sats]],
  ];
  for (const [code, type, value, [totalCents, totalSats]] of cases) {
    // As pasted from a message: folded before it is looked up.
    const cart = readBody(await apply(token, ` \u200b${code.toLowerCase()}\ufeff `));
    const applied = { code, type, discount_value: value };
    assert.deepEqual(valueAt(cart, 'appliedPromoCode'), applied);
    assert.equal(valueAt(cart, 'promoError'), null);
    const total = [toCents(numberAt(cart, 'totalCartValue')), toSats(numberAt(cart, 'totalBtcValue'))];
    assert.deepEqual(total, [totalCents, totalSats], code);
    assert.equal(toCents(numberAt(cart, 'discount_usd')), cents - totalCents);
    assert.equal(toSats(numberAt(cart, 'discount_btc')), sats - totalSats);
    if (type.endsWith('percent') || type === 'extra_discount') assert.equal(numberAt(cart, 'discount'), value);
    const free = listAt(cart, 'cart_items').filter((item) => valueAt(item, 'isFree') === true);
    assert.equal(free.length, type === 'free_item' ? 1 : 0);
    assert.deepEqual(readBody(await shop.api('GET', '/cart', { token })), cart);

    const order = valueAt(readBody(await shop.api('POST', '/cart/checkout', { token, body: BILLING }), 201), 'order');
    assert.deepEqual(valueAt(order, 'promoCode'), applied);
    assert.equal(toCents(numberAt(order, 'total_usd_after')), totalCents);
    assert.equal(toSats(numberAt(order, 'payment', 'amount_btc')), totalSats);
    assert.equal(listAt(order, 'order_items').length, 1 + free.length);
    const cancelled = await shop.api('POST', `/orders/${textAt(order, 'id')}/cancel`, { token });
    readBody(cancelled);
    assert.equal(textAt(readBody(await shop.api('GET', '/cart', { token })), 'appliedPromoCode', 'code'), code);
    const without = readBody(await shop.api('DELETE', '/promocodes/apply', { token }));
    assert.deepEqual(without, plain);
  }
});

test('[API-05] [PROMO-02] responds identically to unknown codes and refuses other types', async () => {
  const token = await createBuyer();
  await runWithShopDatabase(shop, async (db) => {
    await addPromotion(db, { code: 'LAST-YEAR', endsAt: new Date('2025-01-01T00:00:00Z') });
    await addPromotion(db, { code: 'MILLION', minimumCents: 100_000_000 });
  });
  const responses = await Promise.all(['NO-SUCH', 'LAST-YEAR', 'MILLION', '%', '_'].map((code) => apply(token, code)));
  for (const { status, body } of responses) {
    assert.equal(status, 404);
    assert.deepEqual(body, { error: { code: 'promo-not-found', message: 'Promo code not found' } });
  }
  for (const wrong of ['', '   ', 'x'.repeat(65), 1, null, ['GIFT'], 'a\u0000']) {
    assert.equal((await apply(token, wrong)).status, 400);
  }
  assert.equal(valueAt(readBody(await shop.api('GET', '/cart', { token })), 'appliedPromoCode'), null);
});

test('[API-03] [PROMO-04] suggests the code that saves most, also to guests', async () => {
  const added = await shop.api('POST', '/cart/add', { body: { product_id: productId, quantity: 1 } });
  const cookie = added.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  assert.deepEqual(valueAt(added.body, 'suggestedPromo'), {
    code: 'SPRING15',
    type: 'fixed_percent',
    discount_value: 15,
  });
  const applied = await shop.api('POST', '/promocodes/apply', { cookie, body: { code: 'SPRING15' } });
  assert.equal(valueAt(readBody(applied), 'suggestedPromo'), null);
  const token = await createBuyer();
  await shop.api('DELETE', '/cart/remove', { token, body: { product_id: productId } });
  const moved = await shop.api('POST', '/orders/transfer-cart', { token, cookie });
  assert.equal(textAt(readBody(moved), 'cart', 'appliedPromoCode', 'code'), 'SPRING15');
});

test('[PROMO-03] marks a free order as paid without a payment', async () => {
  await runWithShopDatabase(shop, (db) => addPromotion(db, { code: 'ALL-OF-IT', basisPoints: 10_000, maxUses: 1 }));
  const token = await createBuyer();
  assert.equal(numberAt(readBody(await apply(token, 'ALL-OF-IT')), 'totalBtcValue'), 0);
  const order = valueAt(readBody(await shop.api('POST', '/cart/checkout', { token, body: BILLING }), 201), 'order');
  assert.deepEqual([valueAt(order, 'payment_status'), valueAt(order, 'payment', 'bip21')], ['paid', null]);
  const check = readBody(await shop.api('GET', `/payments/check/${textAt(order, 'id')}`, { token }));
  assert.equal(valueAt(check, 'isPaid'), true);
});

test('[PROMO-03] redeems the last use once among 20 concurrent orders', async () => {
  const { wrong, refused } = await stressPromo(shop, 15, 20);
  assert.deepEqual(wrong, []);
  assert.deepEqual([...refused], [['409 promo: The promo code LAST-ONE has been used up', 15 * 19]]);
});

test('[API-00] limits failed codes but not valid ones', async () => {
  const limited = await startTestShop({ settings: { RATE_LIMITS: 'on' } });
  try {
    const [failures, successes]: [number[], number[]] = [[], []];
    const added = await limited.api('POST', '/cart/add', { body: { product_id: productId, quantity: 1 } });
    const cookie = added.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const readStatus = async (code: string): Promise<number> =>
      (await limited.api('POST', '/promocodes/apply', { cookie, body: { code } })).status;
    for (let tries = 0; tries < 35; tries += 1) successes.push(await readStatus('GIFT'));
    for (let tries = 0; tries < 32; tries += 1) failures.push(await readStatus(`GUESS-${tries}`));
    assert.deepEqual(new Set(successes), new Set([200]));
    assert.deepEqual(failures, [...Array.from({ length: 30 }, () => 404), 429, 429]);
  } finally {
    await limited.stop();
  }
});
