/** What counts as a sale, and how its revenue is divided. */
import type { PaymentStatus } from '#src/shop/orders/kinds.ts';

/** Payment statuses of sales. A refunded order stays a sale: its refund is shown separately. */
export const soldStatuses = ['paid', 'refunded'] as const satisfies readonly PaymentStatus[];

export interface SaleAmounts {
  readonly cents: bigint;
  readonly sats: bigint;
}

export interface ConfirmedRefund {
  /** What it takes off the amount that the order received. */
  readonly sats: bigint;
  /** What the refunded units cost; null or omitted unless it covers lines. */
  readonly cents?: bigint | null;
}

/**
 * What each confirmed refund takes off the revenue of its sale, in order. Together never more than the
 * revenue; all of it if the whole order is refunded.
 */
export function computeRefundedRevenue(
  sale: SaleAmounts,
  refunds: readonly ConfirmedRefund[],
  isWholeRefunded: boolean,
): SaleAmounts[] {
  let [sent, sentOfTotal, linesCents] = [0n, 0n, 0n];
  let before: SaleAmounts = { cents: 0n, sats: 0n };
  return refunds.map((refund, at) => {
    sent += refund.sats;
    if (refund.cents === undefined || refund.cents === null) sentOfTotal += refund.sats;
    else linesCents += refund.cents;
    const isAll = sent >= sale.sats || (isWholeRefunded && at === refunds.length - 1);
    const cents = isAll ? sale.cents : linesCents + (sale.cents * sentOfTotal) / sale.sats;
    const until = isAll ? sale : { sats: sent, cents: cents < sale.cents ? cents : sale.cents };
    const part = { cents: until.cents - before.cents, sats: until.sats - before.sats };
    before = until;
    return part;
  });
}

/** Average of the orders, rounded half up; null without orders. */
export const computeAverage = (total: bigint, orders: number): bigint | null =>
  orders === 0 ? null : (2n * total + BigInt(orders)) / (2n * BigInt(orders));
