/** Carts, of users and of guests, and their lines. */
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

interface Tables {
  carts: { id: string; user_id: string | null; guest_hash: Buffer | null; created_at: Date; updated_at: Date };
  cart_lines: { cart_id: string; product_id: string; property_value_ids: string[]; quantity: number };
}

const tables = (db: Db): Kysely<Tables> => db.$extendTables<Pick<Tables, keyof Tables>>();

/** Whose cart it is: a user's, or that of the cookie with this hash. */
export type Owner = { readonly userId: string } | { readonly guestHash: Buffer };

export interface LineRow {
  readonly productId: string;
  /** Sorted: with the product it is the line's identity. */
  readonly valueIds: readonly string[];
  readonly quantity: number;
}

const columnOf = (owner: Owner) => ('userId' in owner ? ('carts.user_id' as const) : ('carts.guest_hash' as const));
const keyOf = (owner: Owner) => ('userId' in owner ? owner.userId : owner.guestHash);

/** In the order they are shown: by product, then by the chosen values. */
export async function findLines(db: Db, owner: Owner): Promise<readonly LineRow[]> {
  return tables(db)
    .selectFrom('carts')
    .innerJoin('cart_lines', 'cart_lines.cart_id', 'carts.id')
    .select(['product_id as productId', 'property_value_ids as valueIds', 'quantity'])
    .where(columnOf(owner), '=', keyOf(owner))
    .orderBy('product_id')
    .orderBy('property_value_ids')
    .execute();
}

/** The id of a cart that exists, whose row stays locked until the transaction ends; else null. */
export async function lockCart(tx: Db, owner: Owner, now: Date): Promise<string | null> {
  const row = await tables(tx)
    .updateTable('carts')
    .set({ updated_at: now })
    .where(columnOf(owner), '=', keyOf(owner))
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Makes the cart unless it exists, and locks its row either way: of those who make it at once, all but one wait. */
export async function openCart(tx: Db, id: string, owner: Owner, now: Date): Promise<string> {
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
export async function addToLine(tx: Db, cartId: string, line: LineRow, maximum: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into cart_lines (cart_id, product_id, property_value_ids, quantity)
    values (${cartId}, ${line.productId}, ${line.valueIds}::uuid[], ${line.quantity})
    on conflict (cart_id, product_id, property_value_ids)
      do update set quantity = cart_lines.quantity + excluded.quantity
      where cart_lines.quantity + excluded.quantity <= ${maximum}
  `.execute(tx);
  return numAffectedRows === 1n;
}

/** False when there is no such line. */
export async function setLine(tx: Db, cartId: string, line: LineRow): Promise<boolean> {
  const { numUpdatedRows } = await tables(tx)
    .updateTable('cart_lines')
    .set({ quantity: line.quantity })
    .where('cart_id', '=', cartId)
    .where('product_id', '=', line.productId)
    .where('property_value_ids', '=', sql<string[]>`${line.valueIds}::uuid[]`)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
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
    insert into cart_lines (cart_id, product_id, property_value_ids, quantity)
    select ${toCartId}::uuid, product_id, property_value_ids, quantity from cart_lines where cart_id = ${fromCartId}
    on conflict (cart_id, product_id, property_value_ids)
      do update set quantity = least(cart_lines.quantity + excluded.quantity, ${maximum}::integer)
  `.execute(tx);
  return Number(numAffectedRows);
}

export async function deleteCart(tx: Db, cartId: string): Promise<void> {
  await tables(tx).deleteFrom('carts').where('id', '=', cartId).execute();
}

export async function deleteAllLines(tx: Db, userId: string): Promise<void> {
  await tables(tx)
    .deleteFrom('cart_lines')
    .where('cart_id', 'in', (of) => of.selectFrom('carts').select('id').where('user_id', '=', userId))
    .execute();
}

export async function deleteGuestCartsBefore(db: Db, moment: Date): Promise<void> {
  await tables(db).deleteFrom('carts').where('guest_hash', 'is not', null).where('updated_at', '<', moment).execute();
}
