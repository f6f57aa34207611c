/** Reads of orders what decides whether their personal data may be erased. */
import type { Db } from '#src/platform/database/database.ts';
import { NO_SATS } from '#src/shop/money.ts';
import type { RefundPersonalData } from '#src/shop/refunds/personal-data.service.ts';
import type { WithdrawalPersonalData } from '#src/shop/returns/withdrawal/personal-data.service.ts';
import type { OrderForDeletion } from './deletion-block.ts';

export interface NumberedOrder extends OrderForDeletion {
  readonly id: string;
  readonly number: bigint;
}

/** What the orders themselves say. */
type StoredOrder = Omit<NumberedOrder, 'refunded_sats' | 'has_open_refund' | 'has_open_return' | 'owes_credit'>;

interface Sources {
  readonly refunds: Pick<RefundPersonalData, 'summariseForErasure'>;
  readonly withdrawals: Pick<WithdrawalPersonalData, 'listWithOpenReturn' | 'listWithOwedCredit'>;
}

/** Orders with what was refunded of them, and whether a refund or a return is open. */
export async function describeForDeletion(
  tx: Db,
  orders: readonly StoredOrder[],
  { refunds, withdrawals }: Sources,
): Promise<readonly NumberedOrder[]> {
  const ids = orders.map(({ id }) => id);
  const summaries = await refunds.summariseForErasure(tx, ids);
  const returning = new Set(await withdrawals.listWithOpenReturn(tx, ids));
  const owing = new Set(await withdrawals.listWithOwedCredit(tx, ids));
  return orders.map((order) => {
    const { refundedSats = NO_SATS, hasOpenRefund = false } = summaries.get(order.id) ?? {};
    const hasOpenReturn = returning.has(order.id);
    return {
      ...order,
      refunded_sats: refundedSats,
      has_open_refund: hasOpenRefund,
      has_open_return: hasOpenReturn,
      owes_credit: owing.has(order.id),
    };
  });
}
