/** Ledger and orders in memory, with atomic transactions that can be made to crash. */
import { sats } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';
import {
  cancelWithLedger,
  evaluateOrder,
  expireWithLedger,
  createPriceHoldPredicate,
  computeReceivedInTime,
  findCancelProblem,
  reconcileWithLedger,
} from '#src/shop/orders/status/evaluate-order.ts';
import type { OrderEventKind } from '#src/shop/orders/order-events.ts';
import type { OrderLedger } from '#src/shop/orders/stored-order.ts';
import { decideWindowExtension } from '#src/shop/orders/status/decide-window-extension.ts';
import { quoteIfCovered } from '#src/shop/orders/status/present-price.ts';
import { requoteOrder } from '#src/shop/orders/status/requote-order.ts';
import { createPresentPrices } from './present-prices.ts';
import type { Reconciliation } from '#src/shop/orders/status/reconcile-order.ts';
import type {
  ChainCursor,
  FoundOutput,
  LedgerStore,
  LedgerTransaction,
} from '#src/shop/payments/ledger/ledger-store.ts';
import type { PaymentEvaluation } from '#src/shop/payments/ledger/payment-state.ts';
import { NO_TOLERANCE } from '#src/shop/payments/ledger/payment-tolerance.ts';
import {
  Crash,
  LATE_LIMIT_DAYS,
  LATE_TOLERANCE_PERCENT,
  PRESENT_RATE,
  UNCONFIRMED_LIMIT_SECONDS,
  WINDOW_SECONDS,
  SEGWIT_ADDRESS,
} from './simulation-shop.ts';
import type { CrashPoint, SimulationShop, RefundScript, StoredOrder, StoredRow } from './simulation-shop.ts';
import type { InjectedBug } from './injected-ledger-bug.ts';

interface MemoryRow extends StoredRow {
  readonly rawTx: Uint8Array;
  readonly rawAncestors: readonly Uint8Array[];
}

export interface LedgerState {
  cursor: ChainCursor | null;
  readonly blocks: Map<number, string>;
  readonly rows: Map<string, MemoryRow>;
  readonly orders: Map<string, StoredOrder>;
  readonly events: { readonly orderId: string; readonly kind: OrderEventKind }[];
  readonly stock: null;
}

const toDate = (date: Date): Date => new Date(date);

const LATE_TERMS = { presentRate: PRESENT_RATE, tolerancePercent: LATE_TOLERANCE_PERCENT, limitDays: LATE_LIMIT_DAYS };

export class MemoryLedger implements LedgerStore<LedgerState>, SimulationShop<LedgerState> {
  state: LedgerState = { cursor: null, blocks: new Map(), rows: new Map(), orders: new Map(), events: [], stock: null };
  shouldCrash: (point: CrashPoint) => boolean = () => false;
  readonly #bug: InjectedBug | null;
  readonly #refunds: RefundScript[] = [];
  #issuedBefore = 0;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(bug: InjectedBug | null) {
    this.#bug = bug;
  }

  get store(): LedgerStore<LedgerState> {
    return this;
  }

  runTransaction<T>(work: (ledger: LedgerTransaction, tx: LedgerState) => Promise<T>): Promise<T> {
    // Sequential, like the row lock on the cursor.
    const run = this.#queue.then(async () => {
      const { cursor, blocks, rows, orders, events } = this.state;
      const draft = {
        stock: null,
        cursor,
        blocks: new Map(blocks),
        rows: new Map(rows),
        orders: new Map(orders),
        events: [...events],
      };
      const result = await work(this.#createTransaction(draft), draft);
      if (this.shouldCrash('before')) {
        if (this.#bug === 'cursor committed without rows')
          this.state = { ...this.state, cursor: draft.cursor, blocks: draft.blocks };
        throw new Crash('before the commit');
      }
      this.state = draft;
      if (this.shouldCrash('after')) throw new Crash('after the commit');
      return result;
    });
    this.#queue = run.catch(() => undefined);
    return run;
  }

  async readCursor(): Promise<ChainCursor | null> {
    this.#issuedBefore = this.state.orders.size;
    return this.state.cursor;
  }

  async findHashAt(height: number): Promise<string | null> {
    return this.state.blocks.get(height) ?? null;
  }

  async listScriptsSince(mark: string | null) {
    const [orders, refunds] = (mark ?? '0 0').split(' ').map(Number);
    const isLate = this.#bug === 'scripts loaded before the mempool';
    const issued = [...this.state.orders.values()].slice(0, isLate ? this.#issuedBefore : undefined);
    const since = [...issued.slice(orders), ...this.#refunds.slice(refunds)];
    const scripts = since.map(({ id, script }) => ({
      script: Buffer.from(script),
      scriptHex: script,
      recipientId: id,
    }));
    return { scripts, mark: `${issued.length} ${this.#refunds.length}` };
  }

  async findOldestIssue(): Promise<Date | null> {
    return null;
  }

  async isQuietAbove(height: number): Promise<boolean> {
    return ![...this.state.rows.values()].some((row) =>
      row.isLive ? row.height === null || row.height > height : (row.conflictHeight ?? -1) > height,
    );
  }

  async listPendingAbove(height: number) {
    return [...this.state.rows.values()].filter(
      (row) => row.isLive && !row.isCoinbase && (row.height === null || row.height > height),
    );
  }

  async listLeftAbove(height: number) {
    return [...this.state.rows.values()].filter(
      (row) => !row.isLive && !row.isCoinbase && (row.conflictHeight ?? Infinity) > height,
    );
  }

  /** Other amounts to the script of a refund are not recorded. */
  #isRelevant({ recipientId, amountSats }: FoundOutput): boolean {
    const refund = this.#refunds.find(({ id }) => id === recipientId);
    return refund === undefined || refund.amounts.includes(amountSats);
  }

  #createTransaction(draft: LedgerState): LedgerTransaction {
    const formatKey = (txid: string, vout: number): string =>
      this.#bug === 'rows keyed by txid only' ? txid : `${txid}:${vout}`;
    const change = (rows: Iterable<MemoryRow>, to: Partial<MemoryRow>): string[] =>
      [...rows].map((row) => {
        draft.rows.set(formatKey(row.txid, row.vout), { ...row, ...to });
        return row.recipientId;
      });
    const live = { isLive: true, leftBecause: null, leftAt: null, conflictHeight: null } as const;
    return {
      start: async (network, block) => {
        if (draft.cursor !== null) return false;
        draft.cursor = { network, height: block.height, hash: block.hash, revision: 0, reconciledAt: null };
        draft.blocks.set(block.height, block.hash);
        return true;
      },
      moveCursor: async (revision, to) => {
        if (draft.cursor === null) return false;
        if (draft.cursor.revision !== revision && this.#bug !== 'cursor moved without a revision check') return false;
        draft.cursor = { ...draft.cursor, ...to, revision: draft.cursor.revision + 1 };
        return true;
      },
      removeBlocksAbove: async (height, when) => {
        const top = Math.max(...draft.blocks.keys());
        for (const known of draft.blocks.keys()) if (known > height) draft.blocks.delete(known);
        if (this.#bug === 'reorganisation rolls nothing back') return [];
        const freed = [...draft.rows.values()].filter((row) => (row.conflictHeight ?? -1) > height);
        const touched = change(freed, { conflictHeight: null });
        const from = this.#bug === 'reorganisation rolls one block back' ? top - 1 : height;
        const rows = [...draft.rows.values()].filter((row) => row.height !== null && row.height > from);
        const left = { height: null, isLive: false, leftBecause: 'dropped', leftAt: toDate(when) } as const;
        return [
          ...touched,
          ...change(
            rows.filter((row) => row.isCoinbase),
            left,
          ),
          ...change(
            rows.filter((row) => !row.isCoinbase),
            { height: null },
          ),
        ];
      },
      addBlocks: async (added) => {
        for (const { height, hash } of added) draft.blocks.set(height, hash);
      },
      addBlockOutputs: async (outputs, { height, time }, firstSeen, arrivedAfter = null) =>
        outputs
          .filter((output) => this.#isRelevant(output))
          .flatMap((output) => {
            const known = draft.rows.get(formatKey(output.txid, output.vout));
            const recorded =
              known !== undefined && this.#bug !== 'first seen overwritten by the block' ? known.firstSeen : firstSeen;
            const row = {
              ...output,
              amountSats: sats(output.amountSats),
              rawAncestors: known?.rawAncestors ?? [],
              firstSeen: recorded,
              arrivedAfter: known === undefined ? arrivedAfter : (known.arrivedAfter ?? null),
              confirmedAt: known?.confirmedAt ?? time,
            };
            return change([{ ...row, ...live, height }], {});
          }),
      addMempoolOutputs: async (outputs, firstSeen) =>
        outputs
          .filter((output) => this.#isRelevant(output))
          .flatMap((output) => {
            const known = draft.rows.get(formatKey(output.txid, output.vout));
            if (
              known?.isLive &&
              known.height === null &&
              known.rawAncestors.length === 0 &&
              output.rawAncestors.length > 0
            )
              return change([known], { rawAncestors: output.rawAncestors });
            if (known !== undefined)
              return known.isLive || this.#bug === 'returned transaction ignored' ? [] : change([known], live);
            const { firstSeen: seen, arrivedAfter } = output.firstSeenRange ?? { firstSeen, arrivedAfter: null };
            const row = { ...output, amountSats: sats(output.amountSats), ...live, height: null, arrivedAfter };
            return change([{ ...row, firstSeen: seen }], {});
          }),
      markLeft: async (left, when) => {
        if (this.#bug === 'replaced and dropped outputs stay live') return [];
        return left.flatMap(({ txid, because }) =>
          change(
            [...draft.rows.values()].filter((row) => row.txid === txid && row.isLive && row.height === null),
            { isLive: false, leftBecause: because, leftAt: toDate(when) },
          ),
        );
      },
      markConflicts: async (conflicts, height) =>
        conflicts.flatMap(({ txid }) =>
          change(
            [...draft.rows.values()].filter((row) => row.txid === txid && !row.isLive),
            { conflictHeight: height },
          ),
        ),
      listRecipientsAbove: async (height) =>
        this.#bug === 'only orders with new outputs reconciled'
          ? []
          : [...draft.rows.values()]
              .filter((row) =>
                row.isLive ? row.height === null || row.height > height : (row.conflictHeight ?? -1) > height,
              )
              .map(({ recipientId }) => recipientId),
    };
  }

  #orderLedger(state: LedgerState, order: StoredOrder): OrderLedger {
    const rows = [...state.rows.values()].filter(({ recipientId }) => recipientId === order.id);
    const outputs = rows.map((row) => {
      if (this.#bug === 'immature coinbase counted') return { ...row, isCoinbase: false };
      const isEager = this.#bug === 'unconfirmed output counted as confirmed' && row.isLive && row.height === null;
      return isEager ? { ...row, height: 0 } : row;
    });
    return { address: SEGWIT_ADDRESS, outputs, tip: state.cursor };
  }

  evaluate(order: StoredOrder): PaymentEvaluation {
    return evaluateOrder(order, this.#orderLedger(this.state, order));
  }

  async syncChain(): Promise<void> {}

  async issue(order: StoredOrder): Promise<void> {
    this.state.orders.set(order.id, order);
  }

  async watchRefund(refund: Omit<RefundScript, 'id'>): Promise<string> {
    const id = `refund ${this.#refunds.length}`;
    this.#refunds.push({ ...refund, id });
    return id;
  }

  /** Reconciles orders like the order service in the transaction of chain sync. */
  async reconcile(state: LedgerState, orderIds: readonly string[], now: Date): Promise<LedgerState> {
    for (const id of orderIds) if (state.orders.has(id)) this.#reconcile(state, id, now);
    return state;
  }

  #reconcile(state: LedgerState, id: string, now: Date): void {
    const order = this.#extendWindow(state, this.#createOrder(state, id));
    const orderLedger = this.#orderLedger(state, order);
    const reconciled = reconcileWithLedger(order, orderLedger, now, LATE_TERMS);
    const price = reconciled.change?.paymentStatus === 'paid' ? null : this.#quotePresentPrice(order, orderLedger, now);
    if (price === null) return this.#record(state, order, reconciled);
    state.events.push({ orderId: id, kind: 'requoted' });
    const priced = { ...order, ...price.order };
    this.#record(state, priced, reconcileWithLedger(priced, orderLedger, now, LATE_TERMS));
  }

  #quotePresentPrice(order: StoredOrder, orderLedger: OrderLedger, now: Date): ReturnType<typeof quoteIfCovered> {
    const { total_cents: price_cents, total_sats: price_sats } = order;
    const line = { position: 0, quantity: 1, price_cents, price_sats, is_free: false };
    return quoteIfCovered(order, [line], orderLedger, {
      rate: PRESENT_RATE,
      now,
      windowSeconds: WINDOW_SECONDS,
      tolerance: NO_TOLERANCE,
      unconfirmedLimitSeconds: UNCONFIRMED_LIMIT_SECONDS,
      lateLimitDays: LATE_LIMIT_DAYS,
    });
  }

  /** The order with its window extended to a payment that may have arrived in it. */
  #extendWindow(state: LedgerState, order: StoredOrder): StoredOrder {
    const until = decideWindowExtension(order, this.#orderLedger(state, order), LATE_TERMS);
    if (until === null || until === 'undecided') return order;
    state.events.push({ orderId: order.id, kind: 'time_unknown' });
    return { ...order, expires_at: until };
  }

  async reconcileAll(now: Date): Promise<void> {
    await this.runTransaction(async (_, state) => {
      for (const order of state.orders.values()) {
        const granted = this.#extendWindow(state, order);
        if (granted !== order) {
          state.orders.set(order.id, granted);
          this.#reconcile(state, order.id, now);
        }
        const after = this.#createOrder(state, order.id);
        const expired = after.is_open ? this.#expire(state, after, now) : null;
        if (expired) this.#record(state, after, expired);
      }
      for (const order of state.orders.values()) {
        const isUnpaid = order.paid_at === null && order.cancelled_at === null;
        if (order.recorded_state === 'late' && isUnpaid) this.#reconcile(state, order.id, now);
      }
    });
  }

  #expire(state: LedgerState, order: StoredOrder, now: Date): Reconciliation | null {
    const terms = { reconciledAt: now, unconfirmedLimitSeconds: UNCONFIRMED_LIMIT_SECONDS };
    return expireWithLedger(order, this.#orderLedger(state, order), now, terms);
  }

  async sayPaid(id: string): Promise<void> {
    this.state.orders.set(id, { ...this.#createOrder(this.state, id), payment_status: 'user_paid' });
  }

  async cancel(id: string, now: Date): Promise<boolean> {
    const order = this.#createOrder(this.state, id);
    const orderLedger = this.#orderLedger(this.state, order);
    if (findCancelProblem(order, orderLedger) !== null) return false;
    this.#record(this.state, { ...order, cancelled_at: now }, cancelWithLedger(order, orderLedger, now));
    return true;
  }

  /** Another window at the rate of the order's quote. */
  async requote(id: string, now: Date, totalCents: Cents): Promise<void> {
    const order = this.#createOrder(this.state, id);
    const terms = { rate: order.rate_cents_per_btc, now, windowSeconds: WINDOW_SECONDS, tolerance: NO_TOLERANCE };
    const holds = createPriceHoldPredicate(now, UNCONFIRMED_LIMIT_SECONDS);
    const quote = requoteOrder(
      order,
      [],
      computeReceivedInTime(order, this.#orderLedger(this.state, order), holds),
      terms,
      createPresentPrices(totalCents, terms.rate),
    );
    const quoted = { ...order, ...quote.order, payment_status: 'pending', is_open: true, expired_at: null } as const;
    this.state.orders.set(id, quoted);
    this.state.events.push({ orderId: id, kind: 'requoted' });
    this.#reconcile(this.state, id, now);
  }

  #createOrder(state: LedgerState, id: string): StoredOrder {
    const order = state.orders.get(id);
    if (order === undefined) throw new Error('no such order');
    return order;
  }

  #record(state: LedgerState, order: StoredOrder, { change, events }: Reconciliation): void {
    const changed = change && {
      payment_status: change.paymentStatus,
      is_open: change.isOpen,
      paid_at: change.paidAt,
      expired_at: change.expiredAt,
      recorded_state: change.recordedState,
      recorded_received_sats: change.recordedReceivedSats,
    };
    state.orders.set(order.id, { ...order, ...changed });
    for (const event of events) {
      const kind = this.#bug === 'paid event duplicated' && event === 'paid_again' ? 'paid' : event;
      if (this.#bug === 'reorganisation without an event' && kind === 'reorged_out') continue;
      state.events.push({ orderId: order.id, kind });
    }
  }
}
