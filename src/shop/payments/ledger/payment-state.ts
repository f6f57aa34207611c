import { NO_SATS, sats, subtractSats, sumSats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import { toSendableSats } from './min-refund.ts';
import { isOnlyDust } from './dust.ts';

/** The payment states of PAY-09. `evaluatePayment` defines their priority, not this order. */
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

/** Why an unconfirmed output left the mempool: replaced by a conflict, or dropped. */
export type LeftBecause = 'replaced' | 'dropped';

/** An output in the ledger. */
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
   * If the exact arrival is unknown: after this moment and by `firstSeen`. Null or omitted if
   * exact.
   */
  readonly arrivedAfter?: Date | null;
  /** Time of its first block; null or omitted if it was never in one or the time was not stored. */
  readonly confirmedAt?: Date | null;
  /** Last known fee in sats per 1,000 virtual bytes; null or omitted if unknown. */
  readonly feePerKvb?: bigint | null;
  /** Height of a confirmed conflict; null or omitted if there is none. */
  readonly conflictHeight?: number | null;
  /** The credit of an exchange: it is in no transaction. Omitted: false. */
  readonly isCredit?: boolean;
}

/** Confirmations after which a mining reward is spendable; it does not count before. */
export const COINBASE_MATURITY = 100;

/** Payments received before the quote, credited at the rate of their time while they stay live. */
export interface PaymentCredit {
  readonly sats: Sats;
  /** Outputs first seen up to this moment are credited. */
  readonly until: Date;
  /** Amount due without the credit; null if the credit covers everything. */
  readonly dueWithoutSats: Sats | null;
}

/** The quote that the payment is compared with. */
interface PaymentQuote {
  readonly dueSats: Sats;
  /** Null or omitted without a credit. */
  readonly credit?: PaymentCredit | null;
  /** Tolerance: how far an accepted amount may be below the amount due. */
  readonly toleranceSats: Sats;
  /** Where the buyer pays. */
  readonly address: string;
  readonly requiredConfirmations: number;
  /** Outputs first seen up to and including this moment are in time. */
  readonly expiresAt: Date;
}

/**
 * How far the money at the address covers the order.
 * - nothing: at most dust is live.
 * - left: the same, because the last payment was replaced or dropped.
 * - part: less than the amount due is live.
 * - confirming: outputs in time cover the amount due, and lack confirmations.
 * - late: live outputs cover it, but count only once they are accepted.
 * - paid, surplus: final outputs cover it, exactly or with a rest.
 * - reorged: it was paid, and its outputs lost their confirmations.
 * - refund, write-off: of the whole order.
 */
type Coverage =
  | 'nothing'
  | 'left'
  | 'part'
  | 'confirming'
  | 'late'
  | 'paid'
  | 'surplus'
  | 'reorged'
  | 'refund'
  | 'write-off';

interface StateFacts {
  readonly coverage: Coverage;
  /** An open order asks for the missing amount. */
  readonly asksForMoney: boolean;
  /** The payment status of the order says the same, so that lists leave the state out. */
  readonly isImpliedByStatus: boolean;
}

/**
 * What the shop asks about a state. Code asks these facts instead of comparing names; it names a
 * state only where a text or an event is about no other one.
 */
const FACTS = {
  awaiting: { coverage: 'nothing', asksForMoney: true, isImpliedByStatus: false },
  seen: { coverage: 'confirming', asksForMoney: false, isImpliedByStatus: false },
  confirming: { coverage: 'confirming', asksForMoney: false, isImpliedByStatus: false },
  underpaid: { coverage: 'part', asksForMoney: true, isImpliedByStatus: false },
  paid: { coverage: 'paid', asksForMoney: false, isImpliedByStatus: true },
  overpaid: { coverage: 'surplus', asksForMoney: false, isImpliedByStatus: false },
  late: { coverage: 'late', asksForMoney: false, isImpliedByStatus: false },
  expired: { coverage: 'nothing', asksForMoney: false, isImpliedByStatus: true },
  replaced: { coverage: 'left', asksForMoney: true, isImpliedByStatus: false },
  dropped: { coverage: 'left', asksForMoney: true, isImpliedByStatus: false },
  reorged_out: { coverage: 'reorged', asksForMoney: false, isImpliedByStatus: false },
  refunding: { coverage: 'refund', asksForMoney: false, isImpliedByStatus: false },
  refunded: { coverage: 'refund', asksForMoney: false, isImpliedByStatus: true },
  written_off: { coverage: 'write-off', asksForMoney: false, isImpliedByStatus: false },
} as const satisfies Readonly<Record<PaymentState, StateFacts>>;

/** Refund of the whole order. Written off means unclaimed; it is refunded once claimed. */
export type WholeRefundState = {
  [State in PaymentState]: (typeof FACTS)[State]['coverage'] extends 'refund' | 'write-off' ? State : never;
}[PaymentState];

const isCoveredAs =
  (...some: readonly Coverage[]) =>
  (state: PaymentState | null): boolean =>
    state !== null && some.includes(FACTS[state].coverage);

/** Whether a state is one of a refund or write-off of the whole order. */
export const isWholeRefund = (state: PaymentState | null): state is WholeRefundState =>
  isCoveredAs('refund', 'write-off')(state);

export const isOfRefund = isCoveredAs('refund');
export const isPaidState = isCoveredAs('paid', 'surplus');
export const hasSurplus = isCoveredAs('surplus');
export const isLateState = isCoveredAs('late');
export const isPartState = isCoveredAs('part');
export const isLeftState = isCoveredAs('left');
export const isConfirmingState = isCoveredAs('confirming');
export const isReorgedState = isCoveredAs('reorged');
export const hasOnlyDust = isCoveredAs('nothing', 'left');
/** Whether more than dust is live that does not pay the order. */
export const hasUncountedMoney = isCoveredAs('part', 'late');

export const asksForMoney = (state: PaymentState): boolean => FACTS[state].asksForMoney;
export const isImpliedByStatus = (state: PaymentState): boolean => FACTS[state].isImpliedByStatus;

/** Facts about the order that are not on the chain. */
export interface PaymentFacts {
  /** When it was first paid; stays set after a reorganization. */
  readonly paidAt: Date | null;
  readonly expiredAt: Date | null;
  readonly cancelledAt: Date | null;
  /**
   * Amount that staff accepted as paid. It replaces the amount due, and the payment window no
   * longer matters.
   */
  readonly settledSats: Sats | null;
  /** A refund of the whole order. */
  readonly refund: WholeRefundState | null;
  /** Refunded or written-off part of the surplus. */
  readonly returnedSats: Sats;
}

export interface PaymentInput {
  /** All outputs that ever paid the order's address, in any order. */
  readonly outputs: readonly LedgerOutput[];
  /** The newest block in the ledger; null before the first. */
  readonly tip: { readonly height: number } | null;
  readonly quote: PaymentQuote;
  readonly order: PaymentFacts;
}

export interface PaymentEvaluation {
  readonly state: PaymentState;
  /** In the mempool or in the best chain. */
  readonly receivedSats: Sats;
  /** In the best chain, at any depth. */
  readonly confirmedSats: Sats;
  /** Confirmations of the newest output needed to cover the amount due; 0 if one is unconfirmed. */
  readonly confirmations: number;
  /** What the buyer is asked for, without tolerance: at least the dust limit; 0 if the live outputs are enough. */
  readonly missingSats: Sats;
  /**
   * How far sufficient live outputs are below the amount due, within the tolerance; otherwise 0.
   */
  readonly shortSats: Sats;
  /** Final amount above the amount due, not yet refunded. */
  readonly surplusSats: Sats;
  /** Eligible live outputs cover the amount due, so the order does not expire. */
  readonly isCoveredInTime: boolean;
  /** The confirmed eligible outputs cover it, so the unconfirmed limit does not apply. */
  readonly isConfirmedInTime: boolean;
  /** Live outputs first seen within the window cover the amount due, eligible or not. */
  readonly isSeenInTime: boolean;
  /**
   * Final outputs cover the amount due, in time or not, and no credited payment lacks
   * confirmations: a late payment may be accepted.
   */
  readonly isCoveredByFinal: boolean;
}

/** Confirmations of an output: 1 in the newest block, 0 outside the best chain. */
export function countConfirmations(
  output: Pick<LedgerOutput, 'height' | 'isLive'>,
  tip: { readonly height: number } | null,
): number {
  if (!output.isLive || output.height === null || tip === null) return 0;
  return Math.max(0, tip.height - output.height + 1);
}

/** Sum of final outputs: with at least the required confirmations, and mature if coinbase. */
export function sumFinalSats(
  outputs: readonly LedgerOutput[],
  tip: { readonly height: number } | null,
  requiredConfirmations: number,
): Sats {
  const finalOutputs = outputs.filter((output) => {
    const needed = Math.max(1, requiredConfirmations, output.isCoinbase ? COINBASE_MATURITY : 0);
    return countConfirmations(output, tip) >= needed;
  });
  return sumSats(finalOutputs.map(({ amountSats }) => amountSats));
}

interface Counted {
  readonly output: LedgerOutput;
  readonly confirmations: number;
}

/**
 * Confirmations of the newest output among the deepest ones that reach the amount; of the newest of
 * all if they do not reach it.
 */
function countConfirmationsOfNeeded(counted: readonly Counted[], due: Sats): number {
  let sum = 0n;
  let youngest: number | null = null;
  for (const { output, confirmations } of counted.toSorted((a, b) => b.confirmations - a.confirmations)) {
    if (sum >= due) break;
    sum += output.amountSats;
    youngest = confirmations;
  }
  return youngest ?? 0;
}

const sumOutputs = (counted: readonly Counted[]): Sats => sumSats(counted.map(({ output }) => output.amountSats));

/**
 * The output that left last; ties are broken by the greatest outpoint. Ignores coinbase outputs,
 * which cannot be sent again.
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

/** Minimum amount that counts as full payment. */
export const computeMinAcceptedSats = ({
  dueSats,
  toleranceSats,
}: Pick<PaymentQuote, 'dueSats' | 'toleranceSats'>): Sats => subtractSats(dueSats, toleranceSats);

const isCreditHeld = (counted: readonly Counted[], { sats: creditSats, until }: PaymentCredit): boolean =>
  sumOutputs(counted.filter(({ output }) => !output.isCoinbase && output.firstSeen.getTime() <= until.getTime())) >=
  creditSats;

const isPaidWithout = (
  counted: readonly Counted[],
  { dueWithoutSats: dueSats }: PaymentCredit,
  { toleranceSats }: PaymentQuote,
): boolean => dueSats !== null && sumOutputs(counted) >= computeMinAcceptedSats({ dueSats, toleranceSats });

/** The most confirmations at which outputs firmly cover the amount due; 0 if they never do. */
function countConfirmationsOfFirm(
  counted: readonly Counted[],
  isDueCovered: (some: readonly Counted[]) => boolean,
): number {
  const depths = counted.map(({ confirmations }) => confirmations).toSorted((a, b) => b - a);
  return depths.find((depth) => isDueCovered(counted.filter(({ confirmations }) => confirmations >= depth))) ?? 0;
}

/**
 * Eligible live outputs: those in time while the window is open, all once paid or accepted as paid,
 * and none once expired or cancelled.
 */
function selectEligible(quote: PaymentQuote, order: PaymentFacts): (output: LedgerOutput) => boolean {
  if (order.cancelledAt !== null) return () => false;
  if (order.settledSats !== null) return () => true;
  if (order.paidAt !== null) return () => true;
  if (order.expiredAt !== null) return () => false;
  return (output) => isWithin(quote, output);
}

/**
 * Derives the payment state from the ledger, the tip, the quote and the order's facts. Pure: time
 * enters only through `expiredAt`, which is set only while the chain source is up. Coinbase outputs
 * count once mature.
 */
export function evaluatePayment({ outputs, tip, quote, order }: PaymentInput): PaymentEvaluation {
  const accepted = order.cancelledAt === null ? order.settledSats : null;
  const due = accepted ?? quote.dueSats;
  const needed = accepted ?? computeMinAcceptedSats(quote);
  const live = outputs
    .filter(({ isLive }) => isLive)
    .map((output) => ({ output, confirmations: countConfirmations(output, tip) }))
    .filter(({ output, confirmations }) => !output.isCoinbase || confirmations >= COINBASE_MATURITY);
  const isDeep = ({ confirmations }: Counted): boolean =>
    confirmations > 0 && confirmations >= quote.requiredConfirmations;
  const isCounted = selectEligible(quote, order);
  const inTime = live.filter(({ output }) => isCounted(output));

  const received = sumOutputs(live);
  const finalOutputs = sumFinalSats(outputs, tip, quote.requiredConfirmations);
  const surplus = subtractSats(subtractSats(finalOutputs, due), order.returnedSats);
  const isNothingDue = due === 0n && order.cancelledAt === null;
  const isDueCovered = (counted: readonly Counted[]): boolean =>
    isNothingDue || (counted.length > 0 && sumOutputs(counted) >= needed);
  // A double spend of the credited coins would otherwise pay the order with the rest only.
  const credit = order.paidAt === null && accepted === null ? (quote.credit ?? null) : null;
  const isDueCoveredFirmly = (counted: readonly Counted[]): boolean =>
    isDueCovered(counted) &&
    (credit === null || isCreditHeld(counted, credit) || isPaidWithout(counted, credit, quote));
  // A credit that left is ignored, so the final outputs decide.
  const isCreditAwaited = credit !== null && isCreditHeld(live, credit) && !isDueCoveredFirmly(live.filter(isDeep));
  const isCoveredInTime = isDueCovered(inTime);
  const isPaid = isCoveredInTime && isDueCoveredFirmly(inTime.filter(isDeep));
  const confirmations = Math.min(
    countConfirmationsOfNeeded(isCoveredInTime ? inTime : live, needed),
    credit === null || !isCoveredInTime ? Infinity : countConfirmationsOfFirm(inTime, isDueCoveredFirmly),
  );
  const isCovered = received >= needed;

  const computeState = (): PaymentState => {
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
    state: computeState(),
    receivedSats: received,
    confirmedSats: sumOutputs(live.filter((counted) => counted.confirmations > 0)),
    confirmations,
    missingSats: isCovered ? NO_SATS : sats(toSendableSats(subtractSats(due, received), quote.address)),
    shortSats: isCovered ? subtractSats(due, received) : NO_SATS,
    surplusSats: surplus,
    isCoveredInTime,
    isConfirmedInTime: isDueCoveredFirmly(inTime.filter((counted) => counted.confirmations > 0)),
    isSeenInTime: isDueCovered(live.filter(({ output }) => isWithin(quote, output))),
    isCoveredByFinal: live.length > 0 && finalOutputs >= needed && !isCreditAwaited,
  };
}
