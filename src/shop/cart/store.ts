/** Carts of users and guests, and their lines. */
import { sql } from 'kysely';
import type { Kysely, RawBuilder } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { hashToken } from '#src/platform/security/tokens.ts';
import type { Cents } from '#src/shop/money.ts';
import type { StoredLine } from './assess-cart.ts';

interface Tables {
  carts: {
    id: string;
    user_id: string | null;
    guest_hash: Buffer | null;
    promotion_id: string | null;
    delivery_country: string | null;
    vat_number: string | null;
    created_at: Date;
    updated_at: Date;
  };
  cart_lines: {
    cart_id: string;
    product_id: string;
    property_value_ids: string[];
    quantity: number;
    seen_cents: Cents | null;
  };
}

const tables = (db: Db): Kysely<Tables> => db.$extendTables<Pick<Tables, keyof Tables>>();

/** Owner of a cart: a user, or the guest cookie with this hash. */
export type CartOwner = { readonly userId: string } | { readonly guestHash: Buffer };

/** The session's user, and the guest cookie as sent. */
export interface Shopper {
  readonly userId: string | null;
  readonly guestToken: string | null;
}

/** Null if the text can't be a guest cookie. */
export function resolveGuest(guestToken: string | null): CartOwner | null {
  const guestHash = guestToken === null ? null : hashToken(guestToken);
  return guestHash && { guestHash };
}

export const resolveOwner = ({ userId, guestToken }: Shopper): CartOwner | null =>
  userId === null ? resolveGuest(guestToken) : { userId };

/** The cookie is renewed with every write, so that it lasts from the last one. */
export const selectCookieToken = ({ userId, guestToken }: Shopper): string | null =>
  userId === null ? guestToken : null;

/** What shipping and tax of a cart are computed for. */
export interface CartDelivery {
  /** Null: not known yet. */
  readonly country: string | null;
  /** As entered. */
  readonly vatNumber: string | null;
}

export interface StoredCart {
  readonly promotionId: string | null;
  readonly delivery: CartDelivery;
  /** In display order: by product, then by chosen values. */
  readonly lines: readonly StoredLine[];
}

export const EMPTY_CART: StoredCart = { promotionId: null, delivery: { country: null, vatNumber: null }, lines: [] };

type LineKey = Pick<StoredLine, 'productId' | 'valueIds'>;

const getOwnerColumn = (owner: CartOwner) =>
  'userId' in owner ? ('carts.user_id' as const) : ('carts.guest_hash' as const);
const getOwnerKey = (owner: CartOwner) => ('userId' in owner ? owner.userId : owner.guestHash);

/** Stored cart; empty if there is none. */
export async function findCart(db: Db, owner: CartOwner): Promise<StoredCart> {
  const rows = await tables(db)
    .selectFrom('carts')
    .leftJoin('cart_lines', 'cart_lines.cart_id', 'carts.id')
    .select(['promotion_id as promotionId', 'product_id as productId', 'property_value_ids as valueIds'])
    .select(['quantity', 'seen_cents as seenCents', 'delivery_country as country', 'vat_number as vatNumber'])
    .where(getOwnerColumn(owner), '=', getOwnerKey(owner))
    .orderBy('product_id')
    .orderBy('property_value_ids')
    .execute();
  const lines = rows.flatMap(({ productId, valueIds, quantity, seenCents }) =>
    productId === null || valueIds === null || quantity === null ? [] : { productId, valueIds, quantity, seenCents },
  );
  const { promotionId = null, country = null, vatNumber = null } = rows[0] ?? {};
  return { promotionId, delivery: { country, vatNumber }, lines };
}

export async function hasCart(db: Db, owner: CartOwner): Promise<boolean> {
  const query = tables(db).selectFrom('carts').select('id').where(getOwnerColumn(owner), '=', getOwnerKey(owner));
  return (await query.executeTakeFirst()) !== undefined;
}

/** Locks an existing cart until the transaction ends. Returns its id; null if there is none. */
export async function lockCart(tx: Db, owner: CartOwner, now: Date): Promise<string | null> {
  const row = await tables(tx)
    .updateTable('carts')
    .set({ updated_at: now })
    .where(getOwnerColumn(owner), '=', getOwnerKey(owner))
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Part of a statement: what a user's cart contains. */
export const selectCartProducts = (userId: string): RawBuilder<unknown> => sql`
  select product_id from cart_lines join carts on carts.id = cart_id where user_id = ${userId}
`;
export const selectCartVariants = (userId: string): RawBuilder<unknown> => sql`
  select product_id, property_value_ids as value_ids
  from cart_lines join carts on carts.id = cart_id where user_id = ${userId}
`;

/** Creates the cart unless it exists, and locks its row. Concurrent calls wait. */
export async function openCart(tx: Db, id: string, owner: CartOwner, now: Date): Promise<string> {
  const isUsers = 'userId' in owner;
  const row = await tables(tx)
    .insertInto('carts')
    .values({
      id,
      user_id: isUsers ? owner.userId : null,
      guest_hash: isUsers ? null : owner.guestHash,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.column(isUsers ? 'user_id' : 'guest_hash').doUpdateSet({ updated_at: now }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Adds to the quantity of a line or creates it. False if that would exceed the maximum. */
export async function addToLine(tx: Db, cartId: string, line: StoredLine, maximum: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into cart_lines (cart_id, product_id, property_value_ids, quantity, seen_cents)
    values (${cartId}, ${line.productId}, ${line.valueIds}::uuid[], ${line.quantity}, ${line.seenCents})
    on conflict (cart_id, product_id, property_value_ids)
      do update set quantity = cart_lines.quantity + excluded.quantity, seen_cents = excluded.seen_cents
      where cart_lines.quantity + excluded.quantity <= ${maximum}
  `.execute(tx);
  return numAffectedRows === 1n;
}

/** Adds to the quantity of a line up to the maximum, or creates it. */
export async function restoreLine(tx: Db, cartId: string, line: StoredLine, maximum: number): Promise<void> {
  await sql`
    insert into cart_lines (cart_id, product_id, property_value_ids, quantity, seen_cents)
    values (${cartId}, ${line.productId}, ${line.valueIds}::uuid[], ${line.quantity}, ${line.seenCents})
    on conflict (cart_id, product_id, property_value_ids)
      do update set quantity = least(cart_lines.quantity + excluded.quantity, ${maximum}::integer)
  `.execute(tx);
}

/** False if there is no such line. */
export async function setLine(tx: Db, cartId: string, line: StoredLine): Promise<boolean> {
  const { numUpdatedRows } = await tables(tx)
    .updateTable('cart_lines')
    .set({ quantity: line.quantity, seen_cents: line.seenCents })
    .where('cart_id', '=', cartId)
    .where('product_id', '=', line.productId)
    .where('property_value_ids', '=', sql<string[]>`${line.valueIds}::uuid[]`)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Stores the unit price that the buyer has seen. */
export async function setSeenPrice(tx: Db, cartId: string, line: LineKey, seenCents: Cents): Promise<void> {
  await tables(tx)
    .updateTable('cart_lines')
    .set({ seen_cents: seenCents })
    .where('cart_id', '=', cartId)
    .where('product_id', '=', line.productId)
    .where('property_value_ids', '=', sql<string[]>`${line.valueIds}::uuid[]`)
    .execute();
}

/** Sets what shipping and tax of a cart are computed for. */
export async function setDelivery(tx: Db, cartId: string, { country, vatNumber }: CartDelivery): Promise<void> {
  const delivery = { delivery_country: country, vat_number: vatNumber };
  await tables(tx).updateTable('carts').set(delivery).where('id', '=', cartId).execute();
}

/** Sets or clears the promotion of a cart. */
export async function setPromotion(tx: Db, cartId: string, promotionId: string | null): Promise<void> {
  await tables(tx).updateTable('carts').set({ promotion_id: promotionId }).where('id', '=', cartId).execute();
}

/** Sets the promotion of a cart that has none. */
export async function addPromotion(tx: Db, cartId: string, promotionId: string | null): Promise<void> {
  const cart = tables(tx).updateTable('carts').set({ promotion_id: promotionId }).where('id', '=', cartId);
  if (promotionId !== null) await cart.where('promotion_id', 'is', null).execute();
}

/**
 * Deletes the line with these values, or without values all lines of the product. Returns their
 * number.
 */
export async function deleteLines(
  tx: Db,
  cartId: string,
  productId: string,
  valueIds: readonly string[] | null,
): Promise<number> {
  let lines = tables(tx).deleteFrom('cart_lines').where('cart_id', '=', cartId).where('product_id', '=', productId);
  if (valueIds) lines = lines.where('property_value_ids', '=', sql<string[]>`${valueIds}::uuid[]`);
  return Number((await lines.executeTakeFirst()).numDeletedRows);
}

/** Adds the lines of one cart to another, at most `maximum` each. The caller has locked both. */
export async function copyLines(tx: Db, fromCartId: string, toCartId: string, maximum: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    insert into cart_lines (cart_id, product_id, property_value_ids, quantity, seen_cents)
    select ${toCartId}::uuid, product_id, property_value_ids, quantity, seen_cents
    from cart_lines where cart_id = ${fromCartId}
    on conflict (cart_id, product_id, property_value_ids)
      do update set quantity = least(cart_lines.quantity + excluded.quantity, ${maximum}::integer)
  `.execute(tx);
  await sql`
    update carts set promotion_id = coalesce(carts.promotion_id, former.promotion_id),
      delivery_country = coalesce(carts.delivery_country, former.delivery_country)
    from carts former where carts.id = ${toCartId} and former.id = ${fromCartId}
  `.execute(tx);
  return Number(numAffectedRows);
}

export async function deleteCart(tx: Db, cartId: string): Promise<void> {
  await tables(tx).deleteFrom('carts').where('id', '=', cartId).execute();
}

/** Deletes all lines and the promotion of a user's cart. */
export async function emptyCart(tx: Db, userId: string): Promise<void> {
  await sql`
    with emptied as (delete from cart_lines using carts where carts.id = cart_lines.cart_id and carts.user_id = ${userId})
    update carts set promotion_id = null where user_id = ${userId} and promotion_id is not null
  `.execute(tx);
}

export async function deleteUserCart(tx: Db, userId: string): Promise<void> {
  await tables(tx).deleteFrom('carts').where('user_id', '=', userId).execute();
}

export async function deleteGuestCartsBefore(db: Db, moment: Date): Promise<void> {
  await tables(db).deleteFrom('carts').where('guest_hash', 'is not', null).where('updated_at', '<', moment).execute();
}

/** Whether staff have blocked the account. */
export async function isOwnerBlocked(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql<{ isBlocked: boolean }>`
    select blocked_at is not null as "isBlocked" from users where id = ${userId}`.execute(db);
  return rows[0]?.isBlocked ?? false;
}
