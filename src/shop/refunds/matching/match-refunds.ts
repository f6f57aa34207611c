import { countConfirmations } from '#src/shop/payments/ledger/payment-state.ts';
import type { Sats } from '#src/shop/money.ts';
import type { RefundState } from '#src/shop/orders/kinds.ts';
import type { OrderEventKind } from '#src/shop/orders/order-events.ts';

/** A refund to one script, before matching. */
export interface RefundToMatch {
  readonly id: string;
  readonly amountSats: Sats;
  readonly madeAt: Date;
  readonly withdrawnAt: Date | null;
  /** Id of the planned transaction. Another transaction may pay the refund instead. */
  readonly plannedTxid: string | null;
  /** Outpoints that the planned transaction spends, `txid:vout`. A fee bump spends the same. */
  readonly plannedOutpoints: readonly string[];
  /** Required confirmations of the order. */
  readonly requiredConfirmations: number;
  readonly state: RefundState;
  readonly txid: string | null;
  /** Null with a txid: recorded by staff, and not changed by the chain. */
  readonly vout: number | null;
}

/** An output that pays the script. */
export interface RefundOutput {
  readonly txid: string;
  readonly vout: number;
  readonly amountSats: Sats;
  readonly isLive: boolean;
  readonly height: number | null;
  readonly firstSeen: Date;
  /** Outpoints that its transaction spends, `txid:vout`. */
  readonly spends: readonly string[];
}

/** The state of a refund according to the ledger. */
export interface MatchedState {
  readonly state: RefundState;
  readonly txid: string | null;
  readonly vout: number | null;
}

/**
 * Block times may lag by two hours (BIP113). Applies to outputs that were never seen in a mempool.
 */
const MAX_BLOCK_TIME_LAG_MS = 2 * 3600 * 1000;

/** Sources report arrival in whole seconds, with a clock about a second off. */
const SOURCE_CLOCK_TOLERANCE_MS = 2000;

const isRecorded = ({ txid, vout }: RefundToMatch): boolean => txid !== null && vout === null;

const compareByAge = (a: RefundToMatch, b: RefundToMatch): number =>
  a.madeAt.getTime() - b.madeAt.getTime() || (a.id < b.id ? -1 : 1);

const compareByFirstSeen = (a: RefundOutput, b: RefundOutput): number =>
  a.firstSeen.getTime() - b.firstSeen.getTime() || a.txid.localeCompare(b.txid) || a.vout - b.vout;

type MatchRule = (refund: RefundToMatch, output: RefundOutput) => boolean;

const isSeenSince: MatchRule = ({ madeAt }, { firstSeen }) =>
  firstSeen.getTime() >= madeAt.getTime() - SOURCE_CLOCK_TOLERANCE_MS;
const isMinedSince: MatchRule = ({ madeAt }, { firstSeen, height }) =>
  height !== null && firstSeen.getTime() >= madeAt.getTime() - MAX_BLOCK_TIME_LAG_MS;

const isPlanned: MatchRule = ({ plannedTxid }, { txid }) => txid === plannedTxid;
const isSpendingPlanned: MatchRule = ({ plannedOutpoints }, { spends }) =>
  plannedOutpoints.some((outpoint) => spends.includes(outpoint));
const isOpen = ({ withdrawnAt }: RefundToMatch): boolean => withdrawnAt === null;

/**
 * Tried in this order: the planned transaction first, then a fee bump of it, then any other
 * payment. An open refund precedes a withdrawn one, since the same coins at the same fee give the
 * same transaction.
 */
const MATCH_RULES: readonly MatchRule[] = [
  (refund, output) => isOpen(refund) && isPlanned(refund, output),
  isPlanned,
  (refund, output) => isOpen(refund) && isSpendingPlanned(refund, output),
  isSpendingPlanned,
  (refund, output) => isOpen(refund) && isSeenSince(refund, output),
  isSeenSince,
  (refund, output) => isOpen(refund) && isMinedSince(refund, output),
];

function assign(
  refunds: readonly RefundToMatch[],
  outputs: readonly RefundOutput[],
): ReadonlyMap<string, RefundOutput> {
  const free = outputs.filter(({ isLive }) => isLive).toSorted(compareByFirstSeen);
  const take = (isWanted: (output: RefundOutput) => boolean): RefundOutput | null => {
    const index = free.findIndex(isWanted);
    return index === -1 ? null : (free.splice(index, 1)[0] ?? null);
  };
  // A transaction recorded by staff uses up its output.
  for (const { txid, amountSats } of refunds.filter(isRecorded)) {
    take((output) => output.txid === txid && output.amountSats === amountSats);
  }
  const unrecorded = refunds.filter((refund) => !isRecorded(refund)).toSorted(compareByAge);
  const assigned = new Map<string, RefundOutput>();
  for (const fits of MATCH_RULES) {
    for (const refund of unrecorded) {
      if (assigned.has(refund.id)) continue;
      const output = take((one) => one.amountSats === refund.amountSats && fits(refund, one));
      if (output !== null) assigned.set(refund.id, output);
    }
  }
  return assigned;
}

/**
 * Assigns outputs to the refunds of one script. Pure function of the ledger: oldest refund first,
 * outputs by first seen, each output once and for its exact amount. Withdrawn refunds come last but
 * can still be paid.
 */
export function matchRefunds(
  refunds: readonly RefundToMatch[],
  outputs: readonly RefundOutput[],
  tip: { readonly height: number } | null,
): ReadonlyMap<string, MatchedState> {
  const assigned = assign(refunds, outputs);
  return new Map(
    refunds.map((refund) => {
      const { id, requiredConfirmations, state, txid, vout, withdrawnAt } = refund;
      if (isRecorded(refund)) return [id, { state, txid, vout }];
      const output = assigned.get(id);
      if (output === undefined) {
        return [id, { state: withdrawnAt === null ? 'made' : 'withdrawn', txid: null, vout: null }];
      }
      const isDeep = countConfirmations(output, tip) >= Math.max(1, requiredConfirmations);
      return [id, { state: isDeep ? 'confirmed' : 'sent', txid: output.txid, vout: output.vout }];
    }),
  );
}

export type RefundEventKind = Extract<
  OrderEventKind,
  'refund_sent' | 'refund_confirmed' | 'refund_unconfirmed' | 'refund_left'
>;

/** The order event of a change; null if nothing relevant changed. */
export function findMatchEvent(before: MatchedState, after: MatchedState): RefundEventKind | null {
  if (after.txid === null) return before.txid === null ? null : 'refund_left';
  if (after.state === 'confirmed') return before.state === 'confirmed' ? null : 'refund_confirmed';
  if (before.state === 'confirmed') return 'refund_unconfirmed';
  return before.txid === after.txid ? null : 'refund_sent';
}
