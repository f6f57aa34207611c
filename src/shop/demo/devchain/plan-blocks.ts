import { revalidateAfterReorg } from './accept-transaction.ts';
import { buildBlock } from './build-block.ts';
import type { ChainChange, ChainState, MempoolEntry } from './chain-state.ts';
import { MAX_BLOCK_WEIGHT } from './regtest-rules.ts';
import type { StoredBlock } from './stored-block.ts';

interface MiningOptions {
  /** Script that receives subsidy and fees. */
  readonly payTo: Uint8Array;
  /**
   * Preferred time of the block at a height, in seconds. Moved later where the rules require it.
   */
  readonly getTimeAt: (height: number) => number;
}

/** Reserve for header and coinbase. */
const RESERVED_WEIGHT = 4000;

/** The newest block times, to which planned blocks are added. */
class BlockTimes {
  readonly #times: number[] = [];

  constructor(state: ChainState, height: number) {
    for (let at = Math.max(0, height - 10); at <= height; at += 1) this.#times.push(state.findBlockAt(at)?.time ?? 0);
  }

  get median(): number {
    const newest = this.#times.slice(-11).toSorted((a, b) => a - b);
    return newest[Math.floor(newest.length / 2)] ?? 0;
  }

  /** A block must be later than the median of the 11 before it. */
  addNext(wanted: number): number {
    const time = Math.max(wanted, this.median + 1);
    this.#times.push(time);
    return time;
  }
}

/** As many transactions from the front as fit. Parents precede their children. */
function takeWhatFits(queue: MempoolEntry[]): MempoolEntry[] {
  let weight = RESERVED_WEIGHT;
  const tooMany = queue.findIndex(({ transaction }) => (weight += transaction.weight) > MAX_BLOCK_WEIGHT);
  return queue.splice(0, tooMany === -1 ? queue.length : tooMany);
}

function buildOn(
  base: StoredBlock,
  times: BlockTimes,
  entries: readonly MempoolEntry[],
  { payTo, getTimeAt }: MiningOptions,
): StoredBlock {
  const height = base.height + 1;
  return buildBlock({
    height,
    prevHash: base.hash,
    time: times.addNext(getTimeAt(height)),
    payTo,
    transactions: entries.map(({ transaction }) => transaction),
    feesSats: entries.reduce((sum, { feeSats }) => sum + feeSats, 0n),
  });
}

/** New blocks on the tip, filled from the mempool. */
export function planBlocks(state: ChainState, options: MiningOptions & { readonly count: number }): ChainChange {
  const times = new BlockTimes(state, state.tip.height);
  const queue = [...state.mempool.values()];
  const connect: StoredBlock[] = [];
  for (let base = state.tip; connect.length < options.count;) {
    base = buildOn(base, times, takeWhatFits(queue), options);
    connect.push(base);
  }
  return { forkHeight: state.tip.height, connect, drop: [], add: [] };
}

/** Replaces `depth` blocks by `depth + 1` empty ones. */
export function planReorg(state: ChainState, options: MiningOptions & { readonly depth: number }): ChainChange {
  const forkHeight = state.tip.height - options.depth;
  const fork = state.findBlockAt(forkHeight);
  if (fork === undefined) throw new RangeError('a reorganisation below the genesis block');
  const times = new BlockTimes(state, forkHeight);
  const connect: StoredBlock[] = [];
  for (let base = fork; connect.length <= options.depth;) {
    base = buildOn(base, times, [], options);
    connect.push(base);
  }
  const add = revalidateAfterReorg(state, forkHeight, { nextHeight: state.tip.height + 2, medianTime: times.median });
  return { forkHeight, connect, drop: [...state.mempool.keys()].toReversed(), add };
}
