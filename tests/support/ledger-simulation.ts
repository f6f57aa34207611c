/**
 * Runs one random history of a chain on the real chain sync and rules, and compares the result
 * with the oracle.
 */
import { ChainSync } from '#src/shop/payments/chain-sync/chain-sync.ts';
import type { BlockSource } from '#src/shop/payments/chain-sync/block-source.ts';
import { changeChain, NETWORK_KINDS } from './change-chain.ts';
import type { NetworkKind } from './change-chain.ts';
import { ChainOracle } from './chain-oracle.ts';
import { Crash, MAX_ORDERS, MAX_REFUNDS, createOrder, createRefundScript } from './simulation-shop.ts';
import type { SimulationShop } from './simulation-shop.ts';
import type { InjectedBug } from './injected-ledger-bug.ts';
import { GENESIS, SimulatedChain } from './simulated-chain.ts';

export interface Step {
  readonly kind: StepKind;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

const SHOP_KINDS = [
  'pass',
  'userPaid',
  'cancel',
  'requote',
  'reprice',
  'requotePart',
  'issue',
  'refund',
  'restart',
] as const;
const FAULT_KINDS = ['crash', 'crashAndGoOn', 'sourceFails', 'changeInBetween', 'twoWatchers'] as const;
export type StepKind = NetworkKind | (typeof SHOP_KINDS)[number] | (typeof FAULT_KINDS)[number];

/** Full payments, blocks, deep reorganisations and crashes are most frequent. */
const OFTEN: readonly StepKind[] = [
  'pay',
  'pay',
  'pay',
  'topUp',
  'mine',
  'mine',
  'mine',
  'payDeep',
  'payDeep',
  'payRefund',
  'reorganise',
  'reorganise',
  'reorganiseDeep',
  'time',
  'crash',
  'twoWatchers',
  'twoWatchers',
  'coinbase',
  'requotePart',
  'reprice',
];
export const STEP_KINDS: readonly StepKind[] = [...NETWORK_KINDS, ...SHOP_KINDS, ...FAULT_KINDS, ...OFTEN];

export type Tally = Map<string, number>;

const START = Date.parse('2030-01-01T00:00:00Z');
const WINDOW_MS = 7200_000;
/** Enough blocks for a deep reorganisation. */
const FIRST_BLOCKS = 8;

class SourceDown extends Error {}

const pick = <T>(list: readonly T[], index: number): T | undefined => list[index % list.length];

export class LedgerSimulation<Tx> {
  readonly #chain = new SimulatedChain(START);
  readonly #shop: SimulationShop<Tx>;
  readonly #oracle: ChainOracle;
  readonly #tally: Tally;
  readonly #bug: InjectedBug | null;
  #chainSync: ChainSync<Tx>;
  #beforeCall: () => void | Promise<void> = () => {};
  #issued = 0;

  constructor(shop: SimulationShop<Tx>, tally: Tally, bug: InjectedBug | null = null) {
    this.#bug = bug;
    this.#tally = tally;
    this.#shop = shop;
    this.#oracle = new ChainOracle(this.#chain, shop, (state) => this.#count(`state ${state}`));
    this.#chainSync = this.#createChainSync();
  }

  async play(steps: readonly Step[]): Promise<void> {
    for (let height = 1; height <= FIRST_BLOCKS; height += 1) this.#chain.mine(() => false, [], START);
    for (let index = 1; index < MAX_ORDERS; index += 1) await this.#issue();
    await this.#refund();
    await this.#runPass();
    for (const step of steps) await this.#step(step);
    // Completes pending steps and compares the resulting state too.
    await this.#runPass();
    this.#chain.mine(() => true, [], this.#chain.now);
    await this.#runPass();
    for (const { kind } of this.#shop.state.events) this.#count(kind);
  }

  get #now(): Date {
    return new Date(this.#chain.now);
  }

  #count(kind: string): void {
    this.#tally.set(kind, (this.#tally.get(kind) ?? 0) + 1);
  }

  #createChainSync(): ChainSync<Tx> {
    const source = this.#chain.createSource(() => this.#beforeCall());
    return new ChainSync({
      source: this.#bug === 'tip not read again after the mempool' ? omitSecondLook(source) : source,
      store: this.#shop.store,
      reader: this.#chain.reader,
      clock: { now: () => this.#now },
      network: { name: 'regtest', genesisHash: GENESIS },
      listWaitingRecipients: async () => [],
      maxBlockAgeMs: null,
      // The source reports the arrival time of each.
      readMempoolEntries: async (txids) =>
        new Map(txids.map((txid) => [txid, { arrivedAt: this.#now, feePerKvb: null }])),
      onChanged: async (tx, recipientIds, now) =>
        this.#oracle.checkPaid(await this.#shop.reconcile(tx, recipientIds, now)),
      onReconciled: (now) => this.#shop.reconcileAll(now),
    });
  }

  async #issue(): Promise<void> {
    if (this.#issued === MAX_ORDERS) return;
    const order = createOrder(this.#issued, this.#chain.now);
    this.#issued += 1;
    await this.#shop.issue(order);
    this.#oracle.add(order);
  }

  async #refund(): Promise<void> {
    const { refunds } = this.#oracle;
    if (refunds.length === MAX_REFUNDS) return;
    const refund = createRefundScript(refunds.length);
    refunds.push({ ...refund, id: await this.#shop.watchRefund(refund) });
  }

  /** Runs a pass without faults; afterwards the ledger equals the chain. */
  async #runPass(): Promise<void> {
    await this.#chainSync.sync();
    await this.#shop.syncChain();
    this.#oracle.compare();
  }

  async #isDisturbed(expected: new () => Error): Promise<boolean> {
    try {
      await this.#chainSync.sync();
      return false;
    } catch (error) {
      if (!(error instanceof expected)) throw error;
      if (this.#bug === 'expiry while the source is down' && error instanceof SourceDown) {
        await this.#shop.reconcileAll(this.#now);
      }
      return true;
    } finally {
      this.#shop.shouldCrash = () => false;
      this.#beforeCall = () => {};
      await this.#shop.syncChain();
    }
  }

  #crashAt(a: number): void {
    let left = a % 8;
    this.#shop.shouldCrash = () => (left -= 1) < 0;
  }

  /** Requotes an order, in a step of its own after the price of its items changed. */
  async #requote({ kind, a, c }: Step): Promise<void> {
    const isRepriced = kind === 'reprice';
    if (!(await this.#oracle.requote(a, isRepriced))) return;
    if (isRepriced) this.#count('repriced');
    else if (c % 2 > 0) await this.#runPass();
  }

  async #step(step: Step): Promise<void> {
    const { kind, a, b, c } = step;
    this.#chain.now += 1;
    switch (kind) {
      case 'pass':
        return this.#runPass();
      case 'issue':
        return this.#issue();
      case 'refund':
        return this.#refund();
      case 'userPaid':
        return this.#oracle.sayPaid(a);
      case 'cancel':
        return this.#oracle.cancel(a);
      case 'requote':
      case 'reprice':
        return this.#requote(step);
      case 'requotePart': {
        // A part in time, which the next quote credits; its later loss is tested separately.
        const order = pick(this.#oracle.orders, a);
        if (order === undefined) return;
        const part = { script: order.script, amount: order.due_sats / (b % 2 === 0 ? 2n : 3n) };
        for (let sent = 0; sent <= c % 2; sent += 1) this.#chain.send([part]);
        await this.#runPass();
        this.#chain.now += WINDOW_MS;
        await this.#runPass();
        await this.#oracle.requote(a);
        return;
      }
      case 'restart':
        this.#chainSync = this.#createChainSync();
        return this.#runPass();
      case 'crash':
      case 'crashAndGoOn':
      case 'sourceFails':
      case 'changeInBetween':
      case 'twoWatchers':
        return this.#disturb(kind, step);
      default:
        this.#change(kind, a, b, c);
        if (c % 3 > 0) await this.#runPass();
    }
  }

  /** Runs a pass during which another step happens. */
  async #disturb(kind: (typeof FAULT_KINDS)[number], { a, b, c }: Step): Promise<void> {
    switch (kind) {
      case 'crash': {
        this.#crashAt(a);
        if (await this.#isDisturbed(Crash)) this.#count('crash');
        this.#chainSync = this.#createChainSync();
        return this.#runPass();
      }
      case 'crashAndGoOn': {
        this.#crashAt(a);
        if (await this.#isDisturbed(Crash)) this.#count('crash');
        if (b % 2 === 0) this.#chainSync = this.#createChainSync();
        return this.#oracle.adopt();
      }
      case 'sourceFails': {
        // In half of them all windows close during the pass.
        if (c % 2 === 0) this.#chain.now += WINDOW_MS;
        let left = a % 12;
        this.#beforeCall = () => {
          if ((left -= 1) < 0) throw new SourceDown();
        };
        const isDown = await this.#isDisturbed(SourceDown);
        if (isDown) this.#count('source down');
        return this.#oracle.adopt(!isDown);
      }
      case 'changeInBetween': {
        const before = this.#oracle.listLiveRows();
        let left = a % 12;
        this.#beforeCall = async () => {
          if ((left -= 1) !== -1) return;
          const change = pick(['mine', 'reorganise', 'issueAndPay'] as const, b) ?? 'mine';
          if (change !== 'issueAndPay') return this.#change(change, a, b, c);
          if (this.#issued === MAX_ORDERS) return;
          await this.#issue();
          this.#change('pay', this.#oracle.orders.length - 1, b, c);
        };
        await this.#isDisturbed(SourceDown);
        this.#oracle.checkStillLive(before);
        return this.#oracle.adopt();
      }
      case 'twoWatchers': {
        // The other process does a complete pass on a changed chain while this one has read the old
        // state.
        const other = this.#createChainSync();
        // In half of them there is a payment that neither has seen.
        if (c % 2 === 0) this.#change('pay', a, b, c);
        let left = a % 6;
        this.#beforeCall = async () => {
          if ((left -= 1) !== -1) return;
          const changes = ['pay', 'restore', 'mine', 'reorganise', 'replace', 'drop'] as const;
          this.#change(pick(changes, b) ?? 'pay', a, b, c);
          await other.sync();
          this.#count('two watchers');
        };
        await this.#isDisturbed(SourceDown);
        this.#oracle.adopt();
        return this.#oracle.compare();
      }
      default:
        throw new Error('no such fault');
    }
  }

  /** Network steps. */
  #change(kind: NetworkKind, a: number, b: number, c: number): void {
    if (kind === 'payRefund') this.#count('refund sent');
    if (kind === 'reorganise' || kind === 'reorganiseDeep') this.#count('reorganisation');
    changeChain(kind, { chain: this.#chain, oracle: this.#oracle, a, b, c });
  }
}

/** A source that does not read the tip again after the mempool. */
function omitSecondLook(source: BlockSource): BlockSource {
  let last = { height: 0, hash: '' };
  let isAfterMempool = false;
  return {
    ...source,
    readTip: async () => {
      if (!isAfterMempool) last = await source.readTip();
      isAfterMempool = false;
      return last;
    },
    listMempoolTxids: (scripts, waiting) => {
      isAfterMempool = true;
      return source.listMempoolTxids(scripts, waiting);
    },
  };
}
