import type { Sats } from '#src/shop/money.ts';
import type { StoredEventKind } from '#src/shop/orders/kinds.ts';

export const orderMailKinds = [
  'made',
  'requoted',
  'seen',
  'back',
  'underpaid',
  'part-left',
  'overpaid',
  'paid',
  'paid-late',
  'paid-again',
  'settled',
  'late',
  'late-waits',
  'unconfirmed',
  'replaced',
  'dropped',
  'withdrawn',
  'reorged-out',
  'double-spent',
  'payment-may-return',
  'refund-stopped',
  'refund-resumed',
  'closed-as-loss',
  'expired',
  'quote-void',
  'released',
  'cancelled',
  'shipped',
] as const;
export type OrderMailKind = (typeof orderMailKinds)[number];

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
const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

interface EventForMail extends OrderEvent {
  /** An earlier payment left, so this one may be its return. */
  readonly isBack: boolean;
}

const getRepeatSuffix = ({ isBack }: EventForMail): string => (isBack ? '-again' : '');
const once = (mail: OrderMailKind) => (): OrderMailToSend => ({ mail, deduplicationKey: mail });
/** Rare events: at most one mail per day. */
const onceADay =
  (mail: OrderMailKind) =>
  ({ at }: EventForMail): OrderMailToSend => ({ mail, deduplicationKey: `${mail}-${dayOf(at)}` });
const left =
  (mail: OrderMailKind) =>
  ({ beforeSats }: EventForMail): OrderMailToSend => ({ mail, deduplicationKey: `${mail}-${beforeSats}` });
const waits =
  (why: string) =>
  ({ dueSats, receivedSats }: EventForMail): OrderMailToSend => ({
    mail: 'late-waits',
    deduplicationKey: `late-${why}-${dueSats}-${receivedSats}`,
  });

function seen({ isBack, receivedSats }: EventForMail): OrderMailToSend {
  const mail = isBack ? 'back' : 'seen';
  return { mail, deduplicationKey: `${mail}-${receivedSats}` };
}

function late(event: EventForMail): OrderMailToSend | null {
  const { beforeSats, receivedSats, earlier } = event;
  // Already confirmed when found: the next event covers it.
  if (beforeSats === 0n && WAITS.has(earlier.at(-1))) return null;
  return { mail: 'late', deduplicationKey: `late-${receivedSats}${getRepeatSuffix(event)}` };
}

const none = (): null => null;

const MAILS: Readonly<Record<StoredEventKind, (event: EventForMail) => OrderMailToSend | null>> = {
  // Nothing to pay: the receipt follows immediately.
  created: ({ dueSats }) => (dueSats === 0n ? null : { mail: 'made', deduplicationKey: 'made' }),
  // The received amount may cover it: then the receipt follows immediately.
  requoted: ({ at, dueSats, receivedSats }) =>
    receivedSats >= dueSats ? null : { mail: 'requoted', deduplicationKey: `requoted-${at.getTime()}` },
  payment_seen: seen,
  confirming: seen,
  underpaid: (event) => ({
    mail: 'underpaid',
    deduplicationKey: `underpaid-${event.dueSats}-${event.receivedSats}${getRepeatSuffix(event)}`,
  }),
  part_left: ({ dueSats, receivedSats }) => ({
    mail: 'part-left',
    deduplicationKey: `part-left-${dueSats}-${receivedSats}`,
  }),
  overpaid: ({ receivedSats }) => ({ mail: 'overpaid', deduplicationKey: `overpaid-${receivedSats}` }),
  late,
  unconfirmed_too_long: ({ at }) => ({ mail: 'unconfirmed', deduplicationKey: `unconfirmed-${at.getTime()}` }),
  late_waits: waits('waits'),
  late_sold_out: waits('sold-out'),
  late_promo_gone: waits('promo-gone'),
  paid: ({ earlier }) => ({ mail: earlier.includes('late_accepted') ? 'paid-late' : 'paid', deduplicationKey: 'paid' }),
  paid_again: onceADay('paid-again'),
  paid_anew: ({ at }) => ({ mail: 'paid', deduplicationKey: `paid-anew-${at.getTime()}` }),
  reorged_out: onceADay('reorged-out'),
  double_spent: onceADay('double-spent'),
  part_double_spent: onceADay('double-spent'),
  double_spend_undone: onceADay('payment-may-return'),
  refund_stopped: onceADay('refund-stopped'),
  refund_resumed: onceADay('refund-resumed'),
  closed_as_loss: ({ at }) => ({ mail: 'closed-as-loss', deduplicationKey: `closed-as-loss-${at.getTime()}` }),
  replaced: left('replaced'),
  dropped: left('dropped'),
  withdrawn: left('withdrawn'),
  settled: once('settled'),
  cancelled: once('cancelled'),
  shipped: once('shipped'),
  // A requoted order can expire again.
  expired: ({ at, earlier }) => ({
    mail: getExpiryMail(earlier.at(-1)),
    deduplicationKey: `expired-${at.getTime()}`,
  }),
  // No mail of this module; refunds have mails of their own.
  user_paid: none,
  unconfirmed: none,
  late_accepted: none,
  time_unknown: none,
  refund_uncovered: none,
  refund_lost: none,
  refund_covered: none,
  refund_loss_closed: none,
  loss_reversed: none,
  quote_void: none,
  window_extended: none,
  reservation_released: none,
  refund_address: none,
  refund_address_confirmed: none,
  refund_address_entered: none,
  refund_made: none,
  refund_sent: none,
  refund_unconfirmed: none,
  refund_left: none,
  refund_confirmed: none,
  refund_recorded: none,
  refund_record_undone: none,
  refund_withdrawn: none,
  written_off: none,
  write_off_reopened: none,
  paid_twice_accepted: none,
  units_returned: none,
  units_taken: none,
  units_gone: none,
  delivered: none,
  unknown: none,
};

/**
 * Selects the mail of an order event; null for none. Deduplication keys contain the amounts, so a
 * payment that comes and goes repeatedly causes one mail per amount when it arrives, leaves and
 * returns.
 */
export function selectOrderMail(event: OrderEvent): OrderMailToSend | null {
  const isBack = event.earlier.some((one) => LEFT.has(one));
  return MAILS[event.kind]({ ...event, isBack });
}
