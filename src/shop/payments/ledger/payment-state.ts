import { NO_SATS, subtractSats, sumSats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import { isOnlyDust } from './dust.ts';

/** PAY-09's states. The order here is not their priority; `paymentState` below decides that. */
export const paymentStates = [
  'awaiting',
  'seen',
  'confirming',
  'underpaid',
  'paid',
  'overpaid',
  'late',
  'expired',
  'replaced',
  'dropped',
  'reorged_out',
  'refunding',
  'refunded',
  'written_off',
] as const;
export type PaymentState = (typeof paymentStates)[number];

/** Why an unconfirmed output left: a conflict took its place, or the mempool let go of it. */
export type LeftBecause = 'replaced' | 'dropped';

/** A row of the ledger. */
export interface LedgerOutput {
  readonly txid: string;
  readonly vout: number;
  readonly amountSats: Sats;
  readonly isCoinbase: boolean;
  /** In the mempool or in the best chain. */
  readonly isLive: boolean;
  /** Height of its block in the best chain; null while unconfirmed. */
  readonly height: number | null;
  readonly firstSeen: Date;
  readonly leftBecause: LeftBecause | null;
  readonly leftAt: Date | null;
  /**
   * Set where the time of arrival is not known: it arrived after this moment, and at `firstSeen` at the latest. Null or
   * left out: `firstSeen` is exact.
   */
  readonly arrivedAfter?: Date | null;
  /** Time of the block that held it first; null or left out: it was never in one, or in one before that was kept. */
  readonly confirmedAt?: Date | null;
  /** Sats per 1,000 virtual bytes that its transaction pays, as last known; null or left out: not known. */
  readonly feePerKvb?: bigint | null;
  /** Height of the best chain's transaction that spent the same coins; null or left out while there is none. */
  readonly conflictHeight?: number | null;
}

/** Blocks after which a miner's reward may be spent; until then it counts for nothing. */
export const COINBASE_MATURITY = 100;

/** What had come before the quote, and counts at its former worth as long as it is there. */
export interface PaymentCredit {
  readonly sats: Sats;
  /** Outputs first seen up to this moment are what was credited. */
  readonly until: Date;
  /** What the quote would ask if nothing had come before; null while it asks nothing more than that. */
  readonly dueWithoutSats: Sats | null;
}

/** What was asked of the buyer. */
interface PaymentQuote {
  readonly dueSats: Sats;
  /** Null or left out when nothing was credited. */
  readonly credit?: PaymentCredit | null;
  /** An amount that is short by at most this is accepted as the whole. */
  readonly toleranceSats: Sats;
  readonly requiredConfirmations: number;
  /** Outputs first seen up to this moment, it included, are in time. */
  readonly expiresAt: Date;
}

/** What became of all that an order has received; written off: nobody claimed it, and it is paid back when somebody does. */
export type WholeRefundState = 'refunding' | 'refunded' | 'written_off';

const WHOLE_REFUNDS: Readonly<Record<PaymentState, boolean>> = {
  awaiting: false,
  seen: false,
  confirming: false,
  underpaid: false,
  paid: false,
  overpaid: false,
  late: false,
  expired: false,
  replaced: false,
  dropped: false,
  reorged_out: false,
  refunding: true,
  refunded: true,
  written_off: true,
};

/** Whether a state is one of a refund or write-off of the whole order. */
export const isWholeRefund = (state: PaymentState | null): state is WholeRefundState =>
  state !== null && WHOLE_REFUNDS[state];

/** What happened to the order that the chain cannot know. */
export interface PaymentFacts {
  /** When it was first paid; kept when a reorganisation takes that back. */
  readonly paidAt: Date | null;
  readonly expiredAt: Date | null;
  readonly cancelledAt: Date | null;
  /** Staff took this many sats for the whole: it replaces what is due, and being in time no longer matters. */
  readonly settledSats: Sats | null;
  /** A refund of the whole order. */
  readonly refund: WholeRefundState | null;
  /** What went back of a surplus, or was written off: it is no surplus any more. */
  readonly returnedSats: Sats;
}

export interface PaymentInput {
  /** Every output that ever paid the order's address, in any order. */
  readonly outputs: readonly LedgerOutput[];
  /** The newest block applied to the ledger; null before the first. */
  readonly tip: { readonly height: number } | null;
  readonly quote: PaymentQuote;
  readonly order: PaymentFacts;
}

export interface PaymentEvaluation {
  readonly state: PaymentState;
  /** In the mempool or in the best chain. */
  readonly receivedSats: Sats;
  /** In the best chain, however deep. */
  readonly confirmedSats: Sats;
  /** Of the youngest output needed to reach what is due, 0 while one is unconfirmed. */
  readonly confirmations: number;
  /** What would still have to arrive: the whole rest, tolerance or not; 0 when what is live covers what is due. */
  readonly missingSats: Sats;
  /** By how much live outputs that cover what is due are short of it, within the tolerance; 0 otherwise. */
  readonly shortSats: Sats;
  /** What is deep enough beyond what is due and did not go back yet: to be offered back. */
  readonly surplusSats: Sats;
  /** Live outputs that count by themselves cover what is due: such an order does not expire. */
  readonly isCoveredInTime: boolean;
  /** Those of them that are in a block cover it: then the time without a confirmation is over. */
  readonly isConfirmedInTime: boolean;
  /** Live outputs first seen within the window cover what is due, whether or not they still count by themselves. */
  readonly isSeenInTime: boolean;
  /**
   * Outputs deep enough cover what is due, in time or not, and no credited coins lack confirmations: a late payment may
   * be accepted.
   */
  readonly isCoveredByFinal: boolean;
}

/** Confirmations of an output under a tip: 1 in the newest block, 0 outside the best chain. */
export function countConfirmations(
  output: Pick<LedgerOutput, 'height' | 'isLive'>,
  tip: { readonly height: number } | null,
): number {
  if (!output.isLive || output.height === null || tip === null) return 0;
  return Math.max(0, tip.height - output.height + 1);
}

/**
 * What has arrived for good: with so many confirmations, one at least, and of a miner's reward only what may be spent.
 */
export function sumFinalSats(
  outputs: readonly LedgerOutput[],
  tip: { readonly height: number } | null,
  requiredConfirmations: number,
): Sats {
  const deep = outputs.filter((output) => {
    const needed = Math.max(1, requiredConfirmations, output.isCoinbase ? COINBASE_MATURITY : 0);
    return countConfirmations(output, tip) >= needed;
  });
  return sumSats(deep.map(({ amountSats }) => amountSats));
}

interface Counted {
  readonly output: LedgerOutput;
  readonly confirmations: number;
}

/**
 * The outputs needed to reach an amount are taken from the deepest up, so their youngest is as old as it can be.
 * Answers the confirmations of that youngest; of the youngest of all while they do not reach the amount.
 */
function confirmationsOfNeeded(counted: readonly Counted[], due: Sats): number {
  let sum = 0n;
  let youngest: number | null = null;
  for (const { output, confirmations } of counted.toSorted((a, b) => b.confirmations - a.confirmations)) {
    if (sum >= due) break;
    sum += output.amountSats;
    youngest = confirmations;
  }
  return youngest ?? 0;
}

const sumOf = (counted: readonly Counted[]): Sats => sumSats(counted.map(({ output }) => output.amountSats));

/**
 * The output that left last; of several in one moment the one with the greatest outpoint, so that the answer is one. A
 * miner's reward that a reorganisation takes away leaves nothing behind: nobody sent it, and nobody can send it again.
 */
function findLastLeft(outputs: readonly LedgerOutput[]): LedgerOutput | null {
  let last: LedgerOutput | null = null;
  for (const output of outputs) {
    if (output.isLive || output.isCoinbase || output.leftAt === null) continue;
    if (last === null || last.leftAt === null) {
      last = output;
      continue;
    }
    const later = output.leftAt.getTime() - last.leftAt.getTime();
    const greater = output.txid === last.txid ? output.vout > last.vout : output.txid > last.txid;
    if (later > 0 || (later === 0 && greater)) last = output;
  }
  return last;
}

const isWithin = ({ expiresAt }: Pick<PaymentQuote, 'expiresAt'>, { firstSeen }: LedgerOutput): boolean =>
  firstSeen.getTime() <= expiresAt.getTime();

/** The least amount that counts as the whole of what is due. */
export const minAcceptedSats = ({ dueSats, toleranceSats }: Pick<PaymentQuote, 'dueSats' | 'toleranceSats'>): Sats =>
  subtractSats(dueSats, toleranceSats);

const holdsCredit = (counted: readonly Counted[], { sats, until }: PaymentCredit): boolean =>
  sumOf(counted.filter(({ output }) => !output.isCoinbase && output.firstSeen.getTime() <= until.getTime())) >= sats;

const paysWithout = (
  counted: readonly Counted[],
  { dueWithoutSats: dueSats }: PaymentCredit,
  { toleranceSats }: PaymentQuote,
): boolean => dueSats !== null && sumOf(counted) >= minAcceptedSats({ dueSats, toleranceSats });

/** The most confirmations that outputs have which together cover what is due firmly; 0 while none do. */
function confirmationsOfFirm(counted: readonly Counted[], covers: (some: readonly Counted[]) => boolean): number {
  const depths = counted.map(({ confirmations }) => confirmations).toSorted((a, b) => b - a);
  return depths.find((depth) => covers(counted.filter(({ confirmations }) => confirmations >= depth))) ?? 0;
}

/**
 * Which live outputs pay the order by themselves. While its window is open: those first seen in it. Once it expired:
 * none, its stock was given back. Once it was paid, or staff settled it: all, since nothing is waited for any more. Once
 * it was cancelled: none.
 */
function countsByItself(quote: PaymentQuote, order: PaymentFacts): (output: LedgerOutput) => boolean {
  if (order.cancelledAt !== null) return () => false;
  if (order.settledSats !== null) return () => true;
  if (order.paidAt !== null) return () => true;
  if (order.expiredAt !== null) return () => false;
  return (output) => isWithin(quote, output);
}

/**
 * What the chain says of an order's payment: a pure function of the ledger, the tip, the quote and what happened to the
 * order. The clock enters through `expiredAt`, which is written only while the chain source is up; so nothing expires by
 * being looked at. Amounts in sats. A coinbase output counts for nothing until it is 100 blocks deep.
 */
export function evaluatePayment({ outputs, tip, quote, order }: PaymentInput): PaymentEvaluation {
  const settled = order.cancelledAt === null ? order.settledSats : null;
  const due = settled ?? quote.dueSats;
  const needed = settled ?? minAcceptedSats(quote);
  const live = outputs
    .filter(({ isLive }) => isLive)
    .map((output) => ({ output, confirmations: countConfirmations(output, tip) }))
    .filter(({ output, confirmations }) => !output.isCoinbase || confirmations >= COINBASE_MATURITY);
  const isDeep = ({ confirmations }: Counted): boolean =>
    confirmations > 0 && confirmations >= quote.requiredConfirmations;
  const byItself = countsByItself(quote, order);
  const inTime = live.filter(({ output }) => byItself(output));

  const received = sumOf(live);
  const deep = sumFinalSats(outputs, tip, quote.requiredConfirmations);
  const surplus = subtractSats(subtractSats(deep, due), order.returnedSats);
  const isNothingDue = due === 0n && order.cancelledAt === null;
  const covers = (counted: readonly Counted[]): boolean =>
    isNothingDue || (counted.length > 0 && sumOf(counted) >= needed);
  // Who could spend the credited coins elsewhere after that would have paid the rest only.
  const credit = order.paidAt === null && settled === null ? (quote.credit ?? null) : null;
  const coversFirmly = (counted: readonly Counted[]): boolean =>
    covers(counted) && (credit === null || holdsCredit(counted, credit) || paysWithout(counted, credit, quote));
  // Credited coins that have left are awaited no longer: what is deep is then decided on without them.
  const isCreditAwaited = credit !== null && holdsCredit(live, credit) && !coversFirmly(live.filter(isDeep));
  const isCoveredInTime = covers(inTime);
  const isPaid = isCoveredInTime && coversFirmly(inTime.filter(isDeep));
  const confirmations = Math.min(
    confirmationsOfNeeded(isCoveredInTime ? inTime : live, needed),
    credit === null || !isCoveredInTime ? Infinity : confirmationsOfFirm(inTime, coversFirmly),
  );
  const isCovered = received >= needed;

  const state = (): PaymentState => {
    if (order.refund !== null) return order.refund;
    if (order.paidAt !== null && order.cancelledAt === null && !isPaid) return 'reorged_out';
    if (isPaid) return surplus > 0n ? 'overpaid' : 'paid';
    if (isCoveredInTime) return confirmations > 0 ? 'confirming' : 'seen';
    if (received > 0n && isCovered) return 'late';
    const counted = live.map(({ output }) => output);
    if (received > 0n && !isOnlyDust(counted, due)) return 'underpaid';
    if (order.expiredAt !== null) return 'expired';
    return findLastLeft(outputs)?.leftBecause ?? 'awaiting';
  };

  return {
    state: state(),
    receivedSats: received,
    confirmedSats: sumOf(live.filter((counted) => counted.confirmations > 0)),
    confirmations,
    missingSats: isCovered ? NO_SATS : subtractSats(due, received),
    shortSats: isCovered ? subtractSats(due, received) : NO_SATS,
    surplusSats: surplus,
    isCoveredInTime,
    isConfirmedInTime: coversFirmly(inTime.filter((counted) => counted.confirmations > 0)),
    isSeenInTime: covers(live.filter(({ output }) => isWithin(quote, output))),
    isCoveredByFinal: live.length > 0 && deep >= needed && !isCreditAwaited,
  };
}
