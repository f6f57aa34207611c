/** Fills the lists of the back office, on the orders of `fillOrders`, by SQL, the same rows each time. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

/** Words by how many texts have them: each one, about one of ten, of a hundred, of a thousand. */
const TEXT = sql.raw(`'order ' || number || ' parcel '
  || (array['battery','charger','display','keyboard','speaker','camera','cable','adapter','strap','dock'])[1 + number % 10]
  || ' ' || (array['late','broken','missing','wrong','scratched'])[1 + number / 10 % 5]
  || ' street' || number % 100 || ' case' || number % 1000`);
const at = (days: number) =>
  sql.raw(`now() - number * interval '1 minute' * ${days} * 1440 / (select count(*) from made_orders)`);

/** Adds shipments, refunds, invoices, tickets, messages, reviews and audit entries, about one for each order. */
export async function fillBackOffice(db: Db): Promise<void> {
  await sql`set statement_timeout = 0`.execute(db);
  await sql`
    create temporary table made_orders as
    select orders.id, orders.user_id, orders.number as order_number, orders.billing, orders.created_at, orders.paid_at,
      orders.total_after_cents as cents, orders.due_sats as sats, orders.payment_status, orders.fulfilment_status,
      row_number() over (order by orders.created_at desc) as number
    from orders join users on users.id = orders.user_id where users.username like 'made-buyer-%'
  `.execute(db);
  await sql`create index on made_orders (number); analyze made_orders`.execute(db);
  await fillPayments(db);
  await fillInvoices(db);
  await fillSupport(db);
  await fillAuditLog(db);
  await sql`drop table made_orders`.execute(db);
  await sql`vacuum analyze`.execute(db);
  await sql`reset statement_timeout`.execute(db);
}

/** A payment of each paid order and a shipment of each shipped one; two of a hundred paid orders are refunded. */
async function fillPayments(db: Db): Promise<void> {
  await sql`
    insert into payment_outputs (
      txid, vout, order_id, amount_sats, is_coinbase, is_live, height, block_hash, first_seen, raw_tx, confirmed_at
    )
    select sha256(('payment ' || number)::bytea), 0, id, sats, false, true, 1, sha256('block'), paid_at, '\\x00', paid_at
    from made_orders where paid_at is not null
  `.execute(db);
  await sql`
    insert into shipments (id, order_id, number, shipped_at, shipped_by, carrier_name, tracking_number)
    select gen_random_uuid(), id, 1, paid_at + interval '1 day', (select id from users where username = 'staff'),
      'Carrier', 'TRACK' || number
    from made_orders where fulfilment_status = 'shipped'
  `.execute(db);
  await sql`
    insert into shipment_lines (shipment_id, order_id, position, quantity)
    select id, order_id, 0, 1 from shipments where tracking_number like 'TRACK%'
  `.execute(db);
  await sql`
    insert into refund_scripts (id, script, address)
    values ('00000000-0000-4000-8000-000000000002', '\\x0014ff', 'made-for-refunds') on conflict do nothing
  `.execute(db);
  await sql`
    insert into refunds (
      id, order_id, covers, debit_sats, amount_sats, refund_script_id, made_by, made_at, state, txid, vout
    )
    select gen_random_uuid(), id, 'whole', sats, sats, '00000000-0000-4000-8000-000000000002',
      (select id from users where username = 'staff'), paid_at + interval '3 days', 'confirmed',
      sha256(id::text::bytea), 0
    from made_orders where number % 50 = 2 and payment_status = 'paid'
  `.execute(db);
  await sql`
    update orders set payment_status = 'refunded', refund_state = 'refunded', recorded_state = 'refunded',
      returned_sats = sats, recorded_received_sats = 0
    from made_orders made where made.id = orders.id and made.number % 50 = 2 and made.payment_status = 'paid'
  `.execute(db);
  await sql`delete from sale_lines`.execute(db);
  await sql`select add_sale_lines(null)`.execute(db);
}

/** An invoice for each paid order, and a credit note for each refund. */
async function fillInvoices(db: Db): Promise<void> {
  await sql`
    create temporary table made_invoices as
    select gen_random_uuid() as id, 'invoice' as kind, id as order_id, order_number, null::uuid as refund_id,
      null::uuid as corrects_id, paid_at + interval '1 minute' as issued_at, billing, cents, sats, created_at, paid_at
    from made_orders where paid_at is not null
  `.execute(db);
  await sql`
    insert into made_invoices
    select gen_random_uuid(), 'credit_note', invoice.order_id, order_number, refund.id, invoice.id,
      refund.made_at + interval '1 hour', billing, cents, sats, invoice.created_at, paid_at
    from made_invoices invoice join refunds refund on refund.order_id = invoice.order_id
  `.execute(db);
  // The hash is not that of the content: a PDF of these documents is refused.
  await sql`
    insert into invoices (id, kind, year, number, full_number, order_id, order_number, refund_id, corrects_id, issued_at,
      buyer_name, net_cents, tax_cents, gross_cents, content, content_sha256)
    select id, kind, year, number, full_number, order_id, order_text, refund_id, corrects_id, issued_at, buyer,
      cents - tax, tax, cents,
      jsonb_build_object('version', 1, 'kind', kind, 'number', full_number, 'issuedAt', issued_at, 'orderNumber', order_text,
        'orderedAt', created_at, 'paidAt', paid_at, 'priceMode', 'gross', 'taxName', 'VAT', 'isTaxed', true,
        'isReverseCharge', false, 'netCents', (cents - tax)::text, 'taxCents', tax::text, 'grossCents', cents::text,
        'seller', jsonb_build_object('name', 'Crypto Market', 'company', 'Crypto Market Ltd', 'address', '1 High Street',
          'registrationNumber', '1', 'taxNumber', 'GB1', 'email', 'shop@shop.example', 'phone', '1'),
        'buyer', jsonb_build_object('name', buyer, 'street', billing ->> 'streetAddress', 'city', billing ->> 'city',
          'country', billing ->> 'country', 'vatNumber', null),
        'lines', jsonb_build_array(jsonb_build_object('position', 0, 'name', 'A device', 'details', 'Black', 'quantity', 1,
          'unitCents', cents::text, 'discountCents', '0', 'taxClass', 'standard', 'rateBasisPoints', 2000,
          'netCents', (cents - tax)::text, 'taxCents', tax::text, 'grossCents', cents::text)),
        'rates', jsonb_build_array(jsonb_build_object('taxClass', 'standard', 'rateBasisPoints', 2000,
          'netCents', (cents - tax)::text, 'taxCents', tax::text, 'grossCents', cents::text)),
        'payment', case when kind = 'invoice' then jsonb_build_object('dueSats', sats::text, 'rateCents', '11100000',
          'rateAt', created_at, 'received', jsonb_build_array(jsonb_build_object('txid', repeat('ab', 32), 'sats', sats::text)))
        end,
        'corrects', case when kind = 'credit_note' then jsonb_build_object('number', 'INV', 'issuedAt', paid_at) end,
        'refund', case when kind = 'credit_note' then jsonb_build_object('txid', repeat('cd', 32), 'sats', sats::text) end),
      sha256(id::text::bytea)
    from (
      select *, case kind when 'invoice' then 'INV-' else 'CN-' end || year || '-' || number as full_number
      from (
        select *, extract(year from issued_at at time zone 'UTC')::integer as year, cents / 6 as tax,
          'CM-' || order_number as order_text, concat_ws(' ', billing ->> 'firstName', billing ->> 'lastName') as buyer,
          1000000 + row_number() over (
            partition by kind, extract(year from issued_at at time zone 'UTC') order by issued_at, id) as number
        from made_invoices
      ) numbered
    ) named
  `.execute(db);
  await sql`
    insert into invoice_numbers (kind, year, last_number)
    select kind, year, max(number) from invoices group by kind, year
    on conflict (kind, year) do update set last_number = excluded.last_number
  `.execute(db);
  await sql`drop table made_invoices`.execute(db);
}

/**
 * A ticket with two messages, a contact message and a review for each order; one of a hundred waits for staff. Spam is
 * new: the shop deletes it after 30 days, and lists would change while a test reads them.
 */
async function fillSupport(db: Db): Promise<void> {
  await sql`
    insert into tickets (id, user_id, slot, title, theme, description, status, created_at, closed_at, last_position,
      last_message_at, user_read, support_read, assignee_id, waiting_since)
    select gen_random_uuid(), user_id, case when number % 100 = 0 then 1 end, 'About ' || ${TEXT},
      (array['Delivery', 'Payment', 'Returns'])[1 + number % 3], ${TEXT},
      case when number % 100 <> 0 then 'closed' when number % 200 = 0 then 'in_progress' else 'open' end, ${at(700)},
      case when number % 100 <> 0 then ${at(700)} + interval '1 day' end, 2, ${at(700)} + interval '1 hour', 2,
      case when number % 100 = 0 then 1 else 2 end,
      case when number % 200 = 0 then (select id from users where username = 'staff') end,
      case when number % 100 = 0 then ${at(700)} end
    from (select min(number) as number, user_id from made_orders group by user_id) one
  `.execute(db);
  await sql`
    insert into ticket_messages (id, ticket_id, position, sender_type, sender_id, message, created_at)
    select gen_random_uuid(), tickets.id, position,
      case position when 1 then 'support' else 'user' end, tickets.user_id, tickets.description, tickets.created_at
    from tickets cross join generate_series(1, 2) position where tickets.title like 'About order %'
  `.execute(db);
  await sql`
    insert into contact_messages (id, first_name, last_name, email, message, is_suspect, fingerprint, created_at, state)
    select gen_random_uuid(), billing ->> 'firstName', billing ->> 'lastName', 'writer-' || number || '@letters.example',
      'Hello, I write about ' || ${TEXT}, number % 10 = 3, sha256(number::text::bytea),
      case when number % 10 = 3 then ${at(20)} else ${at(700)} end,
      case when number % 100 = 0 then 'new' when number % 3 = 0 then 'answered' else 'done' end
    from made_orders
  `.execute(db);
  await sql`
    insert into reviews (id, product_id, user_id, name, text, rating, is_approved, created_at, decided_at)
    select distinct on (user_id) gen_random_uuid(), product_id, user_id, billing ->> 'firstName', ${TEXT}, 1 + number % 5,
      number % 4 <> 0, ${at(700)}, case when number % 100 <> 0 then ${at(700)} end
    from made_orders made join order_lines line on line.order_id = made.id
  `.execute(db);
}

/** An entry for each order; its hashes do not form a chain. */
async function fillAuditLog(db: Db): Promise<void> {
  await sql`
    insert into audit_entries
      (id, at, actor_kind, actor_id, action, subject_kind, subject_id, details_hash, previous_hash, hash)
    select (select entry_id from audit_head) + row_number() over (order by number desc), ${at(700)}, 'staff',
      case when number % 10 = 0 then (select id from users where username = 'owner')
        else (select id from users where username = 'staff') end,
      case number % 4 when 0 then 'promotion.edited' when 1 then 'product.edited' else 'order.shipped' end,
      case number % 4 when 0 then 'promotion' when 1 then 'product' else 'order' end, id::text,
      sha256(number::text::bytea), '\\x00', sha256(('entry ' || number)::bytea)
    from made_orders
  `.execute(db);
  await sql`
    insert into audit_details (entry_id, salt, details)
    select number, '\\x00', jsonb_build_object('actorName', 'staff', 'subjectName', 'CM-' || number, 'ip', '192.0.2.1',
      'userAgent', 'Mozilla/5.0 Firefox', 'before', jsonb_build_object('note', 'none'),
      'after', jsonb_build_object('note', ${TEXT}))::text
    from (select id as number from audit_entries where previous_hash = '\\x00') made
  `.execute(db);
  await sql`
    update audit_head set entry_id = last.id, hash = last.hash
    from (select id, hash from audit_entries order by id desc limit 1) last
  `.execute(db);
}
