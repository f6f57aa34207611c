import { sql } from 'kysely';
import { v7 } from 'uuid';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { accessoryReviews } from './accessory-reviews.ts';
import { deviceReviews } from './device-reviews.ts';
import { iphoneReviews } from './iphone-reviews.ts';
import type { SeedReview } from './seed-review.ts';
import { shopReviews } from './shop-reviews.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

export const productReviews: Readonly<Record<string, readonly SeedReview[]>> = {
  ...iphoneReviews,
  ...deviceReviews,
  ...accessoryReviews,
};

function createRows(slug: string | null, reviews: readonly SeedReview[], now: Date) {
  return reviews.map(({ daysAgo, ...review }, index) => {
    // Varies the minutes, since real reviews are not written on the hour.
    const written = now.getTime() - daysAgo * DAY_MS - ((daysAgo * 37 + index * 211) % 720) * MINUTE_MS;
    return { id: v7({ msecs: written }), slug, created_at: new Date(written).toISOString(), ...review };
  });
}

/** Inserts the demo reviews unless there are some. Call it after the products. */
export async function seedReviews(db: Db, now: Date): Promise<void> {
  const rows = [
    ...createRows(null, shopReviews, now),
    ...Object.entries(productReviews).flatMap(([slug, reviews]) => createRows(slug, reviews, now)),
  ];
  await transact(db, async (trx) => {
    await sql`lock table reviews in share row exclusive mode`.execute(trx);
    await sql`
      insert into reviews (id, product_id, name, text, rating, is_approved, created_at)
      select r.id, products.id, r.name, r.text, r.rating, true, r.created_at
      from json_to_recordset(${JSON.stringify(rows)}::json) as r (id uuid, slug text, name text, text text,
        rating smallint, created_at timestamptz)
      left join products on products.slug = r.slug
      -- A review of a product that this shop does not have is left out, not turned into one of the shop.
      where (r.slug is null or products.id is not null) and not exists (select from reviews)
    `.execute(trx);
  });
}
