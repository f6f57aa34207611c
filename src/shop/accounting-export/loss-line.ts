/** Loss lines of the accounting export: delivered or refunded, but not paid. */
import { addSats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import { computeLostSats } from '#src/shop/orders/status/order-loss.ts';
import type { OrderInLoss } from '#src/shop/orders/status/order-loss.ts';
import { formatOrderNumber } from '#src/shop/shop-settings/order-number.ts';
import type { LedgerOutput } from '#src/shop/payments/ledger/payment-state.ts';
import { formatDollars } from './format-dollars.ts';
import { EXPORT_COLUMNS, toCents, describeRateSource } from './output-line.ts';
import type { ExportedQuote, ExportTotals } from './output-line.ts';
import { createRefundCells, REFUND_COLUMNS, sumRefundGains, sumRefundSats } from './refund-cells.ts';
import type { ExportedRefund } from './refund-cells.ts';
import { sumUnclaimedSats, WRITE_OFF_COLUMNS, createWriteOffCells } from './write-off-cells.ts';
import type { ExportedWriteOff } from './write-off-cells.ts';

/** An order that was closed as a loss, or refunded beyond its confirmed payments. */
export interface ExportedLoss {
  readonly number: bigint;
  readonly order: OrderInLoss;
  /** When it was closed, or else reported. */
  readonly at: Date;
  readonly quote: Pick<ExportedQuote, 'rate' | 'evidence'>;
  /** All outputs that ever paid the order. */
  readonly outputs: readonly LedgerOutput[];
  readonly refundAddress: string | null;
  /** Empty if a line of a live output contains them. */
  readonly refunds: readonly ExportedRefund[];
  /** As for refunds. */
  readonly writeOffs: readonly ExportedWriteOff[];
}

type Tip = { readonly height: number } | null;

/** The loss according to the present ledger. */
const computeLineLoss = ({ order, outputs }: ExportedLoss, tip: Tip): Sats => computeLostSats(order, { outputs, tip });

/**
 * Cells of a loss line, in the order of EXPORT_COLUMNS. It has no output and receives no satoshis;
 * the loss has its own columns, with dollars at the rate of the last quote.
 */
export function createLossCells(loss: ExportedLoss, tip: Tip, orderPrefix: string): string[] {
  const { number, order, at, quote, refundAddress, refunds, writeOffs } = loss;
  const lost = computeLineLoss(loss, tip);
  const writtenOff = createWriteOffCells(writeOffs);
  const refunded = createRefundCells(refunds);
  const rateAt = quote.evidence['at'];
  const cells: Partial<Record<(typeof EXPORT_COLUMNS)[number], string>> = {
    ...Object.fromEntries(WRITE_OFF_COLUMNS.map((column, index) => [column, writtenOff[index] ?? ''])),
    ...Object.fromEntries(REFUND_COLUMNS.map((column, index) => [column, refunded[index] ?? ''])),
    order: formatOrderNumber(number, orderPrefix),
    order_status: order.payment_status,
    first_seen: at.toISOString(),
    rate_usd: formatDollars(quote.rate),
    rate_source: describeRateSource(quote),
    rate_at: typeof rateAt === 'string' ? rateAt : '',
    refund_address: refundAddress ?? '',
    loss_sats: String(lost),
    loss_usd: formatDollars(toCents(lost, quote.rate)),
  };
  return EXPORT_COLUMNS.map((column) => cells[column] ?? '');
}

/** Adds a loss to the totals. It is not a payment, so it does not count as a line. */
export const addLoss = (totals: ExportTotals, loss: ExportedLoss, tip: Tip): ExportTotals => ({
  ...totals,
  refundSats: addSats(totals.refundSats, sumRefundSats(loss.refunds)),
  refundGainCents: totals.refundGainCents + sumRefundGains(loss.refunds),
  unclaimedSats: addSats(totals.unclaimedSats, sumUnclaimedSats(loss.writeOffs)),
  lossSats: addSats(totals.lossSats, computeLineLoss(loss, tip)),
});
