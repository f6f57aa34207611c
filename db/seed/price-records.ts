import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

/** Records the prices of seeded products, which have no variants with their own price, from a moment on. */
export async function seedPriceRecords(db: Db, at: Date): Promise<void> {
  await sql`
    insert into price_records (product_id, recorded_at, prices)
    select id, ${at}, jsonb_build_object(
      'base', base_price_cents::text,
      'increases', (
        select coalesce(jsonb_object_agg(value_id, increase_cents::text), '{}')
        from product_values where product_id = products.id
      ),
      'own', '{}'::jsonb,
      'unsold', '[]'::jsonb
    )
    from products
    where is_published and not exists (select from price_records where product_id = products.id)
  `.execute(db);
}
