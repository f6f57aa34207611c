/** Counts what waits for staff. Read only. */
import { sql } from 'kysely';
import { readLastBackup } from '#src/platform/database/backup-record.ts';
import type { Db } from '#src/platform/database/database.ts';

export { readLastBackup };

export interface TodoCounts {
  readonly refunds_to_sign: number;
  readonly failed_invoices: number;
  readonly waiting_invoices: number;
  readonly failed_rate_fetches: number;
  readonly tickets: number;
  readonly reviews: number;
  readonly new_messages: number;
  readonly low_stock: number;
}

/** Each count has an index that holds little more than what it counts. */
export async function countTodo(db: Db): Promise<TodoCounts> {
  const { rows } = await sql<TodoCounts>`
    select
      (select count(*)::integer from refunds where state = 'made') as refunds_to_sign,
      (select count(*)::integer from invoice_requests where attempts > 0) as failed_invoices,
      (select count(*)::integer from invoice_requests where waits_for_rate is not null) as waiting_invoices,
      coalesce((select failures from ecb_fetches
        where exists (select from national_currency_settings where rates_from = 'ecb' and currency <> '')), 0)
        as failed_rate_fetches,
      (select count(*)::integer from tickets where waiting_since is not null) as tickets,
      (select count(*)::integer from reviews where not is_approved and decided_at is null) as reviews,
      (select count(*)::integer from contact_messages where state = 'new' and not is_suspect) as new_messages,
      (select count(*)::integer from variant_stock stock
        left join low_stock_thresholds own on own.variant_id = stock.variant_id
        cross join (select low_stock_threshold as threshold from inventory_settings) shop
        -- The first condition bounds the scan.
        where stock.available <= greatest(
            (select low_stock_threshold from inventory_settings), (select max(threshold) from low_stock_thresholds))
          and stock.available <= coalesce(own.threshold, shop.threshold)
          and exists (select from variants_on_sale on_sale where on_sale.id = stock.variant_id)) as low_stock
  `.execute(db);
  const [counts] = rows;
  if (counts === undefined) throw new Error('a query without a condition returned no row');
  return counts;
}
