/** Promotions as staff change and list them. */
import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { PresentUses, PromotionDraft } from './promotion-fields.ts';
import type { PromotionState } from '../promotion-state.ts';
import type { Promotion } from '../promotion.ts';
import { tables, toPromotion } from '../store.ts';
import type { PromotionsTable } from '../store.ts';

/** A promotion with what only staff see of it. */
export interface StoredPromotion extends Promotion {
  readonly position: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** An order has used it, possibly one that was cancelled since. */
  readonly wasUsed: boolean;
}

const toStored = (row: Selectable<PromotionsTable>): StoredPromotion => ({
  ...toPromotion(row),
  position: row.position,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  wasUsed: row.first_used_at !== null,
});

const toColumns = (draft: PromotionDraft) => ({
  code: draft.code,
  type: draft.type,
  discount_basis_points: draft.discountBasisPoints,
  discount_cents: draft.discountCents,
  gift_product_id: draft.giftProductId,
  starts_at: draft.startsAt,
  ends_at: draft.endsAt,
  minimum_subtotal_cents: draft.minimumSubtotalCents,
  max_uses: draft.maxUses,
  max_uses_per_user: draft.maxUsesPerUser,
  is_active: draft.isActive,
  is_advertised: draft.isAdvertised,
  position: draft.position,
});

export async function insertPromotion(tx: Db, id: string, draft: PromotionDraft, at: Date): Promise<StoredPromotion> {
  const values = { id, ...toColumns(draft), uses: 0, version: 1, created_at: at, updated_at: at, first_used_at: null };
  const row = tables(tx).insertInto('promotions').values(values).returningAll();
  return toStored(await row.executeTakeFirstOrThrow());
}

/** Locks the promotion until the transaction ends: no use is counted meanwhile. */
export async function lockPromotion(tx: Db, id: string): Promise<StoredPromotion | null> {
  const row = tables(tx).selectFrom('promotions').selectAll().where('id', '=', id).forUpdate();
  const found = await row.executeTakeFirst();
  return found ? toStored(found) : null;
}

export async function findStored(db: Db, id: string): Promise<StoredPromotion | null> {
  const row = await tables(db).selectFrom('promotions').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? toStored(row) : null;
}

/** Present uses of a promotion locked by `lockPromotion`. */
export async function countPresentUses(tx: Db, { id, uses }: StoredPromotion): Promise<PresentUses> {
  const { rows } = await sql<{ most: number }>`
    select coalesce(max(uses), 0)::integer as most
    from (select count(*) as uses from promotion_uses where promotion_id = ${id} group by user_id) users
  `.execute(tx);
  return { total: uses, mostByUser: rows[0]?.most ?? 0 };
}

/** Requires the locked promotion. */
export async function updatePromotion(
  tx: Db,
  { id, version }: { readonly id: string; readonly version: number },
  changed: PromotionDraft | Pick<PromotionDraft, 'isActive'>,
  at: Date,
): Promise<StoredPromotion> {
  const columns = 'code' in changed ? toColumns(changed) : { is_active: changed.isActive };
  const row = tables(tx)
    .updateTable('promotions')
    .set({ ...columns, version: version + 1, updated_at: at })
    .where('id', '=', id)
    .returningAll();
  return toStored(await row.executeTakeFirstOrThrow());
}

/** False if an order has ever used it, or without such a promotion. */
export async function deleteUnused(tx: Db, id: string): Promise<boolean> {
  const row = await tables(tx)
    .deleteFrom('promotions')
    .where('id', '=', id)
    .where('first_used_at', 'is', null)
    .where('uses', '=', 0)
    .executeTakeFirst();
  return row.numDeletedRows > 0n;
}

/** The rule of `promotion-state.ts`. A comparison with null does not hold. */
const createState = (now: Date) => sql<PromotionState>`case
  when not is_active then 'disabled'
  when starts_at > ${now} then 'scheduled'
  when ends_at <= ${now} then 'ended'
  when uses >= max_uses then 'used_up'
  else 'running' end`;

export interface PromotionFilter {
  /** Part of the code. */
  readonly q: string;
  readonly state: PromotionState | null;
}

/** The newest first, with the number of all that match. */
export async function listStored(
  db: Db,
  { q, state }: PromotionFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
  now: Date,
): Promise<{ readonly rows: readonly StoredPromotion[]; readonly total: number }> {
  const part = `%${q.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  let matching = tables(db).selectFrom('promotions').where('code', 'like', part);
  if (state !== null) matching = matching.where(createState(now), '=', state);
  const rows = await matching
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  const counted = await matching.select(({ fn }) => fn.countAll<bigint>().as('total')).executeTakeFirst();
  return { rows: rows.map(toStored), total: Number(counted?.total ?? 0n) };
}

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/** Another promotion has the code. */
export const isCodeTaken = (error: unknown): boolean => hasCode(error, UNIQUE_VIOLATION);
/** The gift product does not exist. */
export const isGiftMissing = (error: unknown): boolean => hasCode(error, FOREIGN_KEY_VIOLATION);
