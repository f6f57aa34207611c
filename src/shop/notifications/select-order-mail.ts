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

/** Something that happened to an order, as its timeline has it. */
export interface OrderEvent {
  readonly kind: StoredEventKind;
  readonly at: Date;
  readonly dueSats: Sats;
  /** What had arrived by then, and before. */
  readonly receivedSats: Sats;
  readonly beforeSats: Sats;
  /** What happened to the order before, oldest first. */
  readonly earlier: readonly StoredEventKind[];
}

export interface OrderMailToSend {
  readonly mail: OrderMailKind;
  /** What makes it another one than the last of its kind: letters, digits, dots and dashes. */
  readonly deduplicationKey: string;
}

/** After these a buyer may have been told to send again, or that something is missing. */
const LEFT: ReadonlySet<StoredEventKind | undefined> = new Set(['replaced', 'dropped', 'withdrawn', 'part_left']);
const WAITS: ReadonlySet<StoredEventKind | undefined> = new Set(['late_sold_out', 'late_promo_gone']);
/** What an expiry is told as, by what happened just before it. */
function getExpiryMail(previous: StoredEventKind | undefined): OrderMailKind {
  if (previous === 'quote_void') return 'quote-void';
  return previous === 'reservation_released' ? 'released' : 'expired';
}
const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

interface EventForMail extends OrderEvent {
  /** It has left before: it may be there again. */
  readonly isBack: boolean;
}

const getRepeatSuffix = ({ isBack }: EventForMail): string => (isBack ? '-again' : '');
const once = (mail: OrderMailKind) => (): OrderMailToSend => ({ mail, deduplicationKey: mail });
/** Rare: of several times in a day one is told. */
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

function late(told: EventForMail): OrderMailToSend | null {
  const { beforeSats, receivedSats, earlier } = told;
  // Found when it was confirmed already, it is told with what it waits for.
  if (beforeSats === 0n && WAITS.has(earlier.at(-1))) return null;
  return { mail: 'late', deduplicationKey: `late-${receivedSats}${getRepeatSuffix(told)}` };
}

const none = (): null => null;

const MAILS: Readonly<Record<StoredEventKind, (told: EventForMail) => OrderMailToSend | null>> = {
  // Nothing to pay: the receipt comes at once.
  created: ({ dueSats }) => (dueSats === 0n ? null : { mail: 'made', deduplicationKey: 'made' }),
  // What was received may cover it: then the receipt comes at once.
  requoted: ({ at, dueSats, receivedSats }) =>
    receivedSats >= dueSats ? null : { mail: 'requoted', deduplicationKey: `requoted-${at.getTime()}` },
  payment_seen: seen,
  confirming: seen,
  underpaid: (told) => ({
    mail: 'underpaid',
    deduplicationKey: `underpaid-${told.dueSats}-${told.receivedSats}${getRepeatSuffix(told)}`,
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
  // An order that is quoted again can expire again.
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
 * Which mail tells of it; null when none does. A payment that is seen and then confirmed is told of once, a second part
 * of it again. What comes and goes many times is told by its amounts, and these once when it comes, once when it leaves
 * and once when it is there again: however often it does, there is no storm of mails.
 */
export function selectOrderMail(happening: OrderEvent): OrderMailToSend | null {
  const isBack = happening.earlier.some((one) => LEFT.has(one));
  return MAILS[happening.kind]({ ...happening, isBack });
}
