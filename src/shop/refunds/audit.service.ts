/** Audit entries about refunds. Their subject is the order, with which its buyer can have them erased. */
import type { Db } from '#src/platform/database/database.ts';
import type { AuditFields } from '#src/shop/audit-log/changed-fields.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import type { RecordedChange } from '#src/shop/audit-log/service.ts';
import type { OrderRow, RefundRow } from './store.ts';

type OrderChange = Pick<RecordedChange, 'at' | 'by' | 'action' | 'after'> & {
  readonly before?: AuditFields;
};

/** Call it last in the transaction of the change. */
export const recordOrderChange = (
  tx: Db,
  { id, number }: Pick<OrderRow, 'id' | 'number'>,
  { before = {}, ...change }: OrderChange,
): Promise<void> => recordChange(tx, { ...change, before, subject: { kind: 'order', id, name: String(number) } });

/** A refund as audit entries show it. */
export const toAuditFields = (refund: RefundRow): AuditFields => ({
  refund_id: refund.id,
  refund_state: refund.state,
  covers: refund.covers,
  ...(refund.linesReason === null
    ? {}
    : { lines_reason: refund.linesReason, lines_cents: refund.linesCents, restock: refund.restocks }),
  ...(refund.amountReason === null ? {} : { amount_reason: refund.amountReason }),
  method: refund.method,
  value_cents: refund.valueCents,
  rate_cents_per_btc: refund.rate,
  amount_sats: refund.amountSats,
  fee_sats: refund.feeSats,
  address: refund.address,
  txid: refund.txid,
});
