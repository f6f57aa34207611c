import type { Sats } from '../money.ts';

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
  'replaced',
  'dropped',
  'withdrawn',
  'reorged-out',
  'expired',
  'quote-void',
  'cancelled',
  'shipped',
] as const;
export type OrderMailKind = (typeof orderMailKinds)[number];

/** Something that happened to an order, as its timeline has it. */
export interface OrderHappening {
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
  readonly occasion: string;
}

/** After these a buyer may have been told to send again, or that something is missing. */
const LEFT: ReadonlySet<string> = new Set(['replaced', 'dropped', 'withdrawn', 'part_left']);
const WAITS: ReadonlySet<string> = new Set(['late_sold_out', 'late_promo_gone']);
const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/**
 * Which mail tells of it; null when none does. A payment that is seen and then confirmed is told of once, a second part
 * of it again. What comes and goes many times is told by its amounts, and these once when it comes, once when it leaves
 * and once when it is there again: however often it does, there is no storm of mails.
 */
export function orderMailOf(happening: OrderHappening): OrderMailToSend | null {
  const { kind, at, dueSats, receivedSats, beforeSats, earlier } = happening;
  const isBack = earlier.some((one) => LEFT.has(one));
  const again = isBack ? '-again' : '';
  switch (kind) {
    case 'created':
      // Nothing to pay: the receipt comes at once.
      return dueSats === 0n ? null : { mail: 'made', occasion: 'made' };
    case 'requoted':
      // What was received may cover it: then the receipt comes at once.
      return receivedSats >= dueSats ? null : { mail: 'requoted', occasion: `requoted-${at.getTime()}` };
    case 'payment_seen':
    case 'confirming':
      return isBack
        ? { mail: 'back', occasion: `back-${receivedSats}` }
        : { mail: 'seen', occasion: `seen-${receivedSats}` };
    case 'underpaid':
      return { mail: 'underpaid', occasion: `underpaid-${dueSats}-${receivedSats}${again}` };
    case 'part_left':
      return { mail: 'part-left', occasion: `part-left-${dueSats}-${receivedSats}` };
    case 'overpaid':
      return { mail: 'overpaid', occasion: `overpaid-${receivedSats}` };
    case 'late':
      // Found when it was confirmed already, it is told with what it waits for.
      if (beforeSats === 0n && WAITS.has(earlier.at(-1) ?? '')) return null;
      return { mail: 'late', occasion: `late-${receivedSats}${again}` };
    case 'late_waits':
    case 'late_sold_out':
    case 'late_promo_gone':
      return { mail: 'late-waits', occasion: `${kind.replaceAll('_', '-')}-${dueSats}-${receivedSats}` };
    case 'paid':
      return { mail: earlier.includes('late_accepted') ? 'paid-late' : 'paid', occasion: 'paid' };
    // Taken back and confirmed again, which is rare: of several times in a day one is told.
    case 'reorged_out':
      return { mail: 'reorged-out', occasion: `reorged-out-${dayOf(at)}` };
    case 'paid_again':
      return { mail: 'paid-again', occasion: `paid-again-${dayOf(at)}` };
    case 'replaced':
    case 'dropped':
    case 'withdrawn':
      return { mail: kind, occasion: `${kind}-${beforeSats}` };
    case 'settled':
    case 'cancelled':
    case 'shipped':
      return { mail: kind, occasion: kind };
    case 'expired':
      // An order that is quoted again can expire again.
      return { mail: earlier.at(-1) === 'quote_void' ? 'quote-void' : 'expired', occasion: `expired-${at.getTime()}` };
    default:
      return null;
  }
}
