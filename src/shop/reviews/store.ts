import type { Db } from '#src/platform/database/database.ts';

interface ReviewsTable {
  id: string;
  product_id: string | null;
  name: string;
  text: string;
  rating: number;
  is_approved: boolean;
  created_at: Date;
}

export interface ReviewRow {
  readonly id: string;
  /** Null: of the shop itself. */
  readonly productId: string | null;
  readonly name: string;
  readonly text: string;
  readonly rating: number;
  readonly created: Date;
}

/** Every approved review, newest first. */
export function loadApprovedReviews(db: Db): Promise<readonly ReviewRow[]> {
  return db
    .$extendTables<Record<'reviews', ReviewsTable>>()
    .selectFrom('reviews')
    .select(['id', 'product_id as productId', 'name', 'text', 'rating', 'created_at as created'])
    .where('is_approved', '=', true)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}
