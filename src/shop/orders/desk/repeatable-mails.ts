import type { FulfilmentStatus, PaymentStatus } from '../kinds.ts';
import { isPaidState, isPartState } from '#src/shop/payments/ledger/payment-state.ts';
import type { PaymentState } from '#src/shop/payments/ledger/payment-state.ts';

/** Mails about an order that can be sent again, by the names of `notifications`. */
export const repeatableMails = ['made', 'underpaid', 'paid', 'partly-shipped', 'shipped'] as const;
type RepeatableMailKind = (typeof repeatableMails)[number];

export interface RepeatableMail {
  readonly mail: RepeatableMailKind;
  /** Number of the shipment; null if the mail is not about one. */
  readonly shipment: number | null;
}

interface OrderForMails {
  readonly payment_status: PaymentStatus;
  readonly fulfilment_status: FulfilmentStatus;
  readonly payment: { readonly state: PaymentState; readonly bip21: string | null };
}

/** Mails in one hour about one order that staff may send again. */
export const MAX_MAILS_PER_HOUR = 3;

/** Mails whose content is true now, in the order of a purchase. */
export function listRepeatableMails(
  { fulfilment_status: fulfilment, payment, payment_status: status }: OrderForMails,
  shipmentNumbers: readonly number[],
): readonly RepeatableMail[] {
  const requests = payment.bip21 !== null && (status === 'pending' || status === 'user_paid');
  const mails: RepeatableMail[] = [];
  if (requests && payment.state === 'awaiting') mails.push({ mail: 'made', shipment: null });
  if (requests && isPartState(payment.state)) mails.push({ mail: 'underpaid', shipment: null });
  if (status === 'paid' && isPaidState(payment.state)) mails.push({ mail: 'paid', shipment: null });
  const isComplete = fulfilment === 'shipped' || fulfilment === 'delivered';
  const last = shipmentNumbers.at(-1);
  for (const shipment of shipmentNumbers) {
    mails.push({ mail: isComplete && shipment === last ? 'shipped' : 'partly-shipped', shipment });
  }
  return mails;
}
