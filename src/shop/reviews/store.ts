import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

interface ReviewsTable {
  id: string;
  product_id: string | null;
  name: string;
  text: string;
  rating: number;
  is_approved: boolean;
  created_at: Date;
  reply: string | null;
  replied_at: Date | null;
}

export interface ReviewRow {
  readonly id: string;
  /** Null for a review of the shop. */
  readonly productId: string | null;
  readonly name: string;
  readonly text: string;
  readonly rating: number;
  readonly created: Date;
  /** The shop's public reply. */
  readonly reply: string | null;
  readonly repliedAt: Date | null;
  /** Written by a buyer: every other review was added by the shop. */
  readonly isVerified: boolean;
}

/** All approved reviews, newest first. */
export function loadApprovedReviews(db: Db): Promise<readonly ReviewRow[]> {
  return db
    .$extendTables<Record<'reviews', ReviewsTable>>()
    .selectFrom('reviews')
    .select([
      'id',
      'product_id as productId',
      'name',
      'text',
      'rating',
      'created_at as created',
      'reply',
      'replied_at as repliedAt',
      sql<boolean>`user_id is not null and product_id is not null`.as('isVerified'),
    ])
    .where('is_approved', '=', true)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

export interface OwnReviewRow {
  readonly id: string;
  readonly product_id: string;
  readonly name: string;
  readonly rating: number;
  readonly text: string;
  readonly state: ReviewState;
  readonly created: Date;
  /** The shop's public reply, for the export of personal data. */
  readonly reply: string | null;
}

export type ReviewState = 'waiting' | 'approved' | 'rejected';

const STATE = sql.raw(
  `case when is_approved then 'approved' when decided_at is null then 'waiting' else 'rejected' end`,
);

export interface NewReview {
  readonly id: string;
  readonly userId: string;
  readonly productId: string;
  readonly name: string;
  readonly rating: number;
  readonly text: string;
  readonly created: Date;
}

/** False if this user has already reviewed the product. */
export async function insertReview(db: Db, row: NewReview): Promise<boolean> {
  const { rows } = await sql`
    insert into reviews (id, user_id, product_id, name, rating, text, created_at)
    values (${row.id}, ${row.userId}, ${row.productId}, ${row.name}, ${row.rating}, ${row.text}, ${row.created})
    on conflict (user_id, product_id) do nothing returning id`.execute(db);
  return rows.length > 0;
}

/** Newest first. */
export async function listOwn(db: Db, userId: string, limit: number): Promise<OwnReviewRow[]> {
  const { rows } = await sql<OwnReviewRow>`
    select id, product_id, name, rating::integer as rating, text, ${STATE} as state, created_at as created, reply
    from reviews where user_id = ${userId} and product_id is not null
    order by created_at desc, id desc limit ${limit}`.execute(db);
  return rows;
}

/** Returns how many were deleted. */
export async function deleteReviewsOf(tx: Db, userId: string): Promise<number> {
  const { rows } = await sql`delete from reviews where user_id = ${userId} returning id`.execute(tx);
  return rows.length;
}

export interface ModeratedReviewRow extends Omit<ReviewRow, 'productId' | 'isVerified'> {
  readonly state: ReviewState;
  /** The author's account; null without one. */
  readonly userId: string | null;
  readonly product: { readonly id: string; readonly name: string; readonly slug: string } | null;
}

const MODERATED_REVIEWS = sql`
  select reviews.id, reviews.name, reviews.text, rating::integer as rating, reviews.created_at as created,
    ${STATE} as state,
    (select id from users where users.id = reviews.user_id and role = 'customer') as "userId", reviews.reply, reviews.replied_at as "repliedAt",
    case when products.id is null then null else
      json_build_object('id', products.id, 'name', products.name, 'slug', products.slug) end as product
  from reviews left join products on products.id = reviews.product_id`;

/** Waiting reviews first, oldest first; then the newest decided ones. */
export async function listForModeration(
  db: Db,
  page: { readonly state: ReviewState | null; readonly limit: number; readonly offset: number },
): Promise<{ reviews: ModeratedReviewRow[]; total: number }> {
  const isSelected = page.state === null ? sql`true` : sql`${STATE} = ${page.state}`;
  // The index `reviews_for_moderation` has this order.
  const order = sql`case when not reviews.is_approved and reviews.decided_at is null then reviews.created_at end,
    reviews.created_at desc, reviews.id`;
  const { rows } = await sql<ModeratedReviewRow>`
    ${MODERATED_REVIEWS} where reviews.id in (
      select id from reviews where ${isSelected} order by ${order} limit ${page.limit} offset ${page.offset})
    order by ${order}`.execute(db);
  const counted = await sql<{
    total: number;
  }>`select count(*)::integer as total from reviews where ${isSelected}`.execute(db);
  return { reviews: rows, total: counted.rows[0]?.total ?? 0 };
}

/** Locks the review until the transaction ends. */
export async function lockReview(tx: Db, id: string): Promise<ModeratedReviewRow | null> {
  const { rows } =
    await sql<ModeratedReviewRow>`${MODERATED_REVIEWS} where reviews.id = ${id} for update of reviews`.execute(tx);
  return rows[0] ?? null;
}

export async function findReview(db: Db, id: string): Promise<ModeratedReviewRow | null> {
  const { rows } = await sql<ModeratedReviewRow>`${MODERATED_REVIEWS} where reviews.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** Requires the locked review. */
export async function setDecision(tx: Db, id: string, isApproved: boolean, at: Date): Promise<void> {
  await sql`update reviews set is_approved = ${isApproved}, decided_at = ${at} where id = ${id}`.execute(tx);
}

/** Requires the locked review. @param reply null removes it */
export async function setReply(tx: Db, id: string, reply: string | null, at: Date): Promise<void> {
  await sql`update reviews set reply = ${reply}, replied_at = ${reply === null ? null : at} where id = ${id}`.execute(
    tx,
  );
}

export interface CustomerReview {
  readonly id: string;
  /** Name of the product; null for a review of the shop. */
  readonly product: string | null;
  readonly rating: number;
  readonly text: string;
  readonly state: 'waiting' | 'approved' | 'rejected';
  readonly created_at: Date;
}

/** Reviews of a customer, newest first. */
export async function listReviewsOf(db: Db, userId: string, limit: number): Promise<CustomerReview[]> {
  const { rows } = await sql<CustomerReview>`
    select reviews.id, products.name as product, rating::integer as rating, reviews.text,
      case when is_approved then 'approved' when decided_at is null then 'waiting' else 'rejected' end as state,
      reviews.created_at
    from reviews left join products on products.id = reviews.product_id
    where reviews.user_id = ${userId} order by reviews.created_at desc, reviews.id desc limit ${limit}`.execute(db);
  return rows;
}
