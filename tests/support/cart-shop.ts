/** Cart tests: a shop with a phone that has two properties, and cables without properties. */
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { AdjustableClock } from '#src/platform/process/clock.ts';
import type { Db } from '#src/platform/database/database.ts';
import { createFixedRate } from '#src/platform/rates/rate-source.ts';
import { Carts } from '#src/shop/cart/service.ts';
import type { CartResponse, CartChangeResult, Shopper } from '#src/shop/cart/service.ts';
import { Catalogue } from '#src/shop/catalogue/service.ts';
import { centsPerBtc } from '#src/shop/money.ts';
import { Promotions } from '#src/shop/promotions/service.ts';
import { addVariants } from './add-variants.ts';
import { createTestDatabase } from './database.ts';
import { noCharges } from './no-charges.ts';

export const createUuid = (number: number): string => `019a0000-0000-7000-8000-${String(number).padStart(12, '0')}`;
export const [phone, cable, user, other] = [createUuid(1), createUuid(2), createUuid(91), createUuid(92)];
export const [small, large, black, white] = [createUuid(21), createUuid(22), createUuid(31), createUuid(30)];
/** The line of a phone that was added without values. */
export const plain = [small, black].toSorted();
export const RATE = centsPerBtc(11_100_000n);

async function fillDatabase(db: Db, cables: number): Promise<void> {
  await sql`insert into brands (id, name, slug) values (${createUuid(11)}, 'Apple', 'apple')`.execute(db);
  await sql`insert into categories (id, name, slug) values (${createUuid(12)}, 'Phones', 'phones')`.execute(db);
  await sql`insert into properties (id, category_id, name, position) values
    (${createUuid(13)}, ${createUuid(12)}, 'Memory Capacity', 0), (${createUuid(14)}, ${createUuid(12)}, 'Colour', 1)`.execute(
    db,
  );
  await sql`insert into property_values (id, property_id, value, increase_cents, position) values
    (${small}, ${createUuid(13)}, '128 GB', 0, 0), (${large}, ${createUuid(13)}, '1 TB', 40001, 1),
    (${black}, ${createUuid(14)}, 'Black', 0, 0), (${white}, ${createUuid(14)}, 'White', 1001, 1)`.execute(db);
  await sql`insert into products
    (id, name, slug, article, category_id, brand_id, base_price_cents, description, sub_description, specifications, images, main_image)
    values (${phone}, 'iPhone', 'iphone', 'A1', ${createUuid(12)}, ${createUuid(11)}, 99900, '', 'A phone', '{}', '{}', '/images/iphone.avif')`.execute(
    db,
  );
  await sql`insert into product_values (product_id, value_id, increase_cents)
    select ${phone}, id, increase_cents from property_values`.execute(db);
  for (let at = 0; at < cables; at += 1) {
    await sql`insert into products
      (id, name, slug, article, category_id, brand_id, base_price_cents, description, sub_description, specifications, images, main_image)
      values (${createUuid(2 + at * 100)}, ${`Cable ${at}`}, ${`cable-${at}`}, ${`C${at}`}, ${createUuid(12)}, ${createUuid(11)},
        1000, '', 'A cable', '{}', '{}', '/images/cable.avif')`.execute(db);
  }
  await addVariants(db);
  for (const id of [user, other]) {
    await sql`insert into users (id, username, username_key, email, email_key, password_hash, created_at)
      values (${id}, ${id}, ${id}, ${id}, ${id}, '-', now())`.execute(db);
  }
}

export interface CartShop {
  readonly db: Db;
  readonly clock: AdjustableClock;
  readonly catalogue: Catalogue;
  readonly promotions: Promotions;
  readonly carts: Carts;
}

/** @param cables how many; their ids are uuid(2), uuid(102), uuid(202) … */
export async function openCartShop(cables = 1): Promise<CartShop> {
  const { db } = await createTestDatabase();
  await fillDatabase(db, cables);
  const clock = new AdjustableClock();
  const catalogue = await Catalogue.open(
    db,
    createFixedRate(RATE, () => clock.now()),
  );
  const promotions = await Promotions.open(db, catalogue);
  return {
    db,
    clock,
    catalogue,
    promotions,
    carts: new Carts({ db, clock, catalogue, promotions, ...noCharges }),
  };
}

export const ofUser: Shopper = { userId: user, guestToken: null };
export const anonymous: Shopper = { userId: null, guestToken: null };
export const createGuest = (guestToken: string | null): Shopper => ({ userId: null, guestToken });

export function requireCart(changed: CartChangeResult): CartResponse {
  assert.ok(changed.ok, changed.ok ? '' : changed.reason);
  return changed.cart;
}
export function getToken(changed: CartChangeResult): string {
  assert.ok(changed.ok && changed.guestToken !== null);
  return changed.guestToken;
}
export const getLines = (cart: { cart_items: CartResponse['cart_items'] }) =>
  cart.cart_items.map(({ product_id, property_value_ids, quantity }) => [product_id, property_value_ids, quantity]);
export const countCarts = async (db: Db): Promise<number> => (await sql`select 1 from carts`.execute(db)).rows.length;
