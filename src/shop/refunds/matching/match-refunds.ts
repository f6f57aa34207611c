import { countConfirmations } from '#src/shop/payments/ledger/payment-state.ts';
import type { Sats } from '#src/shop/money.ts';
import type { OrderEventKind, RefundState } from '#src/shop/orders/kinds.ts';

/** A refund to one script, as the chain can tell what became of it. */
export interface RefundToMatch {
  readonly id: string;
  readonly amountSats: Sats;
  readonly madeAt: Date;
  readonly withdrawnAt: Date | null;
  /** Of the transaction that was planned for it; it may be sent by another one. */
  readonly plannedTxid: string | null;
  /** What that transaction spends, `txid:vout` each: with a higher fee, another one spends the same. */
  readonly plannedOutpoints: readonly string[];
  /** As many as its order asks. */
  readonly requiredConfirmations: number;
  readonly state: RefundState;
  readonly txid: string | null;
  /** Null with a txid: staff's word, which no chain changes. */
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
  /** What its transaction spends, `txid:vout` each. */
  readonly spends: readonly string[];
}

/** What a refund is by the chain. */
export interface MatchedState {
  readonly state: RefundState;
  readonly txid: string | null;
  readonly vout: number | null;
}

/** So far may the time that a miner states for a block be behind (BIP113); it counts for what no mempool showed before. */
const MAX_BLOCK_TIME_LAG_MS = 2 * 3600 * 1000;

/** A source states times of arrival in whole seconds, and its clock is compared with the shop's to about a second. */
const SOURCE_CLOCK_TOLERANCE_MS = 2000;

const isRecorded = ({ txid, vout }: RefundToMatch): boolean => txid !== null && vout === null;

const byAge = (a: RefundToMatch, b: RefundToMatch): number =>
  a.madeAt.getTime() - b.madeAt.getTime() || (a.id < b.id ? -1 : 1);

const byFirstSeen = (a: RefundOutput, b: RefundOutput): number =>
  a.firstSeen.getTime() - b.firstSeen.getTime() || a.txid.localeCompare(b.txid) || a.vout - b.vout;

type Fits = (refund: RefundToMatch, output: RefundOutput) => boolean;

const isSeenSince: Fits = ({ madeAt }, { firstSeen }) =>
  firstSeen.getTime() >= madeAt.getTime() - SOURCE_CLOCK_TOLERANCE_MS;
const isMinedSince: Fits = ({ madeAt }, { firstSeen, height }) =>
  height !== null && firstSeen.getTime() >= madeAt.getTime() - MAX_BLOCK_TIME_LAG_MS;

const isPlanned: Fits = ({ plannedTxid }, { txid }) => txid === plannedTxid;
const spendsPlanned: Fits = ({ plannedOutpoints }, { spends }) =>
  plannedOutpoints.some((outpoint) => spends.includes(outpoint));
const isWaiting = ({ withdrawnAt }: RefundToMatch): boolean => withdrawnAt === null;

/**
 * In turn, each for what the ones before have left: the transaction that was planned comes before any other, then one of
 * the same coins, whose fee was raised. Of the same coins at the same fee the same is planned again, so one that was given
 * up lets the next one have it.
 */
const MATCH_RULES: readonly Fits[] = [
  (refund, output) => isWaiting(refund) && isPlanned(refund, output),
  isPlanned,
  (refund, output) => isWaiting(refund) && spendsPlanned(refund, output),
  spendsPlanned,
  (refund, output) => isWaiting(refund) && isSeenSince(refund, output),
  isSeenSince,
  (refund, output) => isWaiting(refund) && isMinedSince(refund, output),
];

function assign(
  refunds: readonly RefundToMatch[],
  outputs: readonly RefundOutput[],
): ReadonlyMap<string, RefundOutput> {
  const free = outputs.filter(({ isLive }) => isLive).toSorted(byFirstSeen);
  const take = (isWanted: (output: RefundOutput) => boolean): RefundOutput | null => {
    const index = free.findIndex(isWanted);
    return index === -1 ? null : (free.splice(index, 1)[0] ?? null);
  };
  // What staff have said of a transaction is used up by it.
  for (const { txid, amountSats } of refunds.filter(isRecorded)) {
    take((output) => output.txid === txid && output.amountSats === amountSats);
  }
  const waiting = refunds.filter((refund) => !isRecorded(refund)).toSorted(byAge);
  const assigned = new Map<string, RefundOutput>();
  for (const fits of MATCH_RULES) {
    for (const refund of waiting) {
      if (assigned.has(refund.id)) continue;
      const found = take((output) => output.amountSats === refund.amountSats && fits(refund, output));
      if (found !== null) assigned.set(refund.id, found);
    }
  }
  return assigned;
}

/**
 * Which output of the ledger pays which refund of a script, and what each refund is by that. A pure function of the
 * ledger: the oldest refund first, outputs as they were first seen, each output once and for exactly its amount; one that
 * left is free again. A refund that was given up comes last, and is paid all the same.
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

/** What a change is called in the timeline; null when nothing worth a line has changed. */
export function findMatchEvent(before: MatchedState, after: MatchedState): RefundEventKind | null {
  if (after.txid === null) return before.txid === null ? null : 'refund_left';
  if (after.state === 'confirmed') return before.state === 'confirmed' ? null : 'refund_confirmed';
  if (before.state === 'confirmed') return 'refund_unconfirmed';
  return before.txid === after.txid ? null : 'refund_sent';
}
