/** Carts, of users and of guests, and their lines. */
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { pipeline } from '#src/platform/database/database.ts';
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

/** Whose cart it is: a user's, or that of the cookie with this hash. */
export type CartOwner = { readonly userId: string } | { readonly guestHash: Buffer };

/** Who shops: by the session, and by the guest cookie as sent. */
export interface Shopper {
  readonly userId: string | null;
  readonly guestToken: string | null;
}

/** Null for what can't be a cookie of the shop's. */
export function resolveGuest(guestToken: string | null): CartOwner | null {
  const guestHash = guestToken === null ? null : hashToken(guestToken);
  return guestHash && { guestHash };
}

export const resolveOwner = ({ userId, guestToken }: Shopper): CartOwner | null =>
  userId === null ? resolveGuest(guestToken) : { userId };

/** A guest's cookie is set anew with every write, so that it lasts from the last one on. */
export const selectCookieToken = ({ userId, guestToken }: Shopper): string | null =>
  userId === null ? guestToken : null;

export interface StoredCart {
  readonly promotionId: string | null;
  /** In the order they are shown: by product, then by the chosen values. */
  readonly lines: readonly StoredLine[];
}

type LineKey = Pick<StoredLine, 'productId' | 'valueIds'>;

const columnOf = (owner: CartOwner) => ('userId' in owner ? ('carts.user_id' as const) : ('carts.guest_hash' as const));
const keyOf = (owner: CartOwner) => ('userId' in owner ? owner.userId : owner.guestHash);

/** What is stored of a cart; an empty one where there is none. */
export async function findCart(db: Db, owner: CartOwner): Promise<StoredCart> {
  const rows = await tables(db)
    .selectFrom('carts')
    .leftJoin('cart_lines', 'cart_lines.cart_id', 'carts.id')
    .select(['promotion_id as promotionId', 'product_id as productId', 'property_value_ids as valueIds'])
    .select(['quantity', 'seen_cents as seenCents'])
    .where(columnOf(owner), '=', keyOf(owner))
    .orderBy('product_id')
    .orderBy('property_value_ids')
    .execute();
  const lines = rows.flatMap(({ productId, valueIds, quantity, seenCents }) =>
    productId === null || valueIds === null || quantity === null ? [] : { productId, valueIds, quantity, seenCents },
  );
  return { promotionId: rows[0]?.promotionId ?? null, lines };
}

export async function hasCart(db: Db, owner: CartOwner): Promise<boolean> {
  const found = tables(db).selectFrom('carts').select('id').where(columnOf(owner), '=', keyOf(owner));
  return (await found.executeTakeFirst()) !== undefined;
}

/** The id of a cart that exists, whose row stays locked until the transaction ends; else null. */
export async function lockCart(tx: Db, owner: CartOwner, now: Date): Promise<string | null> {
  const row = await tables(tx)
    .updateTable('carts')
    .set({ updated_at: now })
    .where(columnOf(owner), '=', keyOf(owner))
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

/** What is in a cart that exists, as it is once its row is locked until the transaction ends; else null. */
export async function lockAndFindCart(tx: Db, owner: CartOwner, now: Date): Promise<StoredCart | null> {
  const [id, stored] = await pipeline(tx, (free) => [lockCart(free, owner, now), findCart(free, owner)]);
  return id === null ? null : stored;
}

/** Makes the cart unless it exists, and locks its row either way: of those who make it at once, all but one wait. */
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

/** Adds to the line's quantity, or makes the line; false, and nothing done, where it would pass the maximum. */
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

/** Adds to the line's quantity, as far as the maximum allows, or makes the line. */
export async function restoreLine(tx: Db, cartId: string, line: StoredLine, maximum: number): Promise<void> {
  await sql`
    insert into cart_lines (cart_id, product_id, property_value_ids, quantity, seen_cents)
    values (${cartId}, ${line.productId}, ${line.valueIds}::uuid[], ${line.quantity}, ${line.seenCents})
    on conflict (cart_id, product_id, property_value_ids)
      do update set quantity = least(cart_lines.quantity + excluded.quantity, ${maximum}::integer)
  `.execute(tx);
}

/** False when there is no such line. */
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

/** Keeps the price at which the buyer has seen a line. */
export async function setSeenPrice(tx: Db, cartId: string, line: LineKey, seenCents: Cents): Promise<void> {
  await tables(tx)
    .updateTable('cart_lines')
    .set({ seen_cents: seenCents })
    .where('cart_id', '=', cartId)
    .where('product_id', '=', line.productId)
    .where('property_value_ids', '=', sql<string[]>`${line.valueIds}::uuid[]`)
    .execute();
}

/** Applies a promotion to a cart, or none. */
export async function setPromotion(tx: Db, cartId: string, promotionId: string | null): Promise<void> {
  await tables(tx).updateTable('carts').set({ promotion_id: promotionId }).where('id', '=', cartId).execute();
}

/** Applies a promotion to a cart that has none. */
export async function addPromotion(tx: Db, cartId: string, promotionId: string | null): Promise<void> {
  const cart = tables(tx).updateTable('carts').set({ promotion_id: promotionId }).where('id', '=', cartId);
  if (promotionId !== null) await cart.where('promotion_id', 'is', null).execute();
}

/** How many lines went: those with these values, or without values all of the product. */
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

/** Adds the lines of one cart to those of another, at most `maximum` of each; both are locked by the caller. */
export async function copyLines(tx: Db, fromCartId: string, toCartId: string, maximum: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    insert into cart_lines (cart_id, product_id, property_value_ids, quantity, seen_cents)
    select ${toCartId}::uuid, product_id, property_value_ids, quantity, seen_cents
    from cart_lines where cart_id = ${fromCartId}
    on conflict (cart_id, product_id, property_value_ids)
      do update set quantity = least(cart_lines.quantity + excluded.quantity, ${maximum}::integer)
  `.execute(tx);
  await sql`
    update carts set promotion_id = former.promotion_id from carts former
    where carts.id = ${toCartId} and former.id = ${fromCartId} and carts.promotion_id is null
  `.execute(tx);
  return Number(numAffectedRows);
}

export async function deleteCart(tx: Db, cartId: string): Promise<void> {
  await tables(tx).deleteFrom('carts').where('id', '=', cartId).execute();
}

/** Takes everything out of a user's cart, its promotion too. */
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
