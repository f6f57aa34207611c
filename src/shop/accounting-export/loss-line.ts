/** Losses in the accounting export: what was delivered or sent back and is not paid. */
import { addSats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import { lostSats } from '#src/shop/orders/status/order-loss.ts';
import type { OrderInLoss } from '#src/shop/orders/status/order-loss.ts';
import { orderNumber } from '#src/shop/orders/show-order.ts';
import type { LedgerOutput } from '#src/shop/payments/ledger/payment-state.ts';
import { BOOK_COLUMNS, centsOf, dollars, sourceOf, sumOf } from './book-line.ts';
import type { BookedQuote, BookedRefund, BookTotals } from './book-line.ts';
import { unclaimedSats, WRITE_OFF_COLUMNS, writeOffCells } from './write-off-cells.ts';
import type { BookedWriteOff } from './write-off-cells.ts';

/** An order that was closed as a loss, or of which more was sent back than is confirmed. */
export interface BookedLoss {
  readonly number: bigint;
  readonly order: OrderInLoss;
  /** When it was closed, or else reported. */
  readonly at: Date;
  readonly quote: Pick<BookedQuote, 'rate' | 'evidence'>;
  /** Every output that ever paid the order. */
  readonly outputs: readonly LedgerOutput[];
  readonly refundAddress: string | null;
  /** Empty where a line of a live output has them. */
  readonly refunds: readonly BookedRefund[];
  /** As the refunds. */
  readonly writeOffs: readonly BookedWriteOff[];
}

type Tip = { readonly height: number } | null;

/** What the shop is short of, by the ledger of this moment. */
const lossOfLine = ({ order, outputs }: BookedLoss, tip: Tip): Sats => lostSats(order, { outputs, tip });

/**
 * The cells of a loss, in the order of BOOK_COLUMNS: no output, so no satoshis received; the loss in its own columns, in
 * dollars at the rate of the last quote.
 */
export function lossLine(loss: BookedLoss, tip: Tip): string[] {
  const { number, order, at, quote, refundAddress, refunds, writeOffs } = loss;
  const lost = lossOfLine(loss, tip);
  const writtenOff = writeOffCells(writeOffs);
  const rateAt = quote.evidence['at'];
  const cells: Partial<Record<(typeof BOOK_COLUMNS)[number], string>> = {
    ...Object.fromEntries(WRITE_OFF_COLUMNS.map((column, index) => [column, writtenOff[index] ?? ''])),
    order: orderNumber(number),
    order_status: order.payment_status,
    first_seen: at.toISOString(),
    rate_usd: dollars(quote.rate),
    rate_source: sourceOf(quote),
    rate_at: typeof rateAt === 'string' ? rateAt : '',
    refund_address: refundAddress ?? '',
    refund_sats: refunds.length === 0 ? '' : String(sumOf(refunds)),
    refund_txids: refunds.map(({ txid }) => txid).join(' '),
    loss_sats: String(lost),
    loss_usd: dollars(centsOf(lost, quote.rate)),
  };
  return BOOK_COLUMNS.map((column) => cells[column] ?? '');
}

/** Adds a loss to the totals. It is no payment, so it counts as no line. */
export const addLoss = (totals: BookTotals, loss: BookedLoss, tip: Tip): BookTotals => ({
  ...totals,
  refundSats: addSats(totals.refundSats, sumOf(loss.refunds)),
  unclaimedSats: addSats(totals.unclaimedSats, unclaimedSats(loss.writeOffs)),
  lossSats: addSats(totals.lossSats, lossOfLine(loss, tip)),
});
