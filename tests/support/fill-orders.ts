/** Fills a database with many orders and buyers by SQL, the same ones each time. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

const FIRST = ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Katherine', 'Linus', 'Margaret', 'Niklaus'];
const LAST = ['Lovelace', 'Hopper', 'Turing', 'Dijkstra', 'Liskov', 'Knuth', 'Johnson', 'Müller', 'Hamilton', 'Wirth'];
const STREETS = ['Elm Street', 'Oak Avenue', 'Harbour Road', 'Station Square', 'Mill Lane', 'Rosengasse'];
const COUNTRIES = ['GB', 'DE', 'FR', 'US', 'JP', 'CH', 'NL', 'SE'];
/** One hundred days apart from the newest to the oldest. */
const MINUTES_BETWEEN = 10;

/**
 * Adds `count` orders with one line each, of half as many buyers. Most are shipped; a fiftieth waits. Words of names
 * and addresses are in one of ten orders, of a thousand, or in five.
 */
export async function fillOrders(db: Db, count: number): Promise<void> {
  await sql`set statement_timeout = 0`.execute(db);
  await sql`
    insert into users (id, username, username_key, email, email_key, password_hash, role, created_at)
    select gen_random_uuid(), 'made-buyer-' || number, 'made-buyer-' || number, 'made-' || number || '@buyers.example',
      'made-' || number || '@buyers.example', 'none', 'customer', now()
    from generate_series(1, ${count}::integer / 2) number
  `.execute(db);
  await sql`
    create temporary table made_buyers as
    select id, substr(username, 12)::integer as place from users where username like 'made-buyer-%'
  `.execute(db);
  await sql`
    insert into orders (id, user_id, payment_status, fulfilment_status, is_open, billing, total_cents, total_sats,
      total_after_cents, total_after_sats, promo, due_sats, rate_cents_per_btc, rate_evidence, required_confirmations,
      created_at, expires_at, paid_at, expired_at, recorded_state, recorded_received_sats)
    select gen_random_uuid(), buyer.id,
      case when number % 10 = 0 then 'expired' else 'paid' end,
      case when number % 50 = 1 then 'unfulfilled' when number % 10 = 0 then 'unfulfilled' else 'shipped' end,
      false,
      jsonb_build_object('firstName', (${FIRST}::text[])[1 + number % 10],
        'lastName', case when number % 20000 = 777 then 'Ximenes' else (${LAST}::text[])[1 + number / 7 % 10] end,
        'streetAddress', (${STREETS}::text[])[1 + number % 6], 'houseNumber', (number % 300)::text,
        'city', 'City ' || number % 1000, 'postcode', 'P' || number % 20000, 'region', 'Europe',
        'country', (${COUNTRIES}::text[])[1 + number % 8]),
      1000 + number % 300000, 100 * (number % 300000 + 10), 1000 + number % 300000, 100 * (number % 300000 + 10),
      case when number % 20 = 3 then jsonb_build_object('id', gen_random_uuid(), 'code', 'MADE' || number % 100) end,
      100 * (number % 300000 + 10), 11100000, '{}', 2, at, at + interval '2 hours',
      case when number % 10 <> 0 then at + interval '1 hour' end, case when number % 10 = 0 then at + interval '2 hours' end,
      case when number % 10 = 0 then 'expired' else 'paid' end,
      case when number % 10 = 0 then 0 else 100 * (number % 300000 + 10) end
    from generate_series(1, ${count}::integer) number
    join made_buyers buyer on buyer.place = 1 + number % (${count}::integer / 2)
    cross join lateral (select now() - number * ${MINUTES_BETWEEN} * interval '1 minute' as at) moment
  `.execute(db);
  await sql`
    insert into order_lines (order_id, position, product_id, name, slug, main_image, property_values, quantity, price_cents,
      price_sats, is_free, shipped_quantity)
    select orders.id, 0, product.id, product.name, product.slug, product.main_image, '[]', 1, orders.total_cents,
      orders.total_sats, false,
      case when orders.fulfilment_status = 'shipped' then 1 else 0 end
    from (
      select orders.*, row_number() over (order by orders.number) % (select count(*) from products) as place
      from orders join made_buyers buyer on buyer.id = orders.user_id
    ) orders
    join (select id, name, slug, main_image, row_number() over (order by id) - 1 as place from products) product
      using (place)
  `.execute(db);
  await sql`analyze`.execute(db);
  await sql`reset statement_timeout`.execute(db);
}
