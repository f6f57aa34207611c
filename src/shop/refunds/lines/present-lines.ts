import { formatLineName } from '#src/shop/orders/fulfilment/show-shipments.ts';
import type { LineValue } from '#src/shop/orders/stored-order.ts';
import { NO_SATS } from '#src/shop/money.ts';
import { computeSettledSats, findLineRefundProblem, computeRefundable } from '../refundable.ts';
import type { RefundDestination, RefundPosition } from '../refundable.ts';
import { countRefundable } from './line-refund.ts';
import type { RefundableLine, RefundableOrder } from './line-refund.ts';

interface NamedLine extends RefundableLine {
  readonly name: string;
  readonly sku: string | null;
  readonly values: readonly LineValue[];
}

/** The lines of an order as staff choose units of them, with what the amounts are computed from. */
export function presentRefundableLines(
  order: Omit<RefundableOrder, 'lines'> & { readonly lines: readonly NamedLine[] },
  position: RefundPosition,
  address: RefundDestination | null,
) {
  const settledSats = computeSettledSats(position);
  const { whole } = computeRefundable(position);
  const areUnitsLeft = order.lines.some((line) => {
    const { shipped, unshipped } = countRefundable(line);
    return shipped + unshipped > 0;
  });
  return {
    /** Units that are left would take something. */
    refused: findLineRefundProblem(areUnitsLeft ? settledSats && whole : null, position, address),
    settled_btc: settledSats ?? NO_SATS,
    refunded_btc: order.refundedSats,
    shipping: {
      net_usd: order.shipping.netCents,
      tax_usd: order.shipping.taxCents,
      is_refunded: order.shipping.isRefunded,
    },
    items: order.lines.map((line) => ({
      position: line.position,
      name: formatLineName({ name: line.name, property_values: line.values }),
      sku: line.sku,
      quantity: line.quantity,
      shipped_quantity: line.shippedQuantity,
      refunded_unshipped_quantity: line.refundedUnshipped,
      refunded_shipped_quantity: line.refundedShipped,
      net_usd: line.netCents,
      tax_usd: line.taxCents,
      refunded_net_usd: line.refundedNetCents,
      refunded_tax_usd: line.refundedTaxCents,
    })),
  };
}
