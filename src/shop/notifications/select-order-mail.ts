import type { Sats } from '#src/shop/money.ts';

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
  readonly kind: string;
  readonly at: Date;
  readonly dueSats: Sats;
  /** What had arrived by then, and before. */
  readonly receivedSats: Sats;
  readonly beforeSats: Sats;
  /** What happened to the order before, oldest first. */
  readonly earlier: readonly string[];
}

export interface OrderMailToSend {
  readonly mail: OrderMailKind;
  /** What makes it another one than the last of its kind: letters, digits, dots and dashes. */
  readonly deduplicationKey: string;
}

/** After these a buyer may have been told to send again, or that something is missing. */
const LEFT: ReadonlySet<string> = new Set(['replaced', 'dropped', 'withdrawn', 'part_left']);
const WAITS: ReadonlySet<string> = new Set(['late_sold_out', 'late_promo_gone']);
/** What an expiry is told as, by what happened just before it. */
const EXPIRED_AFTER: Readonly<Record<string, OrderMailKind>> = {
  quote_void: 'quote-void',
  reservation_released: 'released',
};
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
  if (beforeSats === 0n && WAITS.has(earlier.at(-1) ?? '')) return null;
  return { mail: 'late', deduplicationKey: `late-${receivedSats}${getRepeatSuffix(told)}` };
}

const MAILS: Readonly<Record<string, (told: EventForMail) => OrderMailToSend | null>> = {
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
    mail: EXPIRED_AFTER[earlier.at(-1) ?? ''] ?? 'expired',
    deduplicationKey: `expired-${at.getTime()}`,
  }),
};

/**
 * Which mail tells of it; null when none does. A payment that is seen and then confirmed is told of once, a second part
 * of it again. What comes and goes many times is told by its amounts, and these once when it comes, once when it leaves
 * and once when it is there again: however often it does, there is no storm of mails.
 */
export function selectOrderMail(happening: OrderEvent): OrderMailToSend | null {
  const isBack = happening.earlier.some((one) => LEFT.has(one));
  return MAILS[happening.kind]?.({ ...happening, isBack }) ?? null;
}
