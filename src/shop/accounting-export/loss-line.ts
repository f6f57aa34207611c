/** Losses in the accounting export: what was delivered or sent back and is not paid. */
import { addSats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import { computeLostSats } from '#src/shop/orders/status/order-loss.ts';
import type { OrderInLoss } from '#src/shop/orders/status/order-loss.ts';
import { formatOrderNumber } from '#src/shop/orders/show-order.ts';
import type { LedgerOutput } from '#src/shop/payments/ledger/payment-state.ts';
import { EXPORT_COLUMNS, toCents, formatDollars, describeRateSource, sumRefundSats } from './output-line.ts';
import type { ExportedQuote, ExportedRefund, ExportTotals } from './output-line.ts';
import { sumUnclaimedSats, WRITE_OFF_COLUMNS, createWriteOffCells } from './write-off-cells.ts';
import type { ExportedWriteOff } from './write-off-cells.ts';

/** An order that was closed as a loss, or of which more was sent back than is confirmed. */
export interface ExportedLoss {
  readonly number: bigint;
  readonly order: OrderInLoss;
  /** When it was closed, or else reported. */
  readonly at: Date;
  readonly quote: Pick<ExportedQuote, 'rate' | 'evidence'>;
  /** Every output that ever paid the order. */
  readonly outputs: readonly LedgerOutput[];
  readonly refundAddress: string | null;
  /** Empty where a line of a live output has them. */
  readonly refunds: readonly ExportedRefund[];
  /** As the refunds. */
  readonly writeOffs: readonly ExportedWriteOff[];
}

type Tip = { readonly height: number } | null;

/** What the shop is short of, by the ledger of this moment. */
const computeLineLoss = ({ order, outputs }: ExportedLoss, tip: Tip): Sats => computeLostSats(order, { outputs, tip });

/**
 * The cells of a loss, in the order of BOOK_COLUMNS: no output, so no satoshis received; the loss in its own columns, in
 * dollars at the rate of the last quote.
 */
export function createLossCells(loss: ExportedLoss, tip: Tip): string[] {
  const { number, order, at, quote, refundAddress, refunds, writeOffs } = loss;
  const lost = computeLineLoss(loss, tip);
  const writtenOff = createWriteOffCells(writeOffs);
  const rateAt = quote.evidence['at'];
  const cells: Partial<Record<(typeof EXPORT_COLUMNS)[number], string>> = {
    ...Object.fromEntries(WRITE_OFF_COLUMNS.map((column, index) => [column, writtenOff[index] ?? ''])),
    order: formatOrderNumber(number),
    order_status: order.payment_status,
    first_seen: at.toISOString(),
    rate_usd: formatDollars(quote.rate),
    rate_source: describeRateSource(quote),
    rate_at: typeof rateAt === 'string' ? rateAt : '',
    refund_address: refundAddress ?? '',
    refund_sats: refunds.length === 0 ? '' : String(sumRefundSats(refunds)),
    refund_txids: refunds.map(({ txid }) => txid).join(' '),
    loss_sats: String(lost),
    loss_usd: formatDollars(toCents(lost, quote.rate)),
  };
  return EXPORT_COLUMNS.map((column) => cells[column] ?? '');
}

/** Adds a loss to the totals. It is no payment, so it counts as no line. */
export const addLoss = (totals: ExportTotals, loss: ExportedLoss, tip: Tip): ExportTotals => ({
  ...totals,
  refundSats: addSats(totals.refundSats, sumRefundSats(loss.refunds)),
  unclaimedSats: addSats(totals.unclaimedSats, sumUnclaimedSats(loss.writeOffs)),
  lossSats: addSats(totals.lossSats, computeLineLoss(loss, tip)),
});
