/** Carts of users and guests, and their lines. */
import { sql } from 'kysely';
import type { Kysely, QueryResult, RawBuilder } from 'kysely';
import { compileOnce } from '#src/platform/database/compile-once.ts';
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

/** A published variant with its stock, as the catalogue names it. */
interface SellableVariant {
  readonly id: string;
  readonly productId: string;
  /** Sorted. */
  readonly valueIds: readonly string[];
  readonly sku: string;
  /** Its own; null: that of the product. */
  readonly weightGrams: number | null;
  /** Null if its stock is not tracked. */
  readonly available: number | null;
}

export interface StoredCart {
  readonly promotionId: string | null;
  readonly delivery: CartDelivery;
  /** In display order: by product, then by chosen values. */
  readonly lines: readonly StoredLine[];
  /** Published variants with their stock: of the lines with exactly their values, and those that were asked for. */
  readonly variants: readonly SellableVariant[];
}

export const EMPTY_CART: StoredCart = {
  promotionId: null,
  delivery: { country: null, vatNumber: null },
  lines: [],
  variants: [],
};

type LineKey = Pick<StoredLine, 'productId' | 'valueIds'>;

const getOwnerColumn = (owner: CartOwner) =>
  'userId' in owner ? ('carts.user_id' as const) : ('carts.guest_hash' as const);
const getOwnerKey = (owner: CartOwner) => ('userId' in owner ? owner.userId : owner.guestHash);

/** A statement for carts of users and guests. */
function compileForOwners<Params extends object, Row>(
  build: (db: Db, owner: RawBuilder<unknown>, of: Params) => RawBuilder<Row>,
): (db: Db, owner: CartOwner, of: Params) => Promise<QueryResult<Row>> {
  type Of = Params & { readonly key: string | Buffer };
  const ofUsers = compileOnce((db, of: Of) => build(db, sql`carts.user_id = ${of.key}`, of));
  const ofGuests = compileOnce((db, of: Of) => build(db, sql`carts.guest_hash = ${of.key}`, of));
  return (db, owner, of) => {
    const keyed = { ...of, key: getOwnerKey(owner) };
    return 'userId' in owner ? ofUsers(db, keyed) : ofGuests(db, keyed);
  };
}

interface CartRow {
  readonly promotionId: string | null;
  readonly country: string | null;
  readonly vatNumber: string | null;
  readonly productId: string | null;
  readonly valueIds: string[] | null;
  readonly quantity: number | null;
  readonly seenCents: Cents | null;
  readonly variantId: string | null;
  readonly sku: string | null;
  readonly weightGrams: number | null;
  readonly available: number | null;
  /** Besides the lines' own. */
  readonly others: readonly SellableVariant[];
}

/** A variant by its product and its sorted value ids. */
export type VariantRequest = Pick<SellableVariant, 'productId' | 'valueIds'>;

const selectCart = compileForOwners<{ readonly productIds: string[]; readonly valueIds: string[] }, CartRow>(
  (_db, isOwners, of) => sql`
    select promotion_id as "promotionId", delivery_country as country, vat_number as "vatNumber",
      line.product_id as "productId", line.property_value_ids as "valueIds", quantity, seen_cents as "seenCents",
      variant.id as "variantId", variant.sku, variant.weight_grams as "weightGrams", stock.available,
      (
        select coalesce(json_agg(json_build_object('id', other.id, 'productId', other.product_id,
          'valueIds', other.property_value_ids, 'sku', other.sku, 'weightGrams', other.weight_grams,
          'available', other_stock.available)), '[]')
        from unnest(${of.productIds}::uuid[], ${of.valueIds}::text[]) as requested (product_id, value_ids)
        join product_variants other on other.product_id = requested.product_id
          and other.property_value_ids = requested.value_ids::uuid[] and other.is_published
        left join variant_stock other_stock on other_stock.variant_id = other.id
      ) as others
    from carts
    left join cart_lines line on line.cart_id = carts.id
    left join product_variants variant on variant.product_id = line.product_id
      and variant.property_value_ids = line.property_value_ids and variant.is_published
    left join variant_stock stock on stock.variant_id = variant.id
    where ${isOwners}
    order by line.product_id, line.property_value_ids
  `,
);

/**
 * Stored cart; empty if there is none.
 * @param others variants to read with those of its lines
 */
export async function findCart(db: Db, owner: CartOwner, others: readonly VariantRequest[] = []): Promise<StoredCart> {
  const { rows } = await selectCart(db, owner, {
    productIds: others.map(({ productId }) => productId),
    valueIds: others.map(({ valueIds }) => `{${valueIds.join()}}`),
  });
  const lines: StoredLine[] = [];
  const variants: SellableVariant[] = [...(rows[0]?.others ?? [])];
  for (const { productId, valueIds, quantity, seenCents, variantId: id, sku, weightGrams, available } of rows) {
    if (productId === null || valueIds === null || quantity === null) continue;
    lines.push({ productId, valueIds, quantity, seenCents });
    if (id !== null && sku !== null) variants.push({ id, sku, productId, valueIds, weightGrams, available });
  }
  const { promotionId = null, country = null, vatNumber = null } = rows[0] ?? {};
  return { promotionId, delivery: { country, vatNumber }, lines, variants };
}

export async function hasCart(db: Db, owner: CartOwner): Promise<boolean> {
  const query = tables(db).selectFrom('carts').select('id').where(getOwnerColumn(owner), '=', getOwnerKey(owner));
  return (await query.executeTakeFirst()) !== undefined;
}

const touchCart = compileForOwners<{ readonly now: Date }, { readonly id: string }>(
  (_db, isOwners, { now }) => sql`update carts set updated_at = ${now} where ${isOwners} returning id`,
);

/** Locks an existing cart until the transaction ends. Returns its id; null if there is none. */
export async function lockCart(tx: Db, owner: CartOwner, now: Date): Promise<string | null> {
  return (await touchCart(tx, owner, { now })).rows[0]?.id ?? null;
}

/** Part of a statement: the products of a user's cart. */
export const selectCartProducts = (userId: string): RawBuilder<unknown> => sql`
  select product_id from cart_lines join carts on carts.id = cart_id where user_id = ${userId}
`;

interface NewCart {
  readonly id: string;
  readonly key: string | Buffer;
  readonly now: Date;
}
const openUserCart = compileOnce(
  (_db, { id, key, now }: NewCart) => sql<{ id: string }>`
    insert into carts (id, user_id, created_at, updated_at) values (${id}, ${key}, ${now}, ${now})
    on conflict (user_id) do update set updated_at = excluded.updated_at returning id
  `,
);
const openGuestCart = compileOnce(
  (_db, { id, key, now }: NewCart) => sql<{ id: string }>`
    insert into carts (id, guest_hash, created_at, updated_at) values (${id}, ${key}, ${now}, ${now})
    on conflict (guest_hash) do update set updated_at = excluded.updated_at returning id
  `,
);

/** Creates the cart unless it exists, and locks its row. Concurrent calls wait. */
export async function openCart(tx: Db, id: string, owner: CartOwner, now: Date): Promise<string> {
  const open = 'userId' in owner ? openUserCart : openGuestCart;
  const { rows } = await open(tx, { id, key: getOwnerKey(owner), now });
  const [row] = rows;
  if (row === undefined) throw new Error('a cart was not opened');
  return row.id;
}

const insertOrAdd = compileOnce(
  (_db, line: StoredLine & { readonly cartId: string; readonly maximum: number }) => sql`
    insert into cart_lines (cart_id, product_id, property_value_ids, quantity, seen_cents)
    values (${line.cartId}, ${line.productId}, ${line.valueIds}::uuid[], ${line.quantity}, ${line.seenCents})
    on conflict (cart_id, product_id, property_value_ids)
      do update set quantity = cart_lines.quantity + excluded.quantity, seen_cents = excluded.seen_cents
      where cart_lines.quantity + excluded.quantity <= ${line.maximum}
  `,
);

/** Adds to the quantity of a line or creates it. False if that would exceed the maximum. */
export async function addToLine(tx: Db, cartId: string, line: StoredLine, maximum: number): Promise<boolean> {
  return (await insertOrAdd(tx, { ...line, cartId, maximum })).numAffectedRows === 1n;
}

interface RestoredLines {
  readonly cartId: string;
  readonly productIds: readonly string[];
  /** Array literals. */
  readonly valueIds: readonly string[];
  readonly quantities: readonly number[];
  readonly seenCents: readonly (Cents | null)[];
  readonly maximum: number;
}
const insertOrRestore = compileOnce(
  (_db, of: RestoredLines) => sql`
    insert into cart_lines (cart_id, product_id, property_value_ids, quantity, seen_cents)
    select ${of.cartId}::uuid, product_id, value_ids::uuid[], least(sum(quantity), ${of.maximum}::integer), min(seen_cents)
    from unnest(${of.productIds}::uuid[], ${of.valueIds}::text[], ${of.quantities}::integer[], ${of.seenCents}::bigint[])
      as restored (product_id, value_ids, quantity, seen_cents)
    group by product_id, value_ids
    on conflict (cart_id, product_id, property_value_ids)
      do update set quantity = least(cart_lines.quantity + excluded.quantity, ${of.maximum}::integer)
  `,
);

/** Adds to the quantities of lines up to the maximum, or creates them. */
export async function restoreLines(
  tx: Db,
  cartId: string,
  lines: readonly StoredLine[],
  maximum: number,
): Promise<void> {
  if (lines.length === 0) return;
  await insertOrRestore(tx, {
    cartId,
    maximum,
    productIds: lines.map(({ productId }) => productId),
    valueIds: lines.map(({ valueIds }) => `{${valueIds.join()}}`),
    quantities: lines.map(({ quantity }) => quantity),
    seenCents: lines.map(({ seenCents }) => seenCents),
  });
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

const emptyUserCart = compileOnce(
  (_db, { userId }: { readonly userId: string }) => sql`
    with emptied as (delete from cart_lines using carts where carts.id = cart_lines.cart_id and carts.user_id = ${userId})
    update carts set promotion_id = null where user_id = ${userId} and promotion_id is not null
  `,
);

/** Deletes all lines and the promotion of a user's cart. */
export async function emptyCart(tx: Db, userId: string): Promise<void> {
  await emptyUserCart(tx, { userId });
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
