/** Fills a database with many orders by SQL: paid, unpaid and refunded ones of the last 400 days. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

/** A number below `below`, the same for the same row and salt. */
const pick = (salt: string, below: number, of = 'number') =>
  sql.raw(`(('x' || substr(md5(${of}::text || '${salt}'), 1, 7))::bit(28)::integer % ${below})`);

/**
 * Adds `count` orders of one to three lines on the present products. Nine of ten are paid, two of a hundred of
 * them are refunded, and the newest 300 paid ones are to ship.
 */
export async function fillSales(db: Db, count: number, now: Date): Promise<void> {
  await sql`set statement_timeout = 0`.execute(db);
  await sql`
    create temporary table made as
    select gen_random_uuid() as id, number, (select id from users where username = 'alice') as user_id,
      ${now}::timestamptz - number * (400 * 86400.0 / ${count}::integer) * interval '1 second' as at,
      case when ${pick('paid', 10)} = 0 then 'expired' when ${pick('refund', 50)} = 0 then 'refunded' else 'paid' end
        as status,
      (array['DE', 'AT', 'FR', 'US', 'GB', 'JP', 'ES', 'IT', 'CH', 'NL'])[1 + ${pick('country', 10)}] as country,
      (array['SUMMER', 'WELCOME10', 'FRIENDS'])[1 + ${pick('code', 12)}] as code, 1 + ${pick('lines', 3)} as lines
    from generate_series(1, ${count}::integer) number
  `.execute(db);
  await sql`
    create temporary table made_lines as
    select made.id as order_id, made.number, position, product.*, 1 + ${pick('quantity', 2, "(number || '-' || position)")} as quantity
    from made cross join generate_series(0, 2) position
    join (select id as product_id, name, slug, main_image, base_price_cents,
        row_number() over (order by slug) - 1 as at, count(*) over () as total from products) product
      on product.at = ${pick('product', 1_000_000, "(number || '-' || position)")} % product.total
    where position < made.lines
  `.execute(db);
  await sql`
    insert into orders (
      id, user_id, payment_status, fulfilment_status, is_open, billing, total_cents, total_sats, total_after_cents,
      total_after_sats, discount_percent, promo, due_sats, rate_cents_per_btc, rate_evidence, required_confirmations,
      created_at, expires_at, paid_at, expired_at, recorded_state, recorded_received_sats
    )
    select made.id, made.user_id, status, case when status = 'paid' and number > 300 then 'shipped' else 'unfulfilled' end,
      false,
      jsonb_build_object('firstName', 'Alice', 'lastName', 'Smith', 'region', 'Europe', 'country', country,
        'streetAddress', 'High Street', 'houseNumber', '1', 'city', 'Town', 'postcode', '10115'),
      cents, sats, case when code is null then cents else cents * 9 / 10 end,
      case when code is null then sats else sats * 9 / 1000 * 100 end,
      case when code is null then 0 else 10 end, case when code is not null then jsonb_build_object('code', code) end,
      case when code is null then sats else sats * 9 / 1000 * 100 end, 9000000, '{}', 1, at, at + interval '2 hours',
      case when status <> 'expired' then at + interval '30 minutes' end,
      case when status = 'expired' then at + interval '2 hours' end,
      case status when 'refunded' then 'refunded' when 'paid' then 'paid' end,
      case when status = 'paid' then case when code is null then sats else sats * 9 / 1000 * 100 end else 0 end
    from made join (
      select order_id, sum(base_price_cents * quantity)::bigint as cents,
        (sum(base_price_cents * quantity) / 9 * 100)::bigint / 100 * 100 as sats
      from made_lines group by order_id
    ) sums on sums.order_id = made.id
  `.execute(db);
  await sql`
    insert into order_lines (
      order_id, position, product_id, name, slug, main_image, property_values, quantity, price_cents, price_sats, is_free
    )
    select order_id, position, product_id, name, slug, main_image, '[]', quantity, base_price_cents,
      base_price_cents / 9 * 100, false
    from made_lines
  `.execute(db);
  await sql`
    insert into refund_scripts (id, script, address)
    values ('00000000-0000-4000-8000-000000000002', '\\x0014ff', 'made-for-refunds') on conflict do nothing
  `.execute(db);
  await sql`
    insert into refunds (
      id, order_id, covers, debit_sats, amount_sats, refund_script_id, made_by, made_at, state, txid, vout,
      value_cents, value_sats, counted_cents, counted_sats
    )
    select gen_random_uuid(), orders.id, 'whole', due_sats, due_sats, '00000000-0000-4000-8000-000000000002',
      (select id from users where username = 'staff'), made.at + interval '3 days', 'confirmed',
      sha256(orders.id::text::bytea), 0, total_after_cents, due_sats, total_after_cents, due_sats
    from made join orders on orders.id = made.id where status = 'refunded' and due_sats > 0
  `.execute(db);
  // Their trigger follows updates, and these orders were inserted as paid.
  await sql`delete from sale_lines`.execute(db);
  await sql`select add_sale_lines(null)`.execute(db);
  await sql`drop table made, made_lines`.execute(db);
  await sql`vacuum analyze`.execute(db);
  await sql`reset statement_timeout`.execute(db);
}
