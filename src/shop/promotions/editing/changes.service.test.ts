import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { Refusal } from '#src/platform/http/call.ts';
import { addPromotion } from '../../../../tests/support/add-promotion.ts';
import { cable, createUuid, ofUser, openCartShop, phone, requireCart } from '../../../../tests/support/cart-shop.ts';
import type { CartShop } from '../../../../tests/support/cart-shop.ts';
import { createPromotionFields } from '../../../../tests/support/promotion-fields.ts';
import { PromotionChanges } from './changes.service.ts';
import type { StoredPromotion } from './changes.service.ts';
import type { PromotionFields } from './contract.ts';
import { getPromotionState, promotionStates } from '../promotion-state.ts';
import { Promotions } from '../service.ts';
import { allowPriceChanges, staffActor } from '../../../../tests/support/staff-actor.ts';

interface ChangesShop extends CartShop {
  readonly changes: PromotionChanges;
  /** The promotions as another process holds them. */
  readonly elsewhere: Promotions;
}

async function openShop(): Promise<ChangesShop> {
  const shop = await openCartShop();
  const elsewhere = await Promotions.open(shop.db, shop.catalogue);
  const changes = new PromotionChanges({
    ...shop,
    revisions: { announce: () => shop.promotions.refresh() },
    priceGuard: allowPriceChanges,
  });
  return { ...shop, changes, elsewhere };
}
function requireChange(changed: StoredPromotion | Refusal): StoredPromotion {
  assert.ok(!(changed instanceof Refusal), 'message' in changed ? changed.message : '');
  return changed;
}
const create = async ({ changes }: ChangesShop, changed: Partial<PromotionFields> = {}): Promise<StoredPromotion> =>
  requireChange(await changes.create(createPromotionFields(changed), staffActor));
const describe = (changed: StoredPromotion | Refusal): string =>
  changed instanceof Refusal ? `${changed.code} ${Object.keys(changed.fields ?? {}).join()}`.trim() : 'ok';
const listCodes = ({ promotions, clock }: ChangesShop): string[] =>
  promotions.listRunning(clock.now()).map(({ code }) => code);

test('[OPS-11] a created promotion is listed and suggested at once', async () => {
  const shop = await openShop();
  await shop.carts.add(ofUser, { product_id: phone, quantity: 1 });
  const version = shop.promotions.getVersionAt(shop.clock.now());
  const created = await create(shop, { code: ' spring ' });
  assert.deepEqual([created.code, created.version, created.uses, created.wasUsed], ['SPRING', 1, 0, false]);
  assert.deepEqual(listCodes(shop), ['SPRING']);
  assert.notEqual(shop.promotions.getVersionAt(shop.clock.now()), version);
  assert.equal((await shop.carts.read(ofUser)).suggestedPromo?.code, 'SPRING');
  // Another process refreshes when it sees the new revision.
  assert.deepEqual([shop.elsewhere.revision, shop.promotions.revision], [0n, 1n]);
  await shop.elsewhere.refresh();
  assert.deepEqual([shop.elsewhere.revision, shop.elsewhere.listRunning(shop.clock.now()).length], [1n, 1]);
  await create(shop, { code: 'FIRST', position: 0 });
  await create(shop, { code: 'LAST', position: 7 });
  await create(shop, { code: 'SECRET', is_advertised: false });
  const edited = await shop.changes.edit(created.id, 1, createPromotionFields({ position: 3 }), staffActor);
  assert.equal(requireChange(edited).version, 2);
  assert.deepEqual(listCodes(shop), ['FIRST', 'SPRING', 'LAST']);
});

test('[OPS-11] refuses a taken code in any case, and an unknown gift', async () => {
  const shop = await openShop();
  await create(shop);
  const other = await create(shop, { code: 'OTHER' });
  assert.equal(
    describe(await shop.changes.create(createPromotionFields({ code: 'spring' }), staffActor)),
    'code-taken code',
  );
  assert.equal(
    describe(await shop.changes.edit(other.id, 1, createPromotionFields({ code: 'Spring ' }), staffActor)),
    'code-taken code',
  );
  const free = { code: 'GIFT', type: 'free_item', discount_value: 0 } as const;
  const missing = createPromotionFields({ ...free, gift_product_id: createUuid(999) });
  assert.equal(describe(await shop.changes.create(missing, staffActor)), 'invalid gift_product_id');
  const gift = await create(shop, { ...free, gift_product_id: cable });
  assert.equal(gift.giftProductId, cable);
  // A gift that was withdrawn from sale may stay.
  await sql`update products set is_published = false where id = ${cable}`.execute(shop.db);
  await shop.catalogue.reload();
  assert.equal(
    describe(
      await shop.changes.edit(gift.id, 1, createPromotionFields({ ...free, gift_product_id: cable }), staffActor),
    ),
    'ok',
  );
  assert.equal(
    describe(
      await shop.changes.create(createPromotionFields({ ...free, code: 'GIFT2', gift_product_id: cable }), staffActor),
    ),
    'invalid gift_product_id',
  );
  assert.equal(describe(await shop.changes.create(createPromotionFields({ code: '?' }), staffActor)), 'invalid code');
  assert.equal((await shop.changes.list({ q: '', state: null }, { limit: 9, offset: 0 })).total, 3);
});

test('[OPS-11] of two edits from the same version one is refused', async () => {
  const shop = await openShop();
  const { id } = await create(shop);
  const edits = await Promise.all(
    [20, 30, 40].map((discount_value) =>
      shop.changes.edit(id, 1, createPromotionFields({ discount_value }), staffActor),
    ),
  );
  assert.deepEqual(edits.map(describe).toSorted(), ['changed-meanwhile', 'changed-meanwhile', 'ok']);
  const stored = await shop.changes.find(id);
  assert.deepEqual(
    [stored?.version, stored?.discountBasisPoints],
    [2, edits.flatMap((one) => (one instanceof Refusal ? [] : one.discountBasisPoints))[0]],
  );
  assert.equal(describe(await shop.changes.edit(createUuid(999), 1, createPromotionFields(), staffActor)), 'not-found');
  requireChange(await shop.changes.setActive(id, false, staffActor));
  assert.equal(
    describe(await shop.changes.edit(id, 2, createPromotionFields(), staffActor)),
    'changed-meanwhile',
    'it was disabled since',
  );
});

test('[OPS-11] [PROMO-03] a cart shows an edited discount when it is read next', async () => {
  const shop = await openShop();
  await shop.carts.add(ofUser, { product_id: phone, quantity: 1 });
  const { id } = await create(shop);
  assert.equal(requireCart(await shop.carts.applyPromotion(ofUser, 'SPRING')).discount, 10);
  requireChange(
    await shop.changes.edit(id, 1, createPromotionFields({ code: 'SUMMER', discount_value: 25 }), staffActor),
  );
  const edited = await shop.carts.read(ofUser);
  assert.deepEqual([edited.discount, edited.appliedPromoCode?.code, edited.totalCartValue], [25, 'SUMMER', 74_925n]);
  requireChange(await shop.changes.setActive(id, false, staffActor));
  const disabled = await shop.carts.read(ofUser);
  assert.deepEqual([disabled.discount, disabled.promoError], [0, 'The promo code SUMMER is no longer valid']);
  assert.deepEqual(listCodes(shop), []);
  requireChange(await shop.changes.setActive(id, true, staffActor));
  assert.equal((await shop.carts.read(ofUser)).discount, 25);
  requireChange(await shop.changes.remove(id, staffActor));
  assert.equal((await shop.carts.read(ofUser)).appliedPromoCode, null);
  assert.equal(describe(await shop.changes.remove(id, staffActor)), 'not-found');
});

test('[OPS-11] the list finds codes by part and state, as the rule says', async () => {
  const shop = await openShop();
  const now = shop.clock.now();
  const near = fc.option(fc.integer({ min: -2, max: 2 }));
  const sketches = fc.sample(
    fc.record({
      starts: near,
      ends: near,
      maxUses: fc.option(fc.integer({ min: 1, max: 2 })),
      uses: fc.integer({ min: 0, max: 1 }),
      isActive: fc.boolean(),
    }),
    120,
  );
  const at = (minutes: number | null) => (minutes === null ? null : new Date(now.getTime() + minutes * 60_000));
  for (const [index, { starts, ends, maxUses, uses, isActive }] of sketches.entries()) {
    if (starts !== null && ends !== null && starts >= ends) continue;
    const id = await addPromotion(shop.db, { code: `S_${index}`, ...(maxUses !== null && { maxUses }) });
    await sql`update promotions set starts_at = ${at(starts)}, ends_at = ${at(ends)}, uses = ${uses},
      is_active = ${isActive} where id = ${id}`.execute(shop.db);
  }
  const { rows: all, total } = await shop.changes.list({ q: '', state: null }, { limit: 200, offset: 0 });
  assert.equal(all.length, total);
  for (const state of promotionStates) {
    const { rows } = await shop.changes.list({ q: '', state }, { limit: 200, offset: 0 });
    const expected = all.filter((one) => getPromotionState(one, shop.clock.now()) === state);
    assert.deepEqual(rows, expected, state);
    assert.ok(rows.length > 0, state);
  }
  const page = await shop.changes.list({ q: 'S_', state: null }, { limit: 10, offset: 5 });
  assert.deepEqual([page.rows, page.total], [all.slice(5, 15), total]);
  assert.equal((await shop.changes.list({ q: 'S%', state: null }, { limit: 1, offset: 0 })).total, 0);
});
