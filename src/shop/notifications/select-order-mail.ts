import type { Sats } from '#src/shop/money.ts';
import { isMailEvent } from '#src/shop/orders/order-events.ts';
import type { MailEventKind, StoredEventKind } from '#src/shop/orders/order-events.ts';
import type { OrderMailKind } from './order-mail.ts';

/** An order event, as in the timeline. */
export interface OrderEvent {
  readonly kind: StoredEventKind;
  readonly at: Date;
  readonly dueSats: Sats;
  /** Received by then, and before. */
  readonly receivedSats: Sats;
  readonly beforeSats: Sats;
  /** Kinds of earlier events of the order, oldest first. */
  readonly earlier: readonly StoredEventKind[];
}

export interface OrderMailToSend {
  readonly mail: OrderMailKind;
  /** Distinguishes it from earlier mails of the kind: letters, digits, dots and dashes. */
  readonly deduplicationKey: string;
}

/** Events after which a mail may have requested a payment. */
const LEFT: ReadonlySet<StoredEventKind | undefined> = new Set(['replaced', 'dropped', 'withdrawn', 'part_left']);
const WAITS: ReadonlySet<StoredEventKind | undefined> = new Set(['late_sold_out', 'late_promo_gone']);

/** The mail of an expiry, by the event before it. */
function getExpiryMail(previous: StoredEventKind | undefined): OrderMailKind {
  if (previous === 'quote_void') return 'quote-void';
  return previous === 'reservation_released' ? 'released' : 'expired';
}
const formatDay = (at: Date): string => at.toISOString().slice(0, 10);

interface EventForMail extends OrderEvent {
  /** An earlier payment left, so this one may be its return. */
  readonly isBack: boolean;
}

const getRepeatSuffix = ({ isBack }: EventForMail): string => (isBack ? '-again' : '');
const selectOnce = (mail: OrderMailKind) => (): OrderMailToSend => ({ mail, deduplicationKey: mail });
/** Rare events: at most one mail per day. */
const selectOncePerDay =
  (mail: OrderMailKind) =>
  ({ at }: EventForMail): OrderMailToSend => ({ mail, deduplicationKey: `${mail}-${formatDay(at)}` });
const selectLeft =
  (mail: OrderMailKind) =>
  ({ beforeSats }: EventForMail): OrderMailToSend => ({ mail, deduplicationKey: `${mail}-${beforeSats}` });
const selectWait =
  (why: string) =>
  ({ dueSats, receivedSats }: EventForMail): OrderMailToSend => ({
    mail: 'late-waits',
    deduplicationKey: `late-${why}-${dueSats}-${receivedSats}`,
  });

function selectSeen({ isBack, receivedSats }: EventForMail): OrderMailToSend {
  const mail = isBack ? 'back' : 'seen';
  return { mail, deduplicationKey: `${mail}-${receivedSats}` };
}

function selectLate(event: EventForMail): OrderMailToSend | null {
  const { beforeSats, receivedSats, earlier } = event;
  // Already confirmed when found: the next event covers it.
  if (beforeSats === 0n && WAITS.has(earlier.at(-1))) return null;
  return { mail: 'late', deduplicationKey: `late-${receivedSats}${getRepeatSuffix(event)}` };
}

const MAILS: Readonly<Record<MailEventKind, (event: EventForMail) => OrderMailToSend | null>> = {
  // Nothing to pay: the receipt follows immediately.
  created: ({ dueSats }) => (dueSats === 0n ? null : { mail: 'made', deduplicationKey: 'made' }),
  // The received amount may cover it: then the receipt follows immediately.
  requoted: ({ at, dueSats, receivedSats }) =>
    receivedSats >= dueSats ? null : { mail: 'requoted', deduplicationKey: `requoted-${at.getTime()}` },
  payment_seen: selectSeen,
  confirming: selectSeen,
  // What is left to pay besides a credit is in the mail about the exchange.
  underpaid: (event) =>
    event.earlier.at(-1) === 'exchange_credited'
      ? null
      : {
          mail: 'underpaid',
          deduplicationKey: `underpaid-${event.dueSats}-${event.receivedSats}${getRepeatSuffix(event)}`,
        },
  part_left: ({ dueSats, receivedSats }) => ({
    mail: 'part-left',
    deduplicationKey: `part-left-${dueSats}-${receivedSats}`,
  }),
  overpaid: ({ earlier, receivedSats }) =>
    earlier.slice(-2).includes('exchange_credited')
      ? null
      : { mail: 'overpaid', deduplicationKey: `overpaid-${receivedSats}` },
  late: selectLate,
  unconfirmed_too_long: ({ at }) => ({ mail: 'unconfirmed', deduplicationKey: `unconfirmed-${at.getTime()}` }),
  late_waits: selectWait('waits'),
  late_sold_out: selectWait('sold-out'),
  late_promo_gone: selectWait('promo-gone'),
  paid: ({ earlier }) => ({ mail: earlier.includes('late_accepted') ? 'paid-late' : 'paid', deduplicationKey: 'paid' }),
  paid_again: selectOncePerDay('paid-again'),
  paid_anew: ({ at }) => ({ mail: 'paid', deduplicationKey: `paid-anew-${at.getTime()}` }),
  reorged_out: selectOncePerDay('reorged-out'),
  double_spent: selectOncePerDay('double-spent'),
  part_double_spent: selectOncePerDay('double-spent'),
  double_spend_undone: selectOncePerDay('payment-may-return'),
  refund_stopped: selectOncePerDay('refund-stopped'),
  refund_resumed: selectOncePerDay('refund-resumed'),
  closed_as_loss: ({ at }) => ({ mail: 'closed-as-loss', deduplicationKey: `closed-as-loss-${at.getTime()}` }),
  replaced: selectLeft('replaced'),
  dropped: selectLeft('dropped'),
  withdrawn: selectLeft('withdrawn'),
  settled: selectOnce('settled'),
  cancelled: selectOnce('cancelled'),
  partly_shipped: ({ at }) => ({ mail: 'partly-shipped', deduplicationKey: `partly-shipped-${at.getTime()}` }),
  // Again after a parcel that was recorded by mistake.
  shipped: ({ at, earlier }) => ({
    mail: 'shipped',
    deduplicationKey: earlier.includes('shipment_undone') ? `shipped-${at.getTime()}` : 'shipped',
  }),
  tracking_corrected: ({ at }) => ({
    mail: 'tracking-corrected',
    deduplicationKey: `tracking-corrected-${at.getTime()}`,
  }),
  shipment_undone: ({ at }) => ({ mail: 'shipment-undone', deduplicationKey: `shipment-undone-${at.getTime()}` }),
  address_changed: ({ at }) => ({ mail: 'address-changed', deduplicationKey: `address-changed-${at.getTime()}` }),
  // A requoted order can expire again.
  expired: ({ at, earlier }) => ({
    mail: getExpiryMail(earlier.at(-1)),
    deduplicationKey: `expired-${at.getTime()}`,
  }),
};

/**
 * Selects the mail of an order event; null for none. Deduplication keys contain the amounts, so a
 * payment that comes and goes repeatedly causes one mail per amount when it arrives, leaves and
 * returns.
 */
export function selectOrderMail(event: OrderEvent): OrderMailToSend | null {
  if (!isMailEvent(event.kind)) return null;
  const isBack = event.earlier.some((one) => LEFT.has(one));
  return MAILS[event.kind]({ ...event, isBack });
}
