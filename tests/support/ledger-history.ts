/** Plays one random history of a chain to the real walk and the real rules, and compares with what is true. */
import { sats } from '#src/shop/money.ts';
import { ChainWalk } from '#src/shop/payments/chain-walk.ts';
import type { BlockSource } from '#src/shop/payments/block-source.ts';
import { changeChain, NETWORK_KINDS } from './change-chain.ts';
import type { NetworkKind } from './change-chain.ts';
import { ChainOracle } from './chain-oracle.ts';
import { Crash, MemoryLedger } from './memory-ledger.ts';
import type { PlantedBug, StoredOrder, StoredRow } from './memory-ledger.ts';
import { GENESIS, SimulatedChain } from './simulated-chain.ts';

export interface Step {
  readonly kind: StepKind;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

const SHOP_KINDS = ['pass', 'userPaid', 'cancel', 'requote', 'issue', 'restart'] as const;
const FAULT_KINDS = ['crash', 'crashAndGoOn', 'sourceFails', 'changeInBetween', 'twoWatchers'] as const;
export type StepKind = NetworkKind | (typeof SHOP_KINDS)[number] | (typeof FAULT_KINDS)[number];

/** Full payments, blocks, deep reorganisations and crashes come up most. */
const OFTEN: readonly StepKind[] = [
  'pay',
  'pay',
  'pay',
  'topUp',
  'mine',
  'mine',
  'mine',
  'reorganise',
  'reorganise',
  'time',
  'crash',
];
export const QUIET_KINDS: readonly StepKind[] = [...NETWORK_KINDS, ...SHOP_KINDS, ...OFTEN].filter(
  (kind) => kind !== 'crash',
);
export const STEP_KINDS: readonly StepKind[] = [...NETWORK_KINDS, ...SHOP_KINDS, ...FAULT_KINDS, ...OFTEN];

/** Another store that lives through the same history. */
export interface Companion {
  issued(order: StoredOrder): Promise<void>;
  passed(chain: SimulatedChain, rows: readonly StoredRow[]): Promise<void>;
}

export type Tally = Map<string, number>;

const START = Date.parse('2030-01-01T00:00:00Z');
const WINDOW_MS = 7200_000;
const DUE = [900_000n, 100_000n, 250_000_000n, 12_300n] as const;
const CONFIRMATIONS = [1, 3, 6, 2] as const;

class SourceDown extends Error {}

const pick = <T>(list: readonly T[], index: number): T | undefined => list[index % list.length];

export class LedgerHistory {
  readonly #chain = new SimulatedChain(START);
  readonly #ledger: MemoryLedger;
  readonly #oracle: ChainOracle;
  readonly #tally: Tally;
  readonly #bug: PlantedBug | null;
  readonly #clock = { now: (): Date => new Date(this.#chain.now) };
  #walk: ChainWalk<MemoryLedger['state']>;
  #beforeCall: () => void | Promise<void> = () => {};

  readonly #companion: Companion | null;
  readonly #unannounced: StoredOrder[] = [];

  constructor(bug: PlantedBug | null, tally: Tally, companion: Companion | null = null) {
    this.#companion = companion;
    this.#bug = bug;
    this.#tally = tally;
    this.#ledger = new MemoryLedger(bug);
    this.#oracle = new ChainOracle(this.#chain, this.#ledger);
    this.#walk = this.#newWalk();
    for (let index = 0; index < 3; index += 1) this.#issue();
    // Old enough a chain to be reorganised six deep.
    for (let height = 1; height <= 8; height += 1) this.#chain.mine(() => false, [], START);
  }

  async play(steps: readonly Step[]): Promise<void> {
    await this.#pass();
    for (const step of steps) await this.#step(step);
    // What is left in the open comes to an end: the state after it is compared like every other.
    await this.#pass();
    this.#chain.mine(() => true, [], this.#chain.now);
    await this.#pass();
    for (const { kind } of this.#ledger.state.events) this.#count(kind);
  }

  #count(kind: string): void {
    this.#tally.set(kind, (this.#tally.get(kind) ?? 0) + 1);
  }

  #newWalk(): ChainWalk<MemoryLedger['state']> {
    const source = this.#chain.source(() => this.#beforeCall());
    return new ChainWalk({
      source: this.#bug === 'tip not asked again after the mempool' ? withoutSecondLook(source) : source,
      store: this.#ledger,
      reader: this.#chain.reader,
      clock: this.#clock,
      network: { name: 'regtest', genesisHash: GENESIS },
      waitingPayees: async () => [],
      longestSilenceMs: null,
      onChanged: async (state, payeeIds, now) => {
        this.#ledger.settle(state, payeeIds, now);
        this.#oracle.checkPaid(state);
      },
      onReconciled: async (now) => {
        await this.#ledger.transaction(async (_, state) => this.#ledger.expireDue(state, now));
      },
    });
  }

  #issue(): void {
    const index = this.#ledger.state.orders.size;
    const order: StoredOrder = {
      id: `00000000-0000-4000-8000-00000000000${index}`,
      script: `aa0${index}`,
      dueSats: sats(DUE[index] ?? 100n),
      requiredConfirmations: CONFIRMATIONS[index] ?? 1,
      expiresAt: new Date(this.#chain.now + WINDOW_MS),
      isLateAcceptable: index !== 1,
      paymentStatus: 'pending',
      isOpen: true,
      paidAt: null,
      expiredAt: null,
      cancelledAt: null,
      recordedState: null,
      recordedReceivedSats: sats(0n),
    };
    this.#ledger.state.orders.set(order.id, order);
    this.#oracle.add(order);
    this.#unannounced.push(order);
  }

  /** A pass that nothing disturbs; the ledger then is what the chain says. */
  async #pass(): Promise<void> {
    await this.#walk.pass();
    this.#oracle.compare();
    if (this.#companion === null) return;
    for (const order of this.#unannounced.splice(0)) await this.#companion.issued(order);
    await this.#companion.passed(this.#chain, [...this.#ledger.state.rows.values()]);
  }

  async #disturbed(expected: new () => Error): Promise<boolean> {
    try {
      await this.#walk.pass();
      return false;
    } catch (error) {
      if (!(error instanceof expected)) throw error;
      if (this.#bug === 'expiry while the source is down' && error instanceof SourceDown) {
        this.#ledger.expireDue(this.#ledger.state, this.#clock.now());
      }
      return true;
    } finally {
      this.#ledger.crashes = () => false;
      this.#beforeCall = () => {};
    }
  }

  #crashAt(a: number): void {
    let left = a % 8;
    this.#ledger.crashes = () => (left -= 1) < 0;
  }

  async #step(step: Step): Promise<void> {
    const { kind, a, b, c } = step;
    this.#chain.now += 1;
    switch (kind) {
      case 'pass':
        return this.#pass();
      case 'issue':
        if (this.#ledger.state.orders.size < DUE.length) this.#issue();
        return;
      case 'userPaid':
        return this.#oracle.sayPaid(a);
      case 'cancel':
        return this.#oracle.cancel(a);
      case 'requote':
        if (this.#oracle.requote(a, WINDOW_MS) && c % 2 > 0) await this.#pass();
        return;
      case 'restart':
        this.#walk = this.#newWalk();
        return this.#pass();
      case 'crash': {
        this.#crashAt(a);
        if (await this.#disturbed(Crash)) this.#count('crash');
        this.#walk = this.#newWalk();
        return this.#pass();
      }
      case 'crashAndGoOn': {
        this.#crashAt(a);
        if (await this.#disturbed(Crash)) this.#count('crash');
        if (b % 2 === 0) this.#walk = this.#newWalk();
        return this.#oracle.adopt();
      }
      case 'sourceFails': {
        let left = a % 12;
        this.#beforeCall = () => {
          if ((left -= 1) < 0) throw new SourceDown();
        };
        const isDown = await this.#disturbed(SourceDown);
        if (isDown) this.#count('source down');
        return this.#oracle.adopt(!isDown);
      }
      case 'changeInBetween': {
        const before = this.#oracle.liveRows();
        let left = a % 12;
        this.#beforeCall = () => {
          if ((left -= 1) !== -1) return;
          const change = pick(['mine', 'reorganise', 'issueAndPay'] as const, b) ?? 'mine';
          if (change !== 'issueAndPay') return this.#change(change, a, b, c);
          if (this.#ledger.state.orders.size === DUE.length) return;
          this.#issue();
          this.#change('pay', this.#oracle.orders.length - 1, b, c);
        };
        await this.#disturbed(SourceDown);
        this.#oracle.checkStillLive(before);
        return this.#oracle.adopt();
      }
      case 'twoWatchers': {
        // The other one does a whole pass, on a chain that just changed, while this one holds what it read before.
        const other = this.#newWalk();
        let left = a % 12;
        this.#beforeCall = async () => {
          if ((left -= 1) !== -1) return;
          const changes = ['pay', 'comeBack', 'mine', 'reorganise', 'replace', 'drop'] as const;
          this.#change(pick(changes, b) ?? 'pay', a, b, c);
          await other.pass();
          this.#count('two watchers');
        };
        await this.#disturbed(SourceDown);
        this.#oracle.adopt();
        return this.#oracle.compare();
      }
      default:
        this.#change(kind, a, b, c);
        if (c % 3 > 0) await this.#pass();
    }
  }

  /** What happens on the network. */
  #change(kind: NetworkKind, a: number, b: number, c: number): void {
    if (kind === 'reorganise') this.#count('reorganisation');
    changeChain(kind, { chain: this.#chain, oracle: this.#oracle, a, b, c });
  }
}

/** A source whose tip, after the mempool was asked, is what it was before. */
function withoutSecondLook(source: BlockSource): BlockSource {
  let last = { height: 0, hash: '' };
  let isAfterMempool = false;
  return {
    ...source,
    tip: async () => {
      if (!isAfterMempool) last = await source.tip();
      isAfterMempool = false;
      return last;
    },
    mempoolTxids: (scripts, waiting) => {
      isAfterMempool = true;
      return source.mempoolTxids(scripts, waiting);
    },
  };
}
