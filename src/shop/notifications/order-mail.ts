/** Selects the text of an order mail. */
import { writeClosedAsLoss, doubleSpent, writePaymentMayReturn, refundResumed, refundStopped } from './loss-mails.ts';
import { writeDropped, writePaidAgain, writeReorgedOut, writeReplaced, writeWithdrawn } from './lost-payment-mails.ts';
import type { OrderMailKind } from './select-order-mail.ts';
import { createTermsBlocks } from './order-mail-parts.ts';
import type { OrderMailData, MailContent } from './order-mail-parts.ts';
import {
  writeCancelled,
  writeExpired,
  writeMade,
  writePaid,
  writePaidLate,
  writeQuoteVoid,
  writeReleased,
  writeRequoted,
  writeAcceptedAsPaid,
} from './order-mails.ts';
import {
  writeAddressChanged,
  writePartlyShipped,
  writeShipmentUndone,
  writeShipped,
  writeTrackingCorrected,
} from './shipping-mails.ts';
import { writeLateWaits, writeUnconfirmed } from './late-mails.ts';
import { writeBack, writeLate, writeOverpaid, writePartLeft, writeSeen, writeUnderpaid } from './payment-mails.ts';
import type { MailContents } from './render-mail.ts';
import { explainOrderMail } from './user-text.ts';

const WRITERS: Readonly<Record<OrderMailKind, (data: OrderMailData) => MailContent | null>> = {
  made: writeMade,
  requoted: writeRequoted,
  seen: writeSeen,
  back: writeBack,
  underpaid: writeUnderpaid,
  'part-left': writePartLeft,
  overpaid: writeOverpaid,
  paid: writePaid,
  'paid-late': writePaidLate,
  'paid-again': writePaidAgain,
  settled: writeAcceptedAsPaid,
  late: writeLate,
  'late-waits': writeLateWaits,
  unconfirmed: writeUnconfirmed,
  replaced: writeReplaced,
  dropped: writeDropped,
  withdrawn: writeWithdrawn,
  'reorged-out': (data) => (data.order.payment.loss === null ? writeReorgedOut(data) : doubleSpent(data)),
  'double-spent': doubleSpent,
  'payment-may-return': writePaymentMayReturn,
  'refund-stopped': refundStopped,
  'refund-resumed': refundResumed,
  'closed-as-loss': writeClosedAsLoss,
  expired: writeExpired,
  'quote-void': writeQuoteVoid,
  released: writeReleased,
  cancelled: writeCancelled,
  'partly-shipped': writePartlyShipped,
  shipped: writeShipped,
  'tracking-corrected': writeTrackingCorrected,
  'shipment-undone': writeShipmentUndone,
  'address-changed': writeAddressChanged,
};

/** Whether a mail is the first one about its order, which confirms the contract. With nothing to pay it is the receipt. */
export const carriesTerms = (kind: OrderMailKind, { payment }: OrderMailData['order']): boolean =>
  kind === 'made' || (kind === 'paid' && payment.amount_btc === 0n);

/** Null if the mail is no longer true. */
export function writeOrderMail(kind: OrderMailKind, data: OrderMailData): MailContents | null {
  const written = WRITERS[kind](data);
  if (written === null) return null;
  const blocks = carriesTerms(kind, data.order) ? [...written.blocks, ...createTermsBlocks(data)] : written.blocks;
  return { ...written, blocks, reason: explainOrderMail(data.username, data.order.number) };
}
