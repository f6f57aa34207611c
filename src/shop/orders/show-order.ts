import type { FulfilmentStatus, OrderLoss } from './kinds.ts';
import {
  cents,
  formatDecimalBtc,
  multiplyCents,
  multiplySats,
  NO_CENTS,
  NO_SATS,
  subtractSats,
} from '#src/shop/money.ts';
import type { Cents, Sats } from '#src/shop/money.ts';
import { toSatsPerVbyte, isFeeLow } from '#src/shop/payments/ledger/fee-advice.ts';
import {
  COINBASE_MATURITY,
  countConfirmations,
  isReorgedState,
  isWholeRefund,
} from '#src/shop/payments/ledger/payment-state.ts';
import type { LedgerOutput, PaymentState } from '#src/shop/payments/ledger/payment-state.ts';
import { toAppliedPromoCode } from '#src/shop/promotions/promotion-snapshot.ts';
import type { PromotionSnapshot } from '#src/shop/promotions/promotion-snapshot.ts';
import { computeWaivedCents } from './paid-amount.ts';
import { evaluateOrder } from './status/evaluate-order.ts';
import { showCharges } from './show-charges.ts';
import type { BillingDetails, LineValue, OrderLedger, StoredCharges, StoredOrder } from './stored-order.ts';
import { snapshotBilling } from './quote-order.ts';
import { formatOrderNumber } from '#src/shop/shop-settings/order-number.ts';

export interface LineToShow {
  readonly product_id: string;
  readonly name: string;
  readonly slug: string;
  readonly main_image: string;
  readonly property_values: readonly LineValue[];
  readonly sku: string | null;
  readonly quantity: number;
  readonly price_cents: Cents;
  readonly price_sats: Sats;
  readonly is_free: boolean;
}

export interface OrderToShow extends StoredOrder, StoredCharges {
  /** Unclaimed part of `returned_sats`, which was written off and not refunded. */
  readonly written_off_sats: Sats;
  /** What confirmed refunds returned of the total, and the satoshis for it; omitted: nothing. */
  readonly refunded_cents?: Cents;
  readonly refunded_sats?: Sats;
  readonly id: string;
  readonly number: bigint;
  readonly fulfilment_status: FulfilmentStatus;
  readonly billing: BillingDetails;
  readonly total_cents: Cents;
  readonly total_sats: Sats;
  readonly total_after_sats: Sats;
  readonly discount_percent: string;
  readonly promo: PromotionSnapshot | null;
  readonly created_at: Date;
  /** End of the window once most of the amount is seen; null if `expires_at` is final. */
  readonly full_expires_at: Date | null;
}

/** Creates a payment URI; the amount is decimal BTC. */
export type PaymentUriWriter = (request: { address: string; amountBtc: string; label: string }) => string;

/** Loss of an order; closed: written off by staff. */
export type ShownLoss = OrderLoss | 'closed';

/** Whether the chain source responds. */
export type ChainStatus = 'up' | 'down';

export interface ShownPayment {
  address: string;
  amount_btc: Sats;
  received_btc: Sats;
  confirmed_btc: Sats;
  returned_btc: Sats;
  confirmations: number;
  required_confirmations: number;
  state: PaymentState;
  seen_in_time: boolean;
  short_btc: Sats;
  day_fee_rate: number | null;
  loss: ShownLoss | null;
  bip21: string | null;
  chain: ChainStatus;
  transactions: {
    txid: string;
    vout: number;
    amount_btc: Sats;
    confirmations: number;
    immature_blocks: number;
    first_seen: Date;
    fee_rate: number | null;
    is_fee_low: boolean;
    is_credit: boolean;
  }[];
}

/** What a payment shows besides its order and ledger. */
export interface PaymentContext {
  readonly writeUri: PaymentUriWriter;
  readonly chain: ChainStatus;
  readonly shop: { readonly name: string; readonly orderPrefix: string };
}

const compareTimes = (a: LedgerOutput, b: LedgerOutput): number =>
  a.firstSeen.getTime() - b.firstSeen.getTime() || a.txid.localeCompare(b.txid) || a.vout - b.vout;

/** The payment of an order for the API; live outputs, oldest first. */
export function showPayment(
  order: OrderToShow,
  ledger: OrderLedger,
  { writeUri, chain, shop }: PaymentContext,
): ShownPayment {
  const evaluation = evaluateOrder(order, ledger);
  const { missingSats } = evaluation;
  // Only needed to compare it with a fee.
  const hasFee = ledger.outputs.some(
    ({ feePerKvb = null, height, isLive }) => isLive && height === null && feePerKvb !== null,
  );
  const dayFeePerKvb = hasFee ? (ledger.dayFeePerKvb ?? null) : null;
  const isOpen = order.payment_status === 'pending' || order.payment_status === 'user_paid';
  const label = `${shop.name} ${formatOrderNumber(order.number, shop.orderPrefix)}`.trimStart();
  return {
    address: ledger.address,
    amount_btc: order.settled_sats ?? order.due_sats,
    received_btc: evaluation.receivedSats,
    confirmed_btc: evaluation.confirmedSats,
    returned_btc: subtractSats(order.returned_sats, order.written_off_sats),
    confirmations: evaluation.confirmations,
    required_confirmations: order.required_confirmations,
    state: evaluation.state,
    seen_in_time: evaluation.isSeenInTime,
    short_btc: evaluation.shortSats,
    day_fee_rate: toSatsPerVbyte(dayFeePerKvb),
    loss: (order.closed_as_loss_of ?? null) === null ? (order.recorded_loss ?? null) : 'closed',
    bip21:
      missingSats > 0n && isOpen && !isOnHold(evaluation.state)
        ? writeUri({ address: ledger.address, amountBtc: formatDecimalBtc(missingSats), label })
        : null,
    chain,
    transactions: ledger.outputs
      .filter(({ isLive }) => isLive)
      .toSorted(compareTimes)
      .map((output) => {
        const confirmations = countConfirmations(output, ledger.tip);
        return {
          txid: output.txid,
          vout: output.vout,
          amount_btc: output.amountSats,
          confirmations,
          immature_blocks: output.isCoinbase ? Math.max(0, COINBASE_MATURITY - confirmations) : 0,
          first_seen: output.firstSeen,
          fee_rate: confirmations === 0 ? toSatsPerVbyte(output.feePerKvb) : null,
          is_fee_low: isFeeLow(output, dayFeePerKvb),
          is_credit: output.isCredit ?? false,
        };
      }),
  };
}

/** Whether the buyer must not send anything. A double-spent order has to be requoted first. */
const isOnHold = (state: PaymentState): boolean => isReorgedState(state) || isWholeRefund(state);

/** What staff waived and what was refunded, and what is left of the total. */
function showNet(
  order: Pick<
    OrderToShow,
    | 'due_sats'
    | 'payment_status'
    | 'refunded_cents'
    | 'refunded_sats'
    | 'settled_sats'
    | 'total_after_cents'
    | 'total_after_sats'
  >,
) {
  const { due_sats: dueSats, total_after_cents: totalCents } = order;
  // A cancelled order has no price of which anything could be waived.
  const settledSats = order.payment_status === 'cancelled' ? null : order.settled_sats;
  const { refunded_cents: refundedCents = NO_CENTS, refunded_sats: refundedSats = NO_SATS } = order;
  const waivedCents = computeWaivedCents({ dueSats, settledSats, totalCents });
  const waivedSats = settledSats === null ? NO_SATS : subtractSats(dueSats, settledSats);
  const netCents = totalCents - waivedCents - refundedCents;
  return {
    waived_usd: waivedCents,
    waived_btc: waivedSats,
    refunded_usd: refundedCents,
    refunded_btc: refundedSats,
    net_usd: netCents > 0n ? cents(netCents) : NO_CENTS,
    net_btc: order.total_after_sats - waivedSats - refundedSats,
  };
}

/** An order for the API; amounts in sats and cents, encoded by the contract. */
export function showOrder(
  order: OrderToShow,
  lines: readonly LineToShow[],
  ledger: OrderLedger,
  context: PaymentContext,
) {
  return {
    id: order.id,
    number: formatOrderNumber(order.number, context.shop.orderPrefix),
    order_items: lines.map((line) => ({
      product_id: line.product_id,
      product: { name: line.name, slug: line.slug, main_image: line.main_image },
      quantity: line.quantity,
      price_usd: line.price_cents,
      price_btc: line.price_sats,
      total_usd: multiplyCents(line.price_cents, line.quantity),
      total_btc: multiplySats(line.price_sats, line.quantity),
      isFree: line.is_free,
      sku: line.sku,
      property_values: line.property_values.map(({ id, property, value }) => ({ id, property, value })),
    })),
    payment_status: order.payment_status,
    fulfilment_status: order.fulfilment_status,
    total_price_usd: order.total_cents,
    total_price_btc: order.total_sats,
    total_usd_after: order.total_after_cents,
    total_btc_after: order.total_after_sats,
    discount: Number(order.discount_percent),
    ...showCharges(order),
    ...showNet(order),
    promoCode: order.promo && toAppliedPromoCode(order.promo),
    billing: snapshotBilling(order.billing),
    created_at: order.created_at,
    expires_at: order.expires_at,
    is_briefly_reserved: order.is_open && order.full_expires_at !== null,
    payment: showPayment(order, ledger, context),
  };
}

export type ShownOrder = ReturnType<typeof showOrder>;
