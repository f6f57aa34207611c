/**
 * What is true of every order, worked out from the simulated chain and the requirements alone: no code of the shop's, and
 * by other means.
 */
import assert from 'node:assert/strict';
import type { LedgerState, MemoryLedger, StoredOrder } from './memory-ledger.ts';
import { deepInLedger, depthOf, stateOf, sum } from './payment-truth.ts';
import type { Facts, Output } from './payment-truth.ts';
import type { SimulatedChain } from './simulated-chain.ts';

export class ChainOracle {
  readonly orders: StoredOrder[] = [];
  readonly #facts = new Map<string, Facts>();
  readonly #chain: SimulatedChain;
  readonly #ledger: MemoryLedger;
  readonly #live = new Map<string, Set<string>>();
  /** Outpoints of which it is known when they were first seen, exactly. */
  readonly #firstSeen = new Map<string, number>();

  constructor(chain: SimulatedChain, ledger: MemoryLedger) {
    this.#chain = chain;
    this.#ledger = ledger;
  }

  add(order: StoredOrder): void {
    this.orders.push(order);
    this.#facts.set(order.id, {
      status: 'pending',
      paid: false,
      expired: false,
      cancelled: false,
      lastLeft: null,
      requotes: 0,
    });
  }

  #of(order: StoredOrder): Facts {
    const facts = this.#facts.get(order.id);
    assert.ok(facts);
    return facts;
  }

  #set(order: StoredOrder, change: Partial<StoredOrder>): void {
    const { orders } = this.#ledger.state;
    orders.set(order.id, { ...(orders.get(order.id) ?? order), ...change });
  }

  sayPaid(index: number): void {
    const order = this.orders[index % this.orders.length];
    if (order === undefined || this.#of(order).status !== 'pending') return;
    this.#of(order).status = 'user_paid';
    this.#set(order, { paymentStatus: 'user_paid' });
  }

  cancel(index: number): void {
    const order = this.orders[index % this.orders.length];
    if (order === undefined) return;
    const facts = this.#of(order);
    const hasMoney = [...this.#ledger.state.rows.values()].some((row) => row.payeeId === order.id && row.isLive);
    if (hasMoney || facts.paid || index % 4 > 0 || facts.status === 'cancelled') return;
    facts.status = 'cancelled';
    facts.cancelled = true;
    this.#ledger.cancel(this.#ledger.state, order.id, new Date(this.#chain.now));
  }

  /** Quotes an order that has expired again, for a window from now on. */
  requote(index: number, windowMs: number): boolean {
    const expired = this.orders.filter((order) => this.#of(order).status === 'expired');
    const order = expired[index % expired.length];
    if (order === undefined) return false;
    const facts = this.#of(order);
    [facts.status, facts.expired] = ['pending', false];
    facts.requotes += 1;
    const expiresAt = new Date(this.#chain.now + windowMs);
    this.orders[this.orders.indexOf(order)] = { ...order, expiresAt };
    // What came late counts from now on: if enough of it was deep when the ledger last looked, the order is paid at once.
    if (deepInLedger(this.#ledger.state, order) >= order.dueSats) [facts.status, facts.paid] = ['paid', true];
    this.#ledger.requote(this.#ledger.state, order.id, expiresAt, new Date(this.#chain.now));
    return true;
  }

  /** An output that pays exactly what is missing. */
  missing(index: number): { script: string; amount: bigint } | null {
    const order = this.orders[index % this.orders.length];
    if (order === undefined) return null;
    const amount = order.dueSats - sum(this.#outputs(order));
    return amount > 0n ? { script: order.script, amount } : null;
  }

  /** Live outputs of an order under a tip. */
  #outputs(order: StoredOrder, tip = this.#chain.height): Output[] {
    return this.#chain.all.flatMap(({ txid, outputs, isCoinbase }) => {
      if (!this.#chain.isActive(txid)) return [];
      const at = this.#chain.heightOf(txid);
      const height = at !== null && at <= tip ? at : null;
      const confirmations = height === null ? 0 : tip - height + 1;
      return outputs.flatMap(({ script, amount }, vout) =>
        script === order.script
          ? [{ key: `${txid}:${vout}`, txid, vout, amount, height, isCoinbase, confirmations }]
          : [],
      );
    });
  }

  /** At every settlement: who is newly paid has what is due, deep enough, in the blocks applied so far. */
  checkPaid(draft: LedgerState): void {
    for (const order of draft.orders.values()) {
      const before = this.#ledger.state.orders.get(order.id);
      if (order.paymentStatus !== 'paid' || before?.paymentStatus === 'paid' || draft.cursor === null) continue;
      if (this.#chain.chain[draft.cursor.height]?.hash !== draft.cursor.hash) continue;
      const deep = this.#outputs(order, draft.cursor.height).filter(
        ({ confirmations, isCoinbase }) =>
          confirmations >= order.requiredConfirmations && (!isCoinbase || confirmations >= 100),
      );
      assert.ok(sum(deep) >= order.dueSats, `${order.id} paid with ${sum(deep)} of ${order.dueSats}`);
    }
  }

  liveRows(): string[] {
    return [...this.#ledger.state.rows.values()]
      .filter(({ isLive, txid, isCoinbase }) => isLive && !isCoinbase && this.#chain.isActive(txid))
      .map(({ txid, vout }) => `${txid}:${vout}`);
  }

  /** What was live all the time was never taken for gone, whatever the chain did while it was read. */
  checkStillLive(before: readonly string[]): void {
    for (const key of before) {
      const row = this.#ledger.state.rows.get(key);
      if (row === undefined || !this.#chain.isActive(row.txid)) continue;
      assert.ok(row.isLive, `${key} was live throughout and is taken for ${row.leftBecause}`);
    }
  }

  /**
   * After a pass that may have seen a part only: what it recorded must be possible, and is then taken as known. Nothing may
   * have expired in one that could not ask the source for everything.
   */
  adopt(mayExpire = true): void {
    for (const order of this.orders) {
      const stored = this.#ledger.state.orders.get(order.id);
      assert.ok(stored);
      const facts = this.#of(order);
      facts.status = stored.paymentStatus;
      if (facts.paid) assert.ok(stored.paidAt, 'paid is never forgotten');
      facts.paid = stored.paidAt !== null;
      if (stored.expiredAt !== null && !facts.expired) {
        assert.ok(mayExpire, 'expired while the source was down');
        assert.ok(stored.expiredAt.getTime() >= order.expiresAt.getTime(), 'expired before its time');
      }
      facts.expired = stored.expiredAt !== null;
      this.#remember(order, true);
    }
  }

  #remember(order: StoredOrder, isUnsure: boolean): void {
    const rows = [...this.#ledger.state.rows.values()].filter(({ payeeId }) => payeeId === order.id);
    if (isUnsure) {
      this.#live.set(order.id, new Set(rows.filter(({ isLive }) => isLive).map(({ txid, vout }) => `${txid}:${vout}`)));
      const left = rows.filter(({ isLive }) => !isLive);
      if (left.length > 0) this.#of(order).lastLeft = 'either';
    }
    for (const row of rows) this.#firstSeen.set(`${row.txid}:${row.vout}`, row.firstSeen.getTime());
  }

  /** The whole ledger and every order against the chain, after a pass that saw all of it. */
  compare(): void {
    const { cursor, events } = this.#ledger.state;
    const rows = new Map([...this.#ledger.state.rows.values()].map((row) => [`${row.txid}:${row.vout}`, row]));
    const tip = this.#chain.chain.at(-1);
    assert.equal(cursor?.hash, tip?.hash);
    let expectedRows = 0;
    for (const order of this.orders) {
      const outputs = this.#outputs(order);
      for (const output of outputs) {
        const row = rows.get(output.key);
        assert.ok(row, `${output.key} is missing`);
        assert.deepEqual(
          { order: row.payeeId, amount: row.amountSats, height: row.height, isLive: row.isLive },
          { order: order.id, amount: output.amount, height: output.height, isLive: true },
        );
        const block = output.height === null ? null : this.#chain.chain[output.height];
        const seen = Math.min(block?.time ?? this.#chain.now, this.#chain.now);
        assert.equal(row.firstSeen.getTime(), this.#firstSeen.get(output.key) ?? seen, `first seen of ${output.key}`);
      }
      expectedRows += outputs.length;
      this.#compareOrder(order, outputs);
      this.#compareEvents(order, events);
    }
    assert.equal([...rows.values()].filter(({ isLive }) => isLive).length, expectedRows, 'rows that are live');
  }

  #compareEvents(order: StoredOrder, events: LedgerState['events']): void {
    const turns = events.filter(({ orderId }) => orderId === order.id).map(({ kind }) => kind);
    const payments = turns.filter((kind) => kind === 'paid' || kind === 'paid_again' || kind === 'reorged_out');
    const expected = payments.map((_, index) => (index % 2 === 1 ? 'reorged_out' : 'paid_again'));
    assert.deepEqual(payments, ['paid', ...expected.slice(1)].slice(0, payments.length), `payments of ${order.id}`);
    const { paid, status } = this.#of(order);
    assert.equal(payments.length > 0, paid, 'a paid event exactly if it was ever paid');
    assert.equal(
      payments.length % 2 === 1,
      status === 'paid',
      `events of ${order.id}: ${payments.join(', ')}, it is ${status}`,
    );
    const expiries = turns.filter((kind) => kind === 'expired').length;
    assert.ok(expiries <= this.#of(order).requotes + 1, `${expiries} expiries of ${order.id}`);
  }

  #compareOrder(order: StoredOrder, outputs: readonly Output[]): void {
    const facts = this.#of(order);
    const left = [...(this.#live.get(order.id) ?? [])].filter((key) => !outputs.some((output) => output.key === key));
    if (left.length > 0) facts.lastLeft = this.#reason(left);
    this.#live.set(order.id, new Set(outputs.map(({ key }) => key)));
    this.#remember(order, false);

    const truth = this.#settle(order, facts, outputs);
    const stored = this.#ledger.state.orders.get(order.id);
    assert.ok(stored);
    const said = this.#ledger.evaluate(this.#ledger.state, stored);
    const isEither = truth.state === 'either' && (said.state === 'replaced' || said.state === 'dropped');
    assert.deepEqual(
      {
        status: stored.paymentStatus,
        isOpen: stored.isOpen,
        wasPaid: stored.paidAt !== null,
        wasExpired: stored.expiredAt !== null,
        state: said.state,
        received: said.receivedSats,
        confirmed: said.confirmedSats,
        missing: said.missingSats,
        // Of an order that is not covered the oracle knows no depth.
        confirmations: truth.confirmations < 0 ? -1 : said.confirmations,
      },
      {
        status: facts.status,
        isOpen: facts.status === 'pending' || (facts.status === 'user_paid' && !facts.paid),
        wasPaid: facts.paid,
        wasExpired: facts.expired,
        ...truth,
        state: isEither ? said.state : truth.state,
      },
      `${order.id} at block ${this.#chain.height}`,
    );
    if (stored.recordedState === null) return assert.equal(truth.received, 0n);
    assert.equal(stored.recordedReceivedSats, truth.received, `received, as last recorded of ${order.id}`);
    assert.equal(stored.recordedState, said.state, `state, as last recorded of ${order.id}`);
  }

  /** Brings the facts of an order to what the chain makes of them; answers what must be told of it. */
  #settle(order: StoredOrder, facts: Facts, outputs: readonly Output[]) {
    const counted = outputs.filter(({ isCoinbase, confirmations }) => !isCoinbase || confirmations >= 100);
    const needed = order.requiredConfirmations;
    const deep = sum(counted.filter(({ confirmations }) => confirmations >= needed));
    const isInTime = ({ key }: Output): boolean => (this.#firstSeen.get(key) ?? 0) <= order.expiresAt.getTime();
    const byItself = (): readonly Output[] => {
      if (facts.cancelled) return [];
      if (facts.paid) return counted;
      return facts.expired ? [] : counted.filter(isInTime);
    };
    const depth = (): number => depthOf(byItself(), order.dueSats);

    const isWaiting = facts.status === 'pending' || facts.status === 'user_paid' || facts.status === 'expired';
    if (isWaiting && (depth() >= needed || (order.isLateAcceptable && deep >= order.dueSats))) {
      facts.status = 'paid';
      facts.paid = true;
    } else if (facts.status === 'paid' && depth() < needed) facts.status = 'user_paid';
    const canExpire = (facts.status === 'pending' || facts.status === 'user_paid') && !facts.paid;
    if (canExpire && this.#chain.now >= order.expiresAt.getTime() && depth() < 0) {
      facts.status = 'expired';
      facts.expired = true;
    }
    const received = sum(counted);
    const isCovered = received >= order.dueSats;
    return {
      state: stateOf(facts, { depth: depth(), needed, isCovered, received, isOver: deep > order.dueSats }),
      received,
      confirmed: sum(counted.filter(({ confirmations }) => confirmations > 0)),
      missing: isCovered ? 0n : order.dueSats - received,
      confirmations: depth() >= 0 ? depth() : depthOf(counted, order.dueSats),
    };
  }

  /** Of several that left at once the ledger names one, so only a cause that they share is sure. */
  #reason(left: readonly string[]): 'replaced' | 'dropped' | 'either' {
    const causes = new Set(
      left.map((key) => {
        const txid = key.slice(0, key.indexOf(':'));
        if (this.#chain.all.some((one) => one.txid === txid && one.isCoinbase)) return 'dropped';
        if (this.#chain.isConflicted(txid)) return 'replaced';
        return this.#chain.ancestorsOf(txid).some((one) => this.#chain.isConflicted(one)) ? 'either' : 'dropped';
      }),
    );
    const [cause] = causes;
    return causes.size === 1 && cause !== undefined ? cause : 'either';
  }
}
