/**
 * Expected state of every order, derived from the simulated chain and the requirements, without
 * shop code.
 */
import assert from 'node:assert/strict';
import { listOutputs, findLeaveReason } from './read-chain.ts';
import type { Payee } from './read-chain.ts';
import { adoptTerms, isCoveredAtPresentRate } from './adopt-terms.ts';
import { compareConflicts } from './compare-conflicts.ts';
import { compareEvents, compareQuote, compareStock } from './compare-orders.ts';
import { PRESENT_RATE, toOtherTotal } from './simulation-shop.ts';
import type { SimulationShop, LedgerView, RefundScript, StoredOrder } from './simulation-shop.ts';
import {
  computeCredit,
  updateFacts,
  isDeepInLedger,
  isFirm,
  computeDepth,
  sumHeldSince,
  isWaiting,
  dropQuote,
  mayBeLate,
  DUST_LIMIT,
  computeState,
  sumOutputs,
  wasLost,
} from './expected-payment.ts';
import type { Facts, Output } from './expected-payment.ts';
import type { SimulatedChain } from './simulated-chain.ts';

/** States of an order that received nothing, or only dust, in time. */
const UNPAID: ReadonlySet<string> = new Set(['awaiting', 'replaced', 'dropped', 'either']);

/** Less than the dust limit cannot be sent. */
const toSendable = (amount: bigint): bigint => (amount > 0n && amount < 294n ? 294n : amount);

type OracleShop = Pick<SimulationShop<never>, 'state' | 'evaluate' | 'sayPaid' | 'cancel' | 'requote'>;

export class ChainOracle {
  readonly orders: StoredOrder[] = [];
  readonly refunds: RefundScript[] = [];
  readonly #facts = new Map<string, Facts>();
  readonly #chain: SimulatedChain;
  readonly #shop: OracleShop;
  readonly #reached: (state: string) => void;
  readonly #states = new Map<string, string>();
  readonly #live = new Map<string, Set<string>>();
  /** Outpoints with an exactly known first-seen time. */
  readonly #firstSeen = new Map<string, number>();

  /** @param reached called with each state that an order enters. */
  constructor(chain: SimulatedChain, shop: OracleShop, reached: (state: string) => void) {
    this.#chain = chain;
    this.#shop = shop;
    this.#reached = reached;
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
      credit: null,
    });
  }

  #requireFacts(order: StoredOrder): Facts {
    const facts = this.#facts.get(order.id);
    assert.ok(facts);
    return facts;
  }

  async sayPaid(index: number): Promise<void> {
    const order = this.orders[index % this.orders.length];
    if (order === undefined || this.#requireFacts(order).status !== 'pending') return;
    this.#requireFacts(order).status = 'user_paid';
    await this.#shop.sayPaid(order.id, new Date(this.#chain.now));
  }

  async cancel(index: number): Promise<void> {
    const order = this.orders[index % this.orders.length];
    if (order === undefined) return;
    const facts = this.#requireFacts(order);
    if (index % 4 > 0 || facts.status === 'cancelled') return;
    const live = [...this.#shop.state.rows.values()].filter((row) => row.recipientId === order.id && row.isLive);
    const amount = live.reduce((total, { amountSats }) => total + amountSats, 0n);
    const due = this.#shop.state.orders.get(order.id)?.due_sats ?? order.due_sats;
    const hasMoney = live.some(({ amountSats }) => amountSats >= DUST_LIMIT) || (live.length > 0 && amount >= due);
    const isPossible = !hasMoney && (!facts.paid || this.#isLostForGood(order));
    assert.equal(
      await this.#shop.cancel(order.id, new Date(this.#chain.now)),
      isPossible,
      `whether ${order.id} can be cancelled`,
    );
    if (isPossible) [facts.status, facts.cancelled] = ['cancelled', true];
  }

  /** Whether the conflict of a payment is final and no other output can cover the amount due. */
  #isLostForGood(order: StoredOrder): boolean {
    const { cursor, rows } = this.#shop.state;
    const payments = [...rows.values()].filter(
      ({ recipientId, isCoinbase }) => recipientId === order.id && !isCoinbase,
    );
    const isGone = ({ conflictHeight = null }: (typeof payments)[number]): boolean =>
      conflictHeight !== null && (cursor?.height ?? 0) - conflictHeight + 1 >= order.required_confirmations;
    const rest = payments.filter((row) => !isGone(row)).reduce((total, { amountSats }) => total + amountSats, 0n);
    const { due_sats: due, tolerance_sats: tolerance } = this.#shop.state.orders.get(order.id) ?? order;
    return payments.some(isGone) && rest < due - tolerance;
  }

  /** Requotes an expired order, with a payment window from now. */
  async requote(index: number, isRepriced = false): Promise<boolean> {
    const expired = this.orders.filter((order) => this.#requireFacts(order).status === 'expired');
    const order = expired[index % expired.length];
    if (order === undefined) return false;
    const facts = this.#requireFacts(order);
    const total = isRepriced ? toOtherTotal(order) : order.total_after_cents;
    await this.#shop.requote(order.id, new Date(this.#chain.now), total);
    const { state } = this.#shop;
    const quoted = state.orders.get(order.id);
    assert.ok(quoted);
    compareQuote(order, quoted, { state, credit: facts.credit, now: this.#chain.now, total });
    this.orders[this.orders.indexOf(order)] = quoted;
    [facts.status, facts.expired] = ['pending', false];
    facts.requotes += 1;
    facts.credit = computeCredit(quoted, order.expires_at);
    // Late outputs now count: if enough were final at the last pass, the order is paid immediately.
    if (isDeepInLedger(state, quoted, facts)) [facts.status, facts.paid] = ['paid', true];
    return true;
  }

  /** Creates an output that pays exactly the missing amount. */
  computeMissing(index: number): { script: string; amount: bigint } | null {
    const order = this.orders[index % this.orders.length];
    if (order === undefined) return null;
    const amount = order.due_sats - sumOutputs(this.#listOutputs(order));
    return amount > 0n ? { script: order.script, amount } : null;
  }

  #listOutputs(payee: Payee, tip = this.#chain.height): Output[] {
    return listOutputs(this.#chain, payee, tip);
  }

  /**
   * Called at each reconciliation: a newly paid order has enough final outputs in the applied
   * blocks.
   */
  checkPaid(draft: Pick<LedgerView, 'cursor' | 'orders'>): void {
    for (const order of draft.orders.values()) {
      const before = this.#shop.state.orders.get(order.id);
      if (order.payment_status !== 'paid' || before?.payment_status === 'paid' || draft.cursor === null) continue;
      if (this.#chain.chain[draft.cursor.height]?.hash !== draft.cursor.hash) continue;
      const deep = this.#listOutputs(order, draft.cursor.height).filter(
        ({ confirmations, isCoinbase }) =>
          confirmations >= order.required_confirmations && (!isCoinbase || confirmations >= 100),
      );
      assert.ok(sumOutputs(deep) >= order.due_sats, `${order.id} paid with ${sumOutputs(deep)} of ${order.due_sats}`);
    }
  }

  listLiveRows(): string[] {
    return [...this.#shop.state.rows.values()]
      .filter(({ isLive, txid, isCoinbase }) => isLive && !isCoinbase && this.#chain.isActive(txid))
      .map(({ txid, vout }) => `${txid}:${vout}`);
  }

  /**
   * An output that was live throughout was never recorded as dropped, even if the chain changed
   * during the read.
   */
  checkStillLive(before: readonly string[]): void {
    for (const key of before) {
      const row = this.#shop.state.rows.get(key);
      if (row === undefined || !this.#chain.isActive(row.txid)) continue;
      assert.ok(row.isLive, `${key} was live throughout and is recorded as ${row.leftBecause}`);
    }
  }

  /**
   * Adopts the records of an incomplete pass after checking that they are possible. Nothing may
   * expire in a pass that could not query the whole source.
   */
  adopt(mayExpire = true): void {
    for (const [index, former] of this.orders.entries()) {
      const order = this.#adoptTerms(former);
      this.orders[index] = order;
      const stored = this.#shop.state.orders.get(order.id);
      assert.ok(stored);
      const facts = this.#requireFacts(order);
      facts.status = stored.payment_status;
      if (facts.paid) assert.ok(stored.paid_at, 'paid_at was reset');
      facts.paid = stored.paid_at !== null;
      // A quote whose credit has left ends immediately; that depends on the chain, not on the
      // clock.
      if (stored.expired_at !== null && !facts.expired && facts.credit === null) {
        assert.ok(mayExpire, 'expired while the source was down');
        assert.ok(stored.expired_at.getTime() >= order.expires_at.getTime(), 'expired before its time');
      }
      facts.expired = stored.expired_at !== null;
      this.#remember(order, true);
    }
    for (const refund of this.refunds) this.#noteFirstSeen(refund);
  }

  #remember(order: StoredOrder, isUnsure: boolean): void {
    if (isUnsure) {
      const rows = [...this.#shop.state.rows.values()];
      const payments = rows.filter(({ recipientId, isCoinbase }) => recipientId === order.id && !isCoinbase);
      const live = payments.flatMap(({ isLive, txid, vout }) => (isLive ? [`${txid}:${vout}`] : []));
      this.#live.set(order.id, new Set(live));
      if (live.length < payments.length) this.#requireFacts(order).lastLeft = 'either';
    }
    this.#noteFirstSeen(order);
  }

  #noteFirstSeen({ id }: Payee): void {
    for (const row of this.#shop.state.rows.values()) {
      if (row.recipientId === id) this.#firstSeen.set(`${row.txid}:${row.vout}`, row.firstSeen.getTime());
    }
  }

  #adoptTerms(order: StoredOrder): StoredOrder {
    const stored = this.#shop.state.orders.get(order.id);
    assert.ok(stored);
    const facts = this.#requireFacts(order);
    const adopted = adoptTerms(order, stored, this.#shop.state, facts);
    const { credited_until: until } = adopted;
    if (adopted.due_sats !== order.due_sats) facts.credit = until && computeCredit(adopted, until);
    return adopted;
  }

  /** Compares the whole ledger and every order with the chain, after a complete pass. */
  compare(): void {
    const { cursor, events } = this.#shop.state;
    const rows = new Map([...this.#shop.state.rows.values()].map((row) => [`${row.txid}:${row.vout}`, row]));
    assert.equal(cursor?.hash, this.#chain.chain.at(-1)?.hash);
    let expectedRows = 0;
    for (const [index, former] of this.orders.entries()) {
      const order = this.#adoptTerms(former);
      this.orders[index] = order;
      const outputs = this.#compareRows(order, rows);
      expectedRows += outputs.length;
      this.#compareOrder(order, outputs);
      compareEvents(order.id, this.#requireFacts(order), events);
    }
    for (const refund of this.refunds) {
      expectedRows += this.#compareRows(refund, rows).length;
      this.#noteFirstSeen(refund);
    }
    assert.equal([...rows.values()].filter(({ isLive }) => isLive).length, expectedRows, 'number of live rows');
    compareConflicts(this.#chain, rows);
    const { stock } = this.#shop.state;
    if (stock !== null) compareStock(stock, new Map(this.orders.map((order) => [order.id, this.#requireFacts(order)])));
  }

  /** Checks that the ledger has the same live outputs of a recipient as the chain. */
  #compareRows(payee: Payee, rows: LedgerView['rows']): readonly Output[] {
    const outputs = this.#listOutputs(payee);
    for (const output of outputs) {
      const row = rows.get(output.key);
      assert.ok(row, `${output.key} is missing`);
      assert.deepEqual(
        { payee: row.recipientId, amount: row.amountSats, height: row.height, isLive: row.isLive },
        { payee: payee.id, amount: output.amount, height: output.height, isLive: true },
      );
      const block = output.height === null ? null : this.#chain.chain[output.height];
      const seen = Math.min(block?.time ?? this.#chain.now, this.#chain.now);
      assert.equal(row.firstSeen.getTime(), this.#firstSeen.get(output.key) ?? seen, `first seen of ${output.key}`);
    }
    return outputs;
  }

  #compareOrder(order: StoredOrder, outputs: readonly Output[]): void {
    const facts = this.#requireFacts(order);
    const payments = outputs.filter(({ isCoinbase }) => !isCoinbase);
    const left = [...(this.#live.get(order.id) ?? [])].filter((key) => !payments.some((output) => output.key === key));
    if (left.length > 0) facts.lastLeft = findLeaveReason(this.#chain, left);
    this.#live.set(order.id, new Set(payments.map(({ key }) => key)));
    this.#remember(order, false);

    const stored = this.#shop.state.orders.get(order.id);
    assert.ok(stored);
    const truth = this.#settle(order, facts, outputs, stored);
    const evaluated = this.#shop.evaluate(stored);
    // The oracle records that returned dust had left.
    const isDust = truth.received > 0n && UNPAID.has(truth.state) && UNPAID.has(evaluated.state);
    const isEither =
      isDust || (truth.state === 'either' && (evaluated.state === 'replaced' || evaluated.state === 'dropped'));
    assert.deepEqual(
      {
        status: stored.payment_status,
        isOpen: stored.is_open,
        wasPaid: stored.paid_at !== null,
        wasExpired: stored.expired_at !== null,
        state: evaluated.state,
        received: evaluated.receivedSats,
        confirmed: evaluated.confirmedSats,
        missing: evaluated.missingSats,
        // The oracle has no depth for an order that is not covered.
        confirmations: truth.confirmations < 0 ? -1 : evaluated.confirmations,
      },
      {
        status: facts.status,
        isOpen: isWaiting(facts),
        wasPaid: facts.paid,
        wasExpired: facts.expired,
        ...truth,
        state: isEither ? evaluated.state : truth.state,
      },
      `${order.id} at block ${this.#chain.height}`,
    );
    if (this.#states.get(order.id) !== evaluated.state) this.#reached(evaluated.state);
    this.#states.set(order.id, evaluated.state);
    if (stored.recorded_state === null) return assert.equal(truth.received, 0n);
    assert.equal(stored.recorded_received_sats, truth.received, `received, as last recorded of ${order.id}`);
    assert.equal(stored.recorded_state, evaluated.state, `state, as last recorded of ${order.id}`);
  }

  /** Updates an order from the chain; returns the expected events. */
  #settle(order: StoredOrder, facts: Facts, outputs: readonly Output[], stored: StoredOrder) {
    const counted = outputs.filter(({ isCoinbase, confirmations }) => !isCoinbase || confirmations >= 100);
    const needed = order.required_confirmations;
    const deep = sumOutputs(counted.filter(({ confirmations }) => confirmations >= needed));
    const isInTime = ({ key }: Output): boolean => (this.#firstSeen.get(key) ?? 0) <= order.expires_at.getTime();
    const listOwnOutputs = (): readonly Output[] => {
      if (facts.cancelled) return [];
      if (facts.paid) return counted;
      return facts.expired ? [] : counted.filter(isInTime);
    };
    const holds = (some: readonly Output[]): boolean =>
      isFirm(
        facts,
        some.map((output) => ({ ...output, seen: this.#firstSeen.get(output.key) ?? 0 })),
      );
    const computeOwnDepth = (): number => computeDepth(listOwnOutputs(), order.due_sats, holds);

    const isLost =
      facts.credit !== null && sumHeldSince(this.#shop.state, order, facts.credit.until) < facts.credit.sats;
    const credited = isLost ? 0n : (facts.credit?.sats ?? 0n);
    const isDeep =
      deep >= order.due_sats && (isLost || holds(counted.filter(({ confirmations }) => confirmations >= needed)));
    const isOver = facts.status === 'expired' || this.#chain.now > order.expires_at.getTime();
    const covers =
      isOver && !facts.cancelled && !facts.paid && isCoveredAtPresentRate(order, deep, this.#shop.state, facts);
    const isToday = covers ?? (stored.paid_at !== null && deep >= stored.due_sats);
    const isLatePaid = (isDeep && mayBeLate(order, credited, PRESENT_RATE)) || isToday;
    if (isLost || wasLost(this.#shop.state, facts, stored)) dropQuote(facts, stored, { isDeep, isLatePaid });
    const isDue = this.#chain.now >= order.expires_at.getTime();
    updateFacts(facts, { getDepth: computeOwnDepth, needed, isLatePaid, isDue });
    const received = sumOutputs(counted);
    const isCovered = received >= order.due_sats;
    return {
      state: computeState(facts, {
        depth: computeOwnDepth(),
        needed,
        isCovered,
        hasPart: received > 0n && counted.some(({ amount }) => amount >= DUST_LIMIT),
        isOver: deep > order.due_sats,
      }),
      received,
      confirmed: sumOutputs(counted.filter(({ confirmations }) => confirmations > 0)),
      missing: isCovered ? 0n : toSendable(order.due_sats - received),
      confirmations: computeOwnDepth() >= 0 ? computeOwnDepth() : computeDepth(counted, order.due_sats),
    };
  }
}
