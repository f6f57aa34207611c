/** Refunds, write-offs and refund address of the simulated order. */
import { NO_SATS, sats, subtractSats, sumSats } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';
import { isRecorded, findRecordProblem, findUndoProblem } from '#src/shop/refunds/manual/manual-record.ts';
import { OBJECTION_PERIOD_MS, getAddressStatus, findUsableSince } from '#src/shop/refunds/addresses/address-status.ts';
import { findMatchEvent, matchRefunds } from '#src/shop/refunds/matching/match-refunds.ts';
import { findDoubleRefund } from '#src/shop/refunds/matching/double-refund.ts';
import {
  omitWriteOffs,
  computeRequiredDepth,
  isCovered,
  summarizeRefunds,
  computeRefundTotals,
} from '#src/shop/refunds/refundable.ts';
import type { RefundCovers, TotalCovers } from '#src/shop/orders/kinds.ts';
import { decideDebit } from '#src/shop/refunds/decide-debit.ts';
import type { LinesRequest } from '#src/shop/refunds/decide-debit.ts';
import { computeOrderAmounts, isFullyRefunded } from '#src/shop/refunds/lines/line-refund.ts';
import { MIN_REFUND_SATS } from '#src/shop/payments/ledger/min-refund.ts';
import type { RefundNoticeKind } from '#src/shop/refunds/refund-mail-kinds.ts';
import type { Debit, RefundPosition, RefundDestination } from '#src/shop/refunds/refundable.ts';
import { decideWriteOff } from '#src/shop/refunds/manual/write-off.ts';
import { countSimulatedRefunds } from './count-simulated-refunds.ts';
import { STEPS, UNCLAIMED_AFTER_DAYS } from './order-record.ts';
import type { Refund, RefundAddress, WriteOff } from './order-record.ts';
import type { OrderSimulation } from './order-simulation.ts';
import { SimulatedUnits } from './simulated-units.ts';

const UNCOUNTED = { countedCents: null, countedSats: null };
const UNPLANNED = { plannedTxid: null, plannedOutpoints: [] };

export class SimulatedRefunds {
  readonly list: Refund[] = [];
  readonly writeOffs: WriteOff[] = [];
  address: RefundAddress | null = null;
  readonly #shop: OrderSimulation;
  readonly #units: SimulatedUnits;
  #addresses = 0;

  constructor(shop: OrderSimulation) {
    this.#shop = shop;
    this.#units = new SimulatedUnits(shop, this.list);
  }

  /** Units that are left to ship, and shipped units that are not refunded. */
  get unitsLeft(): { readonly unshipped: number; readonly shipped: number } {
    return this.#units.left;
  }

  get scripts(): readonly string[] {
    return this.list.map(({ script }) => script);
  }

  // ---- positions

  get debits(): Debit[] {
    const refunds = this.list.map(({ covers, state, debitSats, holdsUnits, madeAt }) => ({
      covers,
      state,
      debitSats,
      holdsUnits,
      madeAt,
    }));
    const offs = this.writeOffs
      .filter(({ kind }) => kind === 'unclaimed')
      .map(({ covers, amountSats, madeAt, reopenedAt }) => ({
        covers,
        state: reopenedAt === null ? ('written_off' as const) : ('reopened' as const),
        debitSats: amountSats,
        madeAt,
      }));
    return [...refunds, ...offs].toSorted((a, b) => a.madeAt.getTime() - b.madeAt.getTime());
  }

  get position(): RefundPosition {
    const { order, orderLedger } = this.#shop;
    const required_confirmations = computeRequiredDepth(order, orderLedger.outputs, STEPS);
    return {
      order: { ...order, required_confirmations },
      outputs: orderLedger.outputs,
      tip: orderLedger.tip,
      debits: this.debits,
    };
  }

  get destination(): RefundDestination | null {
    const { address } = this;
    return address && { status: getAddressStatus(address, this.#shop.now), dustSats: address.dustSats };
  }

  get usableSince(): Date | null {
    return this.address && findUsableSince(this.address, this.#shop.now);
  }

  get open(): Refund | null {
    return this.list.find(({ state }) => state === 'made' || state === 'sent') ?? null;
  }

  get unclaimedSats() {
    const open = this.writeOffs.filter(({ kind, reopenedAt }) => kind === 'unclaimed' && reopenedAt === null);
    return open.length === 0 ? NO_SATS : sumSats(open.map(({ amountSats }) => amountSats));
  }

  get lastReopenedAt(): Date | null {
    return this.writeOffs.findLast(({ reopenedAt }) => reopenedAt !== null)?.reopenedAt ?? null;
  }

  get acceptedSats() {
    return sumSats([
      NO_SATS,
      ...this.writeOffs.filter(({ kind }) => kind === 'paid-twice').map((one) => one.amountSats),
    ]);
  }

  get paidTwice() {
    const { order, receivedSats } = this.#shop;
    const refunds = this.list.filter(({ state }) => state !== 'withdrawn');
    const dueSats = order.settled_sats ?? order.due_sats;
    return findDoubleRefund(refunds, { receivedSats, dueSats, acceptedSats: this.acceptedSats });
  }

  decideWriteOff() {
    const { order, now } = this.#shop;
    const { address, usableSince: usable } = this;
    return decideWriteOff(
      {
        refunds: this.position,
        closed: [order.expired_at, order.cancelled_at, order.payment_status === 'paid' ? order.paid_at : null],
        address: address && { setAt: address.setAt, isUsable: usable !== null, dustSats: address.dustSats },
        lastReopenedAt: this.lastReopenedAt,
      },
      now,
      UNCLAIMED_AFTER_DAYS,
    );
  }

  // ---- staff actions

  /** `Refunds.make`, from the order's coins or from any wallet. */
  make(covers: RefundCovers, isOfCoins: boolean, lines?: LinesRequest, amount?: Cents): boolean {
    const { address } = this;
    const terms = this.#shop.returnTerms;
    const request = {
      covers,
      lines,
      ...(amount === undefined ? {} : { amount: { cents: amount, reason: 'simulated' } }),
    };
    const decided = decideDebit(request, this.position, this.#units.order, { address: this.destination, terms });
    if (!decided.ok || address === null) return false;
    const { debitSats, returns } = decided;
    const { chain, orderLedger, now } = this.#shop;
    const coins = orderLedger.outputs.filter(({ isLive, height }) => isLive && height !== null);
    const spends = coins.map(({ txid, vout }) => `${txid}:${vout}`);
    const planned = isOfCoins ? chain.make([{ script: address.script, amount: returns.fullSats }], spends) : null;
    const refund: Refund = {
      id: `refund${this.list.length}`,
      covers,
      debitSats,
      amountSats: returns.fullSats,
      returns,
      parts: decided.amount?.parts ?? null,
      ...UNCOUNTED,
      script: address.script,
      madeAt: now,
      plannedTxid: planned?.txid ?? null,
      plannedOutpoints: planned?.inputs ?? [],
      isElsewhere: false,
      lines: decided.lines && { ok: true, debitSats, ...decided.lines },
      holdsUnits: false,
      withdrawnAt: null,
      state: 'made',
      txid: null,
      vout: null,
    };
    this.list.push(refund);
    this.#reportRefund(refund, 'refund_made');
    this.#projectAndReconcile();
    return true;
  }

  /** `Refunds.broadcast`, or a transaction that staff send from any wallet. */
  send(index = -1): boolean {
    const refund = this.list.at(index);
    if (refund === undefined) return false;
    const { chain } = this.#shop;
    if (refund.plannedTxid === null) {
      chain.send([{ script: refund.script, amount: refund.amountSats }]);
      return true;
    }
    if (refund.state === 'made' && !isCovered(refund.covers, this.position)) return false;
    chain.restore(refund.plannedTxid);
    return true;
  }

  withdraw(): boolean {
    const refund = this.list.find(({ state }) => state === 'made');
    if (refund === undefined) return false;
    Object.assign(refund, { state: 'withdrawn', withdrawnAt: this.#shop.now });
    this.#reportRefund(refund, 'refund_withdrawn');
    this.#projectAndReconcile();
    return true;
  }

  record(): boolean {
    const refund = this.list.find(({ state }) => state === 'made');
    const txid = `ee${this.list.length}`;
    if (refund === undefined || findRecordProblem({ isPayment: false, isOfAnotherRefund: false }) !== null)
      return false;
    Object.assign(refund, { state: 'confirmed', txid });
    this.#reportRefund(refund, 'refund_recorded');
    this.#projectAndReconcile();
    return true;
  }

  undoRecord(): boolean {
    const refund = this.list.findLast((one) => isRecorded(one));
    if (refund === undefined || findUndoProblem(refund, this.list) !== null) return false;
    Object.assign(refund, {
      txid: null,
      state: refund.isElsewhere ? 'withdrawn' : 'made',
      withdrawnAt: refund.isElsewhere ? this.#shop.now : null,
    });
    this.#reportRefund(refund, 'refund_record_undone');
    this.#project();
    this.matchWithLedger();
    this.#shop.reconcile();
    return true;
  }

  /** `ManualRefunds.recordElsewhere` of the whole refundable amount. */
  recordElsewhere(covers: TotalCovers): boolean {
    const position = omitWriteOffs(this.position);
    const decided = decideDebit({ covers }, position, this.#units.order, {
      address: { status: 'confirmed', dustSats: 1n },
      terms: this.#shop.returnTerms,
    });
    if (!decided.ok) return false;
    const { debitSats, returns } = decided;
    this.#reopen();
    const refund: Refund = {
      id: `refund${this.list.length}`,
      covers,
      debitSats,
      amountSats: returns.fullSats,
      returns,
      parts: null,
      ...UNCOUNTED,
      script: `dd9${this.list.length}`,
      madeAt: this.#shop.now,
      ...UNPLANNED,
      isElsewhere: true,
      lines: null,
      holdsUnits: false,
      withdrawnAt: null,
      state: 'confirmed',
      txid: `ef${this.list.length}`,
      vout: null,
    };
    this.list.push(refund);
    this.#reportRefund(refund, 'refund_recorded');
    this.#projectAndReconcile();
    return true;
  }

  writeOff(kind: 'unclaimed' | 'paid-twice'): boolean {
    const decided = kind === 'unclaimed' ? this.decideWriteOff() : this.#decidePaidTwice();
    if (decided === null || !decided.ok) return false;
    const { covers, amountSats } = decided;
    const off: WriteOff = { kind, covers, amountSats, madeAt: this.#shop.now, reopenedAt: null };
    this.writeOffs.push(off);
    this.#shop.appendEvent(kind === 'unclaimed' ? 'written_off' : 'paid_twice_accepted');
    if (kind === 'unclaimed') this.#shop.mails.enqueueWriteOff(off);
    this.#projectAndReconcile();
    return true;
  }

  #decidePaidTwice() {
    const twice = this.paidTwice;
    if (twice?.kind !== 'sent') return null;
    const isWhole = this.list.some(({ covers, txid }) => covers === 'whole' && txid !== null);
    return { ok: true, covers: isWhole ? 'whole' : 'surplus', amountSats: twice.excessSats } as const;
  }

  // ---- addresses

  /** `RefundAddresses.set` */
  nameAddress(isLegacy: boolean): boolean {
    const { now, order, isDeleted } = this.#shop;
    const taken = this.list.flatMap(({ state, debitSats }) => (state === 'withdrawn' ? [] : [debitSats]));
    const isNothingLeft = subtractSats(order.recorded_received_sats, sumSats(taken)) < MIN_REFUND_SATS;
    if (isDeleted || (order.payment_status === 'refunded' && isNothingLeft)) return false;
    this.address = { ...this.#createAddress(isLegacy), setAt: now, confirmedAt: null, holdsFrom: null };
    this.#shop.appendEvent('refund_address');
    return true;
  }

  confirm(): boolean {
    const { address } = this;
    const { now, isDeleted } = this.#shop;
    if (isDeleted || address === null || address.confirmedAt !== null) return false;
    address.confirmedAt = now;
    this.#shop.appendEvent('refund_address_confirmed');
    this.#reopenForAddress();
    return true;
  }

  enter(isLegacy: boolean): boolean {
    const { now } = this.#shop;
    if (this.address !== null && this.address.confirmedAt !== null) return false;
    const holdsFrom = new Date(now.getTime() + OBJECTION_PERIOD_MS);
    this.address = { ...this.#createAddress(isLegacy), setAt: now, confirmedAt: null, holdsFrom };
    this.#shop.appendEvent('refund_address_entered');
    this.#reopenForAddress();
    return true;
  }

  #createAddress(isLegacy: boolean): Pick<RefundAddress, 'script' | 'dustSats'> {
    this.#addresses += 1;
    return { script: `dd0${this.#addresses}`, dustSats: isLegacy ? 546n : 294n };
  }

  /** `ManualRefunds.reopen` */
  #reopenForAddress(): void {
    const to = this.destination;
    if (to === null || this.unclaimedSats < to.dustSats) return;
    if (this.#reopen()) this.#shop.reconcile();
  }

  #reopen(): boolean {
    const open = this.writeOffs.filter(({ kind, reopenedAt }) => kind === 'unclaimed' && reopenedAt === null);
    for (const one of open) one.reopenedAt = this.#shop.now;
    if (open.length === 0) return false;
    this.#shop.appendEvent('write_off_reopened');
    this.#project();
    return true;
  }

  // ---- the chain

  /** `RefundMatching.matchWithLedger` */
  matchWithLedger(): void {
    const { ledger } = this.#shop;
    const changed: { readonly refund: Refund; readonly before: Refund }[] = [];
    for (const [script, refunds] of Map.groupBy(this.list, (refund) => refund.script)) {
      const outputs = [...ledger.rows.values()].filter((row) => row.script === script);
      const { required_confirmations: requiredConfirmations } = this.#shop.order;
      const matched = matchRefunds(
        refunds.map((refund) => ({ ...refund, requiredConfirmations })),
        outputs,
        ledger.tip,
      );
      for (const refund of refunds) {
        const is = matched.get(refund.id);
        if (is === undefined || (is.state === refund.state && is.txid === refund.txid && is.vout === refund.vout))
          continue;
        changed.push({ refund, before: { ...refund } });
        Object.assign(refund, is);
      }
    }
    for (const { refund, before } of changed) {
      const event = findMatchEvent(before, refund);
      if (event !== null) this.#reportRefund(refund, event);
    }
    if (changed.length > 0) this.#project();
  }

  #reportRefund(refund: Refund, kind: RefundNoticeKind): void {
    this.#shop.appendEvent(kind);
    this.#shop.mails.takeRefund(refund, kind);
  }

  #project(): void {
    this.#units.hold();
    countSimulatedRefunds(this.list, this.#shop.order);
    const { lineRefundSats, refundState, returnedSats, writtenOffSats } = summarizeRefunds(
      this.debits,
      isFullyRefunded(this.#units.order),
    );
    const { madeSats, sentSats } = computeRefundTotals(this.list);
    this.#shop.order = {
      ...this.#shop.order,
      refund_state: refundState,
      returned_sats: sats(returnedSats),
      written_off_sats: writtenOffSats,
      refund_made_sats: madeSats,
      refund_sent_sats: sentSats,
      line_refund_sats: lineRefundSats,
    };
  }

  get leftCents(): Cents {
    return computeOrderAmounts(this.#units.order).leftCents;
  }

  #projectAndReconcile(): void {
    this.#project();
    this.#shop.reconcile();
  }
}
