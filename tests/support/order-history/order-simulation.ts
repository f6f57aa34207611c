/**
 * One order with its ledger, refunds and timeline, in memory. It applies the shop's rules in the
 * order of the services: each method names its counterpart.
 */
import { applyReconciliation, hasLoss } from '#src/shop/orders/status/order-changes.service.ts';
import { decideStockAfterRefund } from '#src/shop/orders/status/stock-after-refund.ts';
import { sats } from '#src/shop/money.ts';
import type { Cents, CentsPerBtc } from '#src/shop/money.ts';
import {
  expireWithLedger,
  isLatePaymentAcceptable,
  createAmountDetails,
  reconcileWithLedger,
  addLateWaitingEvent,
} from '#src/shop/orders/status/evaluate-order.ts';
import type { LateAcceptanceTerms } from '#src/shop/orders/status/evaluate-order.ts';
import type { OrderEventKind } from '#src/shop/orders/order-events.ts';
import type { OrderLedger } from '#src/shop/orders/stored-order.ts';
import { decideWindowExtension } from '#src/shop/orders/status/decide-window-extension.ts';
import { isLossReversed, findLossEvent, computeLoss, computeLostSats } from '#src/shop/orders/status/order-loss.ts';
import { quoteIfCovered, mayBeCovered } from '#src/shop/orders/status/present-price.ts';
import type { PresentPriceTerms } from '#src/shop/orders/status/present-price.ts';
import type { PresentPrices } from '#src/shop/orders/status/requote-order.ts';
import type { ReturnTerms } from '#src/shop/refunds/return-value.ts';
import type { RefundMethod } from '#src/shop/shop-settings/refund-method.ts';
import type { Reconciliation } from '#src/shop/orders/status/reconcile-order.ts';
import { createPresentPrices } from '../present-prices.ts';
import { SimulatedChain } from '../simulated-chain.ts';
import { SEGWIT_ADDRESS } from '../simulation-shop.ts';
import type { Tally } from '../ledger-simulation.ts';
import { DAY_FEE, LedgerRows } from './ledger-rows.ts';
import type { Row } from './ledger-rows.ts';
import {
  LATE_LIMIT_DAYS,
  LATE_TOLERANCE_PERCENT,
  createOrder,
  SCRIPT,
  pickTolerance,
  UNCONFIRMED_LIMIT_SECONDS,
  USUAL_RATE,
  WINDOW_SECONDS,
} from './order-record.ts';
import type { Order, OrderEvent, Terms } from './order-record.ts';
import { MailQueue } from './mail-queue.ts';
import { SimulatedBooks } from './simulated-books.ts';
import type { OrderBug } from './injected-order-bugs.ts';
import { SimulatedRefunds } from './simulated-refunds.ts';

const START = Date.parse('2030-01-01T00:00:00Z');
const FIRST_BLOCKS = 12;
/** The database stores one of a kind. */
const ONCE: ReadonlySet<OrderEventKind> = new Set(['created', 'paid', 'late_sold_out', 'late_promo_gone']);

export class OrderSimulation {
  readonly chain = new SimulatedChain(START);
  readonly ledger = new LedgerRows(this.chain);
  readonly refunds: SimulatedRefunds;
  readonly mails: MailQueue;
  readonly books: SimulatedBooks;
  /** What the item costs now, and whether it is on sale. */
  priceCents: Cents;
  isOnSale = true;
  readonly events: OrderEvent[] = [];
  readonly lowFees = new Set<string>();
  readonly bug: OrderBug | null;
  readonly tolerance: ReturnType<typeof pickTolerance>;
  /** What refunds return. */
  readonly refundMethod: RefundMethod;
  order: Order;
  rate: CentsPerBtc | null = USUAL_RATE;
  isShopUp = true;
  isSourceUp = true;
  knowsArrival = true;
  isDeleted = false;
  /** Stock that other orders leave available. */
  stock = 1;
  /** Stock at the last pass. */
  stockAtSync = 1;
  /** Units of each parcel; null: undone. */
  readonly parcels: (number | null)[] = [];

  /** Whether the order has reserved or bought its item. */
  hasStock = true;
  reconciledAt: Date | null = null;
  readonly #tally: Tally;

  constructor(terms: Terms, tally: Tally, bug: OrderBug | null) {
    this.#tally = tally;
    this.bug = bug;
    for (let height = 1; height <= FIRST_BLOCKS; height += 1) this.chain.mine(() => false, [], START);
    this.tolerance = pickTolerance(terms.tolerance);
    this.refundMethod = terms.method % 3 === 2 ? 'kind' : 'value';
    this.refunds = new SimulatedRefunds(this);
    this.mails = new MailQueue(this);
    this.books = new SimulatedBooks(this);
    this.order = createOrder(terms, this.now);
    this.priceCents = this.order.total_after_cents;
    this.appendEvent('created', createAmountDetails(this.order, null));
    if (this.order.payment_status === 'paid') this.appendEvent('paid', createAmountDetails(this.order, null));
  }

  get now(): Date {
    return new Date(this.chain.now);
  }

  /** Units of the order that were shipped. */
  get shippedUnits(): number {
    return this.parcels.reduce<number>((sum, units) => sum + (units ?? 0), 0);
  }

  count(kind: string): void {
    this.#tally.set(kind, (this.#tally.get(kind) ?? 0) + 1);
  }

  /** Outputs that ever paid the order. */
  get rows(): readonly Row[] {
    return [...this.ledger.rows.values()].filter(({ script }) => script === SCRIPT);
  }

  get orderLedger(): OrderLedger {
    return {
      address: SEGWIT_ADDRESS,
      outputs: this.rows,
      tip: this.ledger.tip,
      dayFeePerKvb: DAY_FEE,
    };
  }

  /** `readReturnTerms` */
  get returnTerms(): ReturnTerms {
    const { now: at, rate, refundMethod: method } = this;
    return { method, rate: rate && { centsPerBtc: rate, at, evidence: {} } };
  }

  get lateTerms(): LateAcceptanceTerms {
    return { presentRate: this.rate, tolerancePercent: LATE_TOLERANCE_PERCENT, limitDays: LATE_LIMIT_DAYS };
  }

  getPriceTerms(rate: CentsPerBtc): PresentPriceTerms {
    return {
      rate,
      now: this.now,
      windowSeconds: WINDOW_SECONDS,
      tolerance: this.tolerance,
      unconfirmedLimitSeconds: UNCONFIRMED_LIMIT_SECONDS,
      lateLimitDays: LATE_LIMIT_DAYS,
    };
  }

  /** `PresentPricesReader.read`; null: something was shipped, so the price is final. */
  getPresentPrices(rate: CentsPerBtc): PresentPrices | null {
    return this.order.fulfilment_status === 'unfulfilled' ? createPresentPrices(this.priceCents, rate) : null;
  }

  /** `findRequoteRefusal` */
  get requoteRefusal(): string | null {
    const isSold = this.isOnSale || this.order.fulfilment_status !== 'unfulfilled';
    return isSold ? null : 'Phone is no longer available, so this order can’t get a new price';
  }

  get lines() {
    const { total_cents: price_cents, total_sats: price_sats } = this.order;
    return [{ position: 0, quantity: 1, price_cents, price_sats, is_free: false }];
  }

  /** Whether the chain source is available. */
  get isUp(): boolean {
    return this.isShopUp && this.isSourceUp;
  }

  // ---- the timeline

  /** `Orders.appendEvent`: false for a unique event that has happened. */
  appendEvent(kind: OrderEventKind, details: Readonly<Record<string, unknown>> = {}): boolean {
    const isSame = (event: OrderEvent): boolean =>
      event.kind === kind &&
      (ONCE.has(kind) ||
        (kind === 'late_waits' &&
          event.details['due_sats'] === details['due_sats'] &&
          event.details['received_sats'] === details['received_sats']));
    if (this.events.some(isSame)) return false;
    const event = { kind, at: this.now, details };
    this.mails.take(
      event,
      this.events.map((one) => one.kind),
    );
    this.events.push(event);
    this.books.take(kind);
    this.count(`event ${kind}`);
    return true;
  }

  // ---- the chain and the clock

  /** A complete pass of chain sync: the ledger, the refunds, the order, then the clock. */
  sync(): void {
    if (!this.isUp) return;
    const { knowsArrival, lowFees, now, reconciledAt } = this;
    this.ledger.read(new Set([SCRIPT, ...this.refunds.scripts]), { now, reconciledAt, knowsArrival, lowFees });
    this.refunds.matchWithLedger();
    this.reconcile();
    this.reconciledAt = now;
    this.#expireDue();
    this.#reconcileLate();
    this.stockAtSync = this.stock;
    if (this.isShopUp) this.mails.dispatch();
  }

  /** `OrderStatus.reconcile` */
  reconcile(): void {
    const { orderLedger, now } = this;
    const terms = this.lateTerms;
    const locked = this.order;
    const step = decideStockAfterRefund(locked);
    if (this.#extendWindow() === 'undecided') return;
    const { order } = this;
    let settled = reconcileWithLedger(order, orderLedger, now, terms);
    const isPaid = settled.change?.paymentStatus === 'paid';
    const price =
      isPaid || this.rate === null || !mayBeCovered(order, orderLedger, this.rate)
        ? null
        : quoteIfCovered(order, this.lines, orderLedger, this.getPriceTerms(this.rate));
    const priced: Order = price === null ? order : { ...order, ...price.order };
    if (price !== null) settled = reconcileWithLedger(priced, orderLedger, now, terms);
    const needsStock = order.payment_status === 'expired' && settled.change?.paymentStatus === 'paid';
    if (needsStock && !this.#reserveForLatePayment(settled))
      settled = reconcileWithLedger(order, orderLedger, now, null);
    else if (price !== null) {
      this.order = priced;
      this.appendEvent('requoted', {
        due_sats: String(priced.due_sats),
        received_sats: String(order.recorded_received_sats),
      });
    } else if (terms.presentRate !== null) settled = addLateWaitingEvent(order, settled);
    const before = this.order;
    this.apply(before, settled);
    if (!hasLoss(before)) this.#reportLoss(applyReconciliation(before, settled));
    this.#applyRefunds(step);
  }

  /** `LatePayments.extendWindow` */
  #extendWindow(): 'decided' | 'undecided' {
    const until = decideWindowExtension(this.order, this.orderLedger, this.lateTerms);
    if (until === 'undecided') return 'undecided';
    if (until === null) return 'decided';
    this.order = { ...this.order, expires_at: until };
    this.appendEvent('time_unknown');
    return 'decided';
  }

  /** `OrderStatus.expireDue` */
  #expireDue(): void {
    const { now, order } = this;
    if (!order.is_open || order.expires_at > now) return;
    const until = order.expires_at;
    if (this.#extendWindow() === 'undecided') return;
    if (this.order.expires_at > until) this.reconcile();
    const expired = expireWithLedger(this.order, this.orderLedger, now, {
      reconciledAt: this.reconciledAt ?? now,
      unconfirmedLimitSeconds: UNCONFIRMED_LIMIT_SECONDS,
    });
    if (expired) this.apply(this.order, expired);
  }

  /** `OrderStatus.reconcileLate` */
  #reconcileLate(): void {
    const { order } = this;
    if (this.rate === null || order.refund_state !== null) return;
    const isLate =
      order.recorded_state === 'late' && ['pending', 'user_paid', 'expired'].includes(order.payment_status);
    const isPart = order.recorded_state === 'underpaid' && order.payment_status === 'expired';
    if (isLate || isPart) this.reconcile();
  }

  /** `OrderChanges.apply` */
  apply(order: Order, { change, events }: Reconciliation): void {
    const isCancelled = change?.paymentStatus === 'cancelled';
    if (change) {
      this.order = {
        ...this.order,
        payment_status: change.paymentStatus,
        is_open: change.isOpen,
        paid_at: change.paidAt,
        expired_at: change.expiredAt,
        cancelled_at: isCancelled ? (order.cancelled_at ?? this.now) : order.cancelled_at,
        recorded_state: change.recordedState,
        recorded_received_sats: change.recordedReceivedSats,
      };
    }
    if (isCancelled || change?.paymentStatus === 'expired') this.#release(order);
    const details = createAmountDetails(order, change);
    for (const kind of events) {
      const isNew = this.appendEvent(kind, details);
      if (kind === 'paid' && !isNew) this.appendEvent('paid_anew', details);
    }
    if (hasLoss(order)) this.#reportLoss(applyReconciliation(order, { change, events, needsLateAcceptance: false }));
  }

  /** `OrderLosses.recordLoss` */
  #reportLoss(order: ReturnType<typeof applyReconciliation>): void {
    const { orderLedger } = this;
    if (isLossReversed(order, orderLedger)) {
      this.order = { ...this.order, closed_as_loss_of: null };
      this.appendEvent('loss_reversed', createAmountDetails(order, null));
    }
    const loss =
      this.bug === 'loss of a sent refund is not reported' && order.refund_state !== null
        ? null
        : computeLoss(order, orderLedger);
    if (loss === order.recorded_loss) return;
    this.order = { ...this.order, recorded_loss: loss, recorded_loss_at: loss === null ? null : this.now };
    const event = findLossEvent(order.recorded_loss, loss, order);
    if (event !== null)
      this.appendEvent(event, {
        ...createAmountDetails(order, null),
        lost_sats: String(computeLostSats(order, orderLedger)),
      });
  }

  // ---- stock

  #release({ fulfilment_status: fulfilment }: Order): void {
    if (fulfilment !== 'unfulfilled' || !this.hasStock) return;
    if (this.order.paid_at !== null) return;
    this.hasStock = false;
    this.stock += 1;
  }

  /** `OrderStock.reserveAgain`: false when it is sold out. */
  reserveAgain(): boolean {
    if (this.order.fulfilment_status !== 'unfulfilled' || this.hasStock) return true;
    if (this.stock === 0) return false;
    this.stock -= 1;
    this.hasStock = true;
    return true;
  }

  /** `OrderStock.reserveAndCommit` */
  reserveAndCommit(): boolean {
    if (!this.reserveAgain()) return false;
    this.order = { ...this.order, units_returned_at: null };
    this.appendEvent('units_taken');
    return true;
  }

  /** `OrderStock.restock` */
  restock(): void {
    const { fulfilment_status: fulfilment, units_returned_at: returned } = this.order;
    if (fulfilment !== 'unfulfilled' || returned !== null) return;
    this.order = { ...this.order, units_returned_at: this.now };
    // Units that were refunded by line are not restocked here.
    if (this.refunds.unitsLeft.unshipped === 0) return;
    if (this.hasStock) this.stock += 1;
    this.hasStock = false;
    this.appendEvent('units_returned');
  }

  #reserveForLatePayment({ change }: Reconciliation): boolean {
    if (this.reserveAgain()) return true;
    this.appendEvent('late_sold_out', { ...createAmountDetails(this.order, change), words: 'Phone is sold out' });
    return false;
  }

  #applyRefunds(step: ReturnType<typeof decideStockAfterRefund>): void {
    if (step === 'restock') this.restock();
    if (step === 'reserve-again' && !this.reserveAndCommit())
      this.appendEvent('units_gone', { words: 'Phone is sold out' });
  }

  /** Whether the present rate would accept a late payment, as staff see it. */
  get fitsLateTerms(): boolean | null {
    const { orderLedger, order, rate } = this;
    if (rate === null) return null;
    const covered = quoteIfCovered(order, this.lines, orderLedger, this.getPriceTerms(rate)) !== null;
    return (covered && mayBeCovered(order, orderLedger, rate)) || isLatePaymentAcceptable(order, this.lateTerms);
  }

  get receivedSats() {
    return sats(
      this.orderLedger.outputs.reduce((sum, { isLive, amountSats }) => (isLive ? sum + amountSats : sum), 0n),
    );
  }
}
