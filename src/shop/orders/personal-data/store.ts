import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { createLiteralList } from '#src/platform/database/literal-list.ts';
import type { Sats } from '#src/shop/money.ts';
import type { WholeRefundState } from '#src/shop/payments/ledger/payment-state.ts';
import type { FulfilmentStatus, PaymentStatus } from '../kinds.ts';
import type { OrderEventKind } from '../order-events.ts';

export interface OrderToErase {
  readonly id: string;
  readonly number: bigint;
  readonly is_open: boolean;
  readonly payment_status: PaymentStatus;
  readonly fulfilment_status: FulfilmentStatus;
  readonly recorded_received_sats: Sats;
  readonly refund_state: WholeRefundState | null;
  readonly closed_as_loss_of: 'payment' | 'refund' | null;
}

/** Locks all orders of a user in ascending id; returns them by number. */
export async function lockUserOrders(tx: Db, userId: string): Promise<readonly OrderToErase[]> {
  await sql`select from orders where user_id = ${userId} order by id for update`.execute(tx);
  const { rows } = await sql<OrderToErase>`
    select id, number, is_open, payment_status, fulfilment_status, recorded_received_sats, refund_state,
      closed_as_loss_of
    from orders where user_id = ${userId} order by number
  `.execute(tx);
  return rows;
}

/** Cancels the expired orders of a user and returns their ids. */
export async function cancelExpired(tx: Db, userId: string, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update orders set payment_status = 'cancelled', cancelled_at = ${now}
    where user_id = ${userId} and payment_status = 'expired' returning id
  `.execute(tx);
  return rows.map(({ id }) => id);
}

/**
 * Removes personal data. The accounting needs amounts, lines, payments, region and country, and the
 * VAT number of a buyer who owes the tax.
 */
export async function anonymiseOrders(tx: Db, orderIds: readonly string[], at: Date): Promise<void> {
  await sql`
    update orders set personal_data_erased_at = ${at}, billing = jsonb_build_object(
      'firstName', 'removed', 'lastName', 'removed', 'region', billing -> 'region', 'country', billing -> 'country',
      'streetAddress', 'removed', 'houseNumber', 'removed', 'city', 'removed', 'postcode', 'removed'),
      tax = case when tax ->> 'isReverseCharge' = 'true' then tax
        else jsonb_set(tax, '{buyerVatNumber}', 'null') end
    where id = any(${orderIds}::uuid[])
  `.execute(tx);
  await sql`
    update order_events set details = '{}' where order_id = any(${orderIds}::uuid[]) and kind in (${createLiteralList<OrderEventKind>(['refund_address', 'refund_address_entered'])})
  `.execute(tx);
}
