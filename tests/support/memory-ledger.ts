/** The ledger and the orders on it, in memory, with transactions that are all or nothing and can be made to crash. */
import { NO_SATS, sats } from '#src/shop/money.ts';
import { acceptLate, cancelOrder, expireOrder, settleOrder, shouldExpire } from '#src/shop/orders/settle-order.ts';
import type { OrderToSettle, Settlement } from '#src/shop/orders/settle-order.ts';
import type { ChainCursor, LedgerStore, LedgerTransaction } from '#src/shop/payments/ledger-store.ts';
import { paymentState } from '#src/shop/payments/payment-state.ts';
import type { LedgerOutput, PaymentEvaluation } from '#src/shop/payments/payment-state.ts';

export interface StoredRow extends LedgerOutput {
  readonly payeeId: string;
  readonly rawTx: Uint8Array;
  readonly rawAncestors: readonly Uint8Array[];
}

export interface StoredOrder extends OrderToSettle {
  readonly id: string;
  readonly script: string;
  readonly requiredConfirmations: number;
  readonly cancelledAt: Date | null;
  readonly isLateAcceptable: boolean;
}

export interface LedgerState {
  cursor: ChainCursor | null;
  readonly blocks: Map<number, string>;
  readonly rows: Map<string, StoredRow>;
  readonly orders: Map<string, StoredOrder>;
  readonly events: { readonly orderId: string; readonly kind: string }[];
}

export class Crash extends Error {}

/** Wrong on purpose: each must be noticed by the histories. */
export type PlantedBug =
  | 'reorganisation rolls nothing back'
  | 'reorganisation rolls one block back'
  | 'rows keyed by txid alone'
  | 'replaced and dropped outputs stay live'
  | 'paid event doubled'
  | 'silent reorganisation'
  | 'returned transaction ignored'
  | 'coinbase counted early'
  | 'cursor committed without rows'
  | 'cursor moved without comparing'
  | 'first seen overwritten by the block'
  | 'unconfirmed output counted as confirmed'
  | 'tip not asked again after the mempool'
  | 'expiry while the source is down'
  | 'orders settled only when touched'
  | 'scripts loaded before the mempool';

const at = (date: Date): Date => new Date(date);

export class MemoryLedger implements LedgerStore<LedgerState> {
  state: LedgerState = { cursor: null, blocks: new Map(), rows: new Map(), orders: new Map(), events: [] };
  /** Asked before and after each commit; true crashes there. */
  crashes: (point: 'before' | 'after') => boolean = () => false;
  readonly #bug: PlantedBug | null;
  #issuedBefore = 0;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(bug: PlantedBug | null) {
    this.#bug = bug;
  }

  transaction<T>(work: (ledger: LedgerTransaction, tx: LedgerState) => Promise<T>): Promise<T> {
    // One after the other, as the row lock on the cursor has it.
    const run = this.#queue.then(async () => {
      const { cursor, blocks, rows, orders, events } = this.state;
      const draft = {
        cursor,
        blocks: new Map(blocks),
        rows: new Map(rows),
        orders: new Map(orders),
        events: [...events],
      };
      const result = await work(this.#writes(draft), draft);
      if (this.crashes('before')) {
        if (this.#bug === 'cursor committed without rows')
          this.state = { ...this.state, cursor: draft.cursor, blocks: draft.blocks };
        throw new Crash('before the commit');
      }
      this.state = draft;
      if (this.crashes('after')) throw new Crash('after the commit');
      return result;
    });
    this.#queue = run.catch(() => undefined);
    return run;
  }

  async cursor(): Promise<ChainCursor | null> {
    this.#issuedBefore = this.state.orders.size;
    return this.state.cursor;
  }

  async hashAt(height: number): Promise<string | null> {
    return this.state.blocks.get(height) ?? null;
  }

  async scriptsSince(mark: string | null) {
    const after = Number(mark ?? -1);
    const scripts = [...this.state.orders.values()]
      .map(({ id, script }, index) => ({ script: Buffer.from(script), scriptHex: script, payeeId: id, index }))
      .filter(
        ({ index }) =>
          index > after && (this.#bug !== 'scripts loaded before the mempool' || index < this.#issuedBefore),
      );
    return { scripts, mark: String(scripts.at(-1)?.index ?? after) };
  }

  async oldestIssue(): Promise<Date | null> {
    return null;
  }

  async isQuietAbove(height: number): Promise<boolean> {
    return ![...this.state.rows.values()].some((row) => row.isLive && (row.height === null || row.height > height));
  }

  async pendingAbove(height: number) {
    return [...this.state.rows.values()].filter(
      (row) => row.isLive && !row.isCoinbase && (row.height === null || row.height > height),
    );
  }

  #writes(draft: LedgerState): LedgerTransaction {
    const key = (txid: string, vout: number): string =>
      this.#bug === 'rows keyed by txid alone' ? txid : `${txid}:${vout}`;
    const change = (rows: Iterable<StoredRow>, to: Partial<StoredRow>): string[] =>
      [...rows].map((row) => {
        draft.rows.set(key(row.txid, row.vout), { ...row, ...to });
        return row.payeeId;
      });
    const live = { isLive: true, leftBecause: null, leftAt: null } as const;
    return {
      begin: async (network, block) => {
        if (draft.cursor !== null) return false;
        draft.cursor = { network, height: block.height, hash: block.hash, revision: 0, reconciledAt: null };
        draft.blocks.set(block.height, block.hash);
        return true;
      },
      moveCursor: async (revision, to) => {
        if (draft.cursor === null) return false;
        if (draft.cursor.revision !== revision && this.#bug !== 'cursor moved without comparing') return false;
        draft.cursor = { ...draft.cursor, ...to, revision: draft.cursor.revision + 1 };
        return true;
      },
      removeBlocksAbove: async (height, when) => {
        const top = Math.max(...draft.blocks.keys());
        for (const known of draft.blocks.keys()) if (known > height) draft.blocks.delete(known);
        if (this.#bug === 'reorganisation rolls nothing back') return [];
        const from = this.#bug === 'reorganisation rolls one block back' ? top - 1 : height;
        const rows = [...draft.rows.values()].filter((row) => row.height !== null && row.height > from);
        const left = { height: null, isLive: false, leftBecause: 'dropped', leftAt: at(when) } as const;
        return [
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
      confirm: async (outputs, { height }, firstSeen) =>
        outputs.flatMap((output) => {
          const known = draft.rows.get(key(output.txid, output.vout));
          const kept =
            known !== undefined && this.#bug !== 'first seen overwritten by the block' ? known.firstSeen : firstSeen;
          const row = {
            ...output,
            amountSats: sats(output.amountSats),
            rawAncestors: known?.rawAncestors ?? [],
            firstSeen: kept,
          };
          return change([{ ...row, ...live, height }], {});
        }),
      arrive: async (outputs, firstSeen) =>
        outputs.flatMap((output) => {
          const known = draft.rows.get(key(output.txid, output.vout));
          if (known !== undefined)
            return known.isLive || this.#bug === 'returned transaction ignored' ? [] : change([known], live);
          return change([{ ...output, amountSats: sats(output.amountSats), ...live, height: null, firstSeen }], {});
        }),
      leave: async (left, when) => {
        if (this.#bug === 'replaced and dropped outputs stay live') return [];
        return left.flatMap(({ txid, because }) =>
          change(
            [...draft.rows.values()].filter((row) => row.txid === txid && row.isLive && row.height === null),
            { isLive: false, leftBecause: because, leftAt: at(when) },
          ),
        );
      },
      payeesAbove: async (height) =>
        this.#bug === 'orders settled only when touched'
          ? []
          : [...draft.rows.values()]
              .filter((row) => row.isLive && (row.height === null || row.height > height))
              .map(({ payeeId }) => payeeId),
    };
  }

  evaluate(state: LedgerState, order: StoredOrder): PaymentEvaluation {
    const rows = [...state.rows.values()].filter(({ payeeId }) => payeeId === order.id);
    const bent = rows.map((row) => {
      if (this.#bug === 'coinbase counted early') return { ...row, isCoinbase: false };
      const isEager = this.#bug === 'unconfirmed output counted as confirmed' && row.isLive && row.height === null;
      return isEager ? { ...row, height: 0 } : row;
    });
    const { dueSats, requiredConfirmations, expiresAt, paidAt, expiredAt, cancelledAt } = order;
    return paymentState({
      outputs: bent,
      tip: state.cursor,
      quote: { dueSats, requiredConfirmations, expiresAt },
      order: { paidAt, expiredAt, cancelledAt, settledSats: null, refund: null, returnedSats: NO_SATS },
    });
  }

  /** What the orders' service does in the watcher's transaction. */
  settle(state: LedgerState, orderIds: readonly string[], now: Date): void {
    for (const id of orderIds) {
      const order = this.#order(state, id);
      const settlement = settleOrder(order, this.evaluate(state, order), now);
      const settled = this.#record(state, order, settlement);
      if (settlement.asksForLateAcceptance && order.isLateAcceptable) {
        this.#record(state, settled, acceptLate(settled, this.evaluate(state, { ...settled, paidAt: now }), now));
      }
    }
  }

  expireDue(state: LedgerState, now: Date): void {
    for (const order of state.orders.values()) {
      if (!shouldExpire(order, this.evaluate(state, order), now)) continue;
      this.#record(state, order, expireOrder(order, this.evaluate(state, { ...order, expiredAt: now }), now));
    }
  }

  /** What a buyer does while nothing has been paid. */
  cancel(state: LedgerState, id: string, now: Date): void {
    const order = this.#order(state, id);
    const cancelled = { ...order, cancelledAt: now };
    this.#record(state, cancelled, cancelOrder(order, this.evaluate(state, cancelled), now));
  }

  /** Another window at the same rate: what is due is what it was. */
  requote(state: LedgerState, id: string, expiresAt: Date, now: Date): void {
    const quoted = { paymentStatus: 'pending', isOpen: true, expiredAt: null, expiresAt } as const;
    state.orders.set(id, { ...this.#order(state, id), ...quoted });
    state.events.push({ orderId: id, kind: 'requoted' });
    this.settle(state, [id], now);
  }

  #order(state: LedgerState, id: string): StoredOrder {
    const order = state.orders.get(id);
    if (order === undefined) throw new Error('no such order');
    return order;
  }

  #record(state: LedgerState, order: StoredOrder, { change, events }: Settlement): StoredOrder {
    const next = { ...order, ...change };
    state.orders.set(order.id, next);
    for (const event of events) {
      const kind = this.#bug === 'paid event doubled' && event === 'paid_again' ? 'paid' : event;
      if (this.#bug === 'silent reorganisation' && kind === 'reorged_out') continue;
      state.events.push({ orderId: order.id, kind });
    }
    return next;
  }
}
