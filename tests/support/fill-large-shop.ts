/** Fills a database with many products, variants, stock and pictures by SQL, the same ones each time. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { kinds, lines } from '../../db/seed/many-products.ts';

const makers = ['Anker', 'Belkin', 'Incase', 'Keychron', 'Moshi', 'Nomad', 'OtterBox', 'Satechi', 'Spigen', 'Zagg'];
const devices = ['iPhone 17 Pro', 'iPhone Air', 'iPad Pro', 'MacBook Air', 'MacBook Pro', 'Apple Watch', 'AirPods'];

/** Id of an import that creates ten thousand products. */
export const LARGE_IMPORT_ID = '00000000-0000-4000-8000-000000000001';

/** A number below `below`, the same for the same row and salt. */
const pick = (salt: string, below: number, of = 'number') =>
  sql.raw(`(('x' || substr(md5(${of}::text || '${salt}'), 1, 7))::bit(28)::integer % ${below})`);
const pickText = (salt: string, texts: readonly string[]) => sql`(${texts}::text[])[1 + ${pick(salt, texts.length)}]`;

/** Adds `count` products with one to three variants each, on the demo's categories and brands. */
export async function fillLargeShop(db: Db, count: number): Promise<void> {
  await sql`
    create temporary table made as
    select gen_random_uuid() as id, number, category.id as category_id, brand.id as brand_id,
      case when ${pick('device', 3)} = 0
        then ${pickText('model', devices)} || ', refurbished, lot ' || (1000 + ${pick('lot', 9000)})
        else ${pickText('maker', makers)} || ' ' || ${pickText('line', lines)} || ' ' || ${pickText('kind', kinds)}
          || ' for ' || ${pickText('model', devices)}
      end as name,
      ${pick('state', 100)} as state, ${pick('price', 250_000)} as price, ${pick('age', 2_500)} as age
    from generate_series(1, ${count}::integer) number
    join (select id, row_number() over (order by slug) - 1 as at, count(*) over () as total from categories) category
      on category.at = number % category.total
    join (select id, row_number() over (order by slug) - 1 as at, count(*) over () as total from brands) brand
      on brand.at = ${pick('brand', 1_000)} % brand.total
  `.execute(db);
  await sql`
    insert into products (
      id, name, slug, article, category_id, brand_id, base_price_cents, description, sub_description, specifications,
      images, main_image, position, is_published, created_at, first_published_at
    )
    select id, name, trim(both '-' from regexp_replace(lower(name), '[^a-z0-9]+', '-', 'g')) || '-' || number,
      'MADE-' || number, category_id, brand_id, 1000 + price,
      repeat(name || ' is one of many products that fill a large shop. ', 8), 'No. ' || number,
      json_build_object('Condition', 'New', 'Warranty', '12 months', 'In the box', name),
      array['/images/products/made/' || number % 5000 || '.avif'], '/images/products/made/' || number % 5000 || '.avif',
      1000 + number, state < 92, now() - age * interval '1 day', case when state < 96 then now() - age * interval '1 day' end
    from made
  `.execute(db);
  // Each product varies in the values of one property of its category.
  await sql`
    insert into product_values (product_id, value_id, increase_cents)
    select made.id, offered.id, offered.increase_cents from made
    cross join lateral (
      select value.id, value.increase_cents from property_values value
      where value.property_id = (
        select id from properties where category_id = made.category_id order by position, id limit 1
      )
      order by md5(value.id::text || made.number) limit 1 + ${pick('values', 3)}
    ) offered
  `.execute(db);
  await sql`
    insert into product_variants (id, product_id, property_value_ids, sku, position, is_published)
    select gen_random_uuid(), made.id, case when value_id is null then '{}' else array[value_id] end,
      'MADE-' || number || '-' || row_number() over of_product, row_number() over of_product - 1,
      ${pick('unsold', 100, "number || coalesce(value_id::text, '')")} < 97
    from made left join product_values on product_id = made.id
    window of_product as (partition by made.id order by value_id)
  `.execute(db);
  // Nine of ten variants are tracked; of these, about one of twelve is low.
  await sql`
    insert into variant_stock (variant_id, available)
    select id, case
      when ${pick('short', 1_000, 'sku')} < 2 then -1 - ${pick('less', 3, 'sku')}
      when ${pick('low', 1_000, 'sku')} < 80 then ${pick('few', 4, 'sku')}
      else 4 + ${pick('many', 196, 'sku')}
    end
    from product_variants where sku like 'MADE-%' and ${pick('tracked', 100, 'sku')} < 90
  `.execute(db);
  await sql`
    insert into low_stock_thresholds (variant_id, threshold)
    select variant_id, ${pick('threshold', 40, 'variant_id')} from variant_stock
    where ${pick('own', 100, 'variant_id')} = 0
  `.execute(db);
  await sql`
    insert into product_sales (product_id, sold_units)
    select id, 4000 / (1 + ${pick('sold', 4_000)}) from made where ${pick('sales', 10)} < 8
  `.execute(db);
  await sql`
    insert into sale_prices (id, product_id, starts_at, discount_basis_points, edited_at)
    select gen_random_uuid(), id, now() - interval '1 day', 1000, now() from made where ${pick('sale', 100)} < 5
  `.execute(db);
  await sql`
    insert into product_drafts (product_id, content, saved_at)
    select id, json_build_object('values', '[]'::json), now() from made where state < 92 and ${pick('draft', 100)} < 1
  `.execute(db);
  await sql`
    insert into price_records (product_id, recorded_at, prices)
    select id, now() - interval '40 days',
      jsonb_build_object('base', (1000 + price)::text, 'increases', '{}'::jsonb, 'own', '{}'::jsonb, 'unsold', '[]'::jsonb)
    from made where state < 92
  `.execute(db);
  await fillOtherLists(db, count);
  await sql`drop table made`.execute(db);
  await sql`vacuum analyze`.execute(db);
}

/** Pictures, promotions and a checked import in numbers that fit the products. */
async function fillOtherLists(db: Db, count: number): Promise<void> {
  await sql`
    insert into pictures (id, hash, path, width, height, bytes, created_at, created_by)
    select gen_random_uuid(), md5(number::text) || '00000000', '/images/uploads/made-' || number || '.avif', 800, 800,
      100000 + number, now() - number * interval '1 minute', (select id from users where username = 'staff')
    from generate_series(1, ${count}::integer) number
  `.execute(db);
  await sql`
    insert into promotions (id, code, type, gift_product_id, created_at)
    select gen_random_uuid(), 'MADE-' || number, 'free_item', id, now() - number * interval '1 minute'
    from made where number <= 500
  `.execute(db);
  await sql`
    insert into catalogue_imports (id, filename, bytes, created_at, state, ended_at, created_products, lines)
    values (${LARGE_IMPORT_ID}, 'made.csv', 1000, now(), 'applied', now(), 10000, 10000)
  `.execute(db);
  await sql`
    insert into catalogue_import_products (
      import_id, position, line, product_id, slug, name, is_new, revision, version, target, changes
    )
    select ${LARGE_IMPORT_ID}, number, number + 1, id, 'made-' || number, name, true, 0, 0,
      json_build_object('description', repeat(name, 20)), '[]'
    from made where number <= 10000
  `.execute(db);
}
