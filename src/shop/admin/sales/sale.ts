/** What counts as a sale, and how its revenue is divided. */
import type { PaymentStatus } from '#src/shop/orders/kinds.ts';

/** Payment statuses of sales. A refunded order stays a sale: its refund is shown separately. */
export const soldStatuses = ['paid', 'refunded'] as const satisfies readonly PaymentStatus[];

/** Average of the orders, rounded half up; null without orders. */
export const computeAverage = (total: bigint, orders: number): bigint | null =>
  orders === 0 ? null : (2n * total + BigInt(orders)) / (2n * BigInt(orders));
