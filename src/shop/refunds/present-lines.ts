import { formatLineName } from '#src/shop/orders/fulfilment/show-shipments.ts';
import type { LineValue } from '#src/shop/orders/stored-order.ts';
import { cents, NO_CENTS, NO_SATS } from '#src/shop/money.ts';
import { computeRefundable, computeSettledSats, findAmountProblem, refundProblems } from './refundable.ts';
import type { RefundDestination, RefundPosition, RefundProblem } from './refundable.ts';
import { decideDebit } from './decide-debit.ts';
import type { DebitDecision } from './decide-debit.ts';
import { computeReturn } from './return-value.ts';
import type { ReturnTerms } from './return-value.ts';
import { computeOrderAmounts, countRefundable } from './lines/line-refund.ts';
import type { RefundableLine, RefundableOrder } from './lines/line-refund.ts';

interface NamedLine extends RefundableLine {
  readonly name: string;
  readonly sku: string | null;
  readonly values: readonly LineValue[];
}

/** The lines of an order as staff choose units of them, with what the amounts are computed from. */
export function presentRefundableLines(
  order: Omit<RefundableOrder, 'lines'> & { readonly lines: readonly NamedLine[] },
  position: RefundPosition,
  { address, terms }: { readonly address: RefundDestination | null; readonly terms: ReturnTerms },
) {
  const settledSats = computeSettledSats(position);
  const { whole } = computeRefundable(position);
  const areUnitsLeft = order.lines.some((line) => {
    const { shipped, unshipped } = countRefundable(line);
    return shipped + unshipped > 0;
  });
  const { leftCents, totalCents } = computeOrderAmounts(order);
  const debitSats = settledSats === null || leftCents === 0n ? NO_SATS : whole;
  const basis = { debitSats, surplusSats: NO_SATS, valueCents: cents(1n), isPaid: true };
  const fullSats = computeReturn(basis, terms) === null ? null : debitSats;
  const refused = findAmountProblem({ debitSats, fullSats }, position, address);
  return {
    /** Units that are left would take something. */
    refused: areUnitsLeft || refused === 'refund-open' ? refused : ('nothing-to-refund' as const),
    /** Why no amount can be refunded. */
    amount_refused: refused,
    paid_usd: totalCents,
    left_usd: leftCents,
    amounts: (order.amounts ?? []).map(({ position: line, netCents, taxCents }) => ({
      position: line,
      net_usd: netCents,
      tax_usd: taxCents,
    })),
    deducted_usd: order.deductedCents ?? NO_CENTS,
    settled_btc: settledSats ?? NO_SATS,
    refunded_btc: order.refundedSats,
    shipping: {
      net_usd: order.shipping.netCents,
      tax_usd: order.shipping.taxCents,
      is_refunded: order.shipping.isRefunded,
      refunded_net_usd: order.shipping.refundedNetCents ?? NO_CENTS,
      refunded_tax_usd: order.shipping.refundedTaxCents ?? NO_CENTS,
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

const isRefundProblem = (problem: string): problem is RefundProblem => refundProblems.some((one) => one === problem);

/** Why a refund of a total can't be made; null if it can. */
export function toShownProblem(decision: DebitDecision): RefundProblem | null {
  if (decision.ok) return null;
  return isRefundProblem(decision.reason) ? decision.reason : 'nothing-to-refund';
}

/** What a refund of everything would return, whether or not it can be made now; null if nothing. */
export function presentWhole(position: RefundPosition, order: RefundableOrder, terms: ReturnTerms) {
  const free = { ...position, debits: position.debits.filter(({ state }) => state !== 'made' && state !== 'sent') };
  const decided = decideDebit({ covers: 'whole' }, free, order, {
    address: { status: 'confirmed', dustSats: 1n },
    terms,
  });
  if (!decided.ok || computeRefundable(position).whole === NO_SATS) return null;
  const { debitSats, returns, surplusSats } = decided;
  return {
    value_usd: returns.value?.cents ?? null,
    returns_btc: returns.fullSats,
    debit_btc: debitSats,
    surplus_btc: surplusSats,
  };
}
