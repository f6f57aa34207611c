/**
 * Order status: paid, expired, cancelled or requoted, by the ledger, the clock, the buyer or staff.
 */
import type { Clock } from '#src/platform/process/clock.ts';
import { commitWith, pipeline, transact } from '#src/platform/database/database.ts';
import type { Db, LastStatements } from '#src/platform/database/database.ts';
import type { RateSource } from '#src/platform/rates/rate-source.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import type { Carts } from '#src/shop/cart/service.ts';
import { centsPerBtc } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';
import {
  cancelWithLedger,
  expireWithLedger,
  isLatePaymentAcceptable,
  isTooLate,
  computeReceivedInTime,
  findCancelProblem,
  reconcileWithLedger,
  addLateWaitingEvent,
  createAmountDetails,
} from './evaluate-order.ts';
import { requireLedger } from '../stored-order.ts';
import type { LateAcceptanceTerms } from './evaluate-order.ts';
import type { OrderLedger } from '../stored-order.ts';
import { findReleaseProblem } from './find-release-problem.ts';
import { MANUAL_WINDOW_SECONDS } from '../checkout/manual-window.ts';
import type { ManualWindow } from '../checkout/manual-window.ts';
import { isHalfReceived } from '../checkout/reservation-limits.ts';
import type { Orders } from '../service.ts';
import type { Reconciliation } from './reconcile-order.ts';
import { isLateState } from '#src/shop/payments/ledger/payment-state.ts';
import type { Payments } from '#src/shop/payments/service.ts';
import { NOT_FOUND, toEventDetails } from './order-change-result.ts';
import type { OrderChangeResult, StaffReason } from './order-change-result.ts';
import { applyReconciliation, createOrderParts, hasLoss } from './order-changes.service.ts';
import type { OrderChanges, OrderPartsOptions } from './order-changes.service.ts';
import { RefundedUnitsService } from './refunded-units.service.ts';
import { ReturningUnitsService } from './returning-units.service.ts';
import { LatePayments } from './late-payments.service.ts';
import type { LatePaymentsOptions } from './late-payments.service.ts';
import { toCartLine } from './to-cart-line.ts';
import type { OrderLosses } from './losses.service.ts';
import { Requotes } from './requotes.service.ts';
import type { RequotesOptions } from './requotes.service.ts';
import * as store from './store.ts';
import type { OrderForStatus, OrderRefundTotals } from './store.ts';
import type { OrderStock } from './stock.service.ts';

export interface OrderStatusOptions extends OrderPartsOptions, LatePaymentsOptions, RequotesOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly rates: RateSource;
  readonly orders: Pick<Orders, 'countQuote' | 'find' | 'findWithin' | 'appendEvent' | 'shortenWindow'>;
  readonly carts: Pick<Carts, 'lockForRestore' | 'restoreLines' | 'ofOrders'>;
  readonly catalogue: OrderPartsOptions['catalogue'] & RequotesOptions['catalogue'];
  readonly payments: Pick<Payments, 'readLedgers' | 'dustSats'>;
  readonly lateTolerancePercent: number;
}

const isPaidBy = ({ change }: Reconciliation): boolean => change?.paymentStatus === 'paid';

/** Rolls back the change of an order that does not exist or belongs to another user. */
class UnknownOrderError extends Error {}

/**
 * Changes orders under their row lock. Lock order: the buyer's cart, the order, then stock; it
 * prevents deadlocks.
 */
export class OrderStatus {
  readonly #options: OrderStatusOptions;
  readonly #db: Db;
  readonly #late: LatePayments;
  readonly #changes: OrderChanges;
  readonly #losses: OrderLosses;
  readonly #stock: OrderStock;
  readonly #requotes: Requotes;
  readonly refundedUnits: RefundedUnitsService;
  readonly returningUnits = new ReturningUnitsService();

  constructor(options: OrderStatusOptions) {
    this.#options = options;
    this.#late = new LatePayments(options);
    const parts = createOrderParts(options);
    this.#changes = parts.changes;
    this.#losses = parts.losses;
    this.#stock = parts.stock;
    const reconcile: OrderStatus['reconcile'] = (tx, ids) => this.reconcile(tx, ids);
    this.#requotes = new Requotes(options, { ...parts, late: this.#late, reconcile });
    this.#db = options.db;
    this.refundedUnits = new RefundedUnitsService(options);
  }

  // ---- by the ledger and the clock

  /** Reconciles orders with their ledger, within the transaction that changed it. Idempotent. */
  async reconcile(tx: Db, orderIds: readonly string[]): Promise<void> {
    const { clock, payments, rates } = this.#options;
    const orders = await store.lockOrders(tx, orderIds);
    const ledgers = await payments.readLedgers(tx, orderIds);
    const [now, terms] = [clock.now(), this.#getLateTerms()];
    const paid: string[] = [];
    for (const locked of orders) {
      const ledger = requireLedger(ledgers, locked.id);
      const extended = await this.#late.extendWindow(tx, locked, ledger, terms, now);
      // Retried once there is a rate.
      if (extended === null) continue;
      const order = await this.#secureReservation(tx, extended, ledger, now);
      let reconciliation = reconcileWithLedger(order, ledger, now, terms);
      const price = isPaidBy(reconciliation)
        ? null
        : await this.#late.findCoveredPrice(tx, order, ledger, rates.getCurrent(), now);
      if (price !== null) reconciliation = reconcileWithLedger(price.order, ledger, now, terms);
      // The stock of an expired order was released.
      const needsStock = order.payment_status === 'expired' && isPaidBy(reconciliation);
      if (needsStock && !(await this.#stock.reserveForLatePayment(tx, order, reconciliation, now)))
        reconciliation = reconcileWithLedger(order, ledger, now, null);
      else if (price !== null) await this.#late.writePrice(tx, order, price, now);
      else if (terms.presentRate !== null) reconciliation = addLateWaitingEvent(order, reconciliation);
      if (await this.#changes.apply(tx, order, reconciliation, now)) paid.push(order.id);
      if (!hasLoss(order)) await this.#losses.recordLoss(tx, applyReconciliation(order, reconciliation), ledger, now);
    }
    await this.#stock.applyRefunds(tx, orders, now);
    await this.#stock.commitReservations(tx, paid);
  }

  /**
   * Keeps the items of an open order reserved once most of the amount was seen in time, and
   * restores a shortened window.
   */
  async #secureReservation(tx: Db, order: OrderForStatus, ledger: OrderLedger, now: Date): Promise<OrderForStatus> {
    const { full_expires_at: fullExpiresAt } = order;
    if (!order.is_open || !isHalfReceived(computeReceivedInTime(order, ledger).all, order.due_sats)) return order;
    await this.#stock.secureReservation(tx, order.id);
    if (fullExpiresAt === null) return order;
    await store.setWindow(tx, order.id, fullExpiresAt);
    await this.#options.orders.appendEvent(tx, order.id, 'window_extended', now, {
      expires_at: fullExpiresAt.toISOString(),
    });
    return { ...order, expires_at: fullExpiresAt, full_expires_at: null };
  }

  #getLateTerms(): LateAcceptanceTerms {
    const { rates, lateTolerancePercent: tolerancePercent } = this.#options;
    const rate = rates.getCurrent();
    return { presentRate: rate && centsPerBtc(rate.centsPerBtc), tolerancePercent, limitDays: this.#late.limitDays };
  }

  /** Reconciles late payments again: a rate or stock may be available now. */
  async reconcileLate(): Promise<void> {
    const { clock, rates } = this.#options;
    const terms = this.#getLateTerms();
    if (terms.presentRate === null) return;
    const orders = await store.listLate(this.#db);
    const now = clock.now();
    const priced = await this.#late.findCoveredOrders(this.#db, orders, rates.getCurrent(), now);
    for (const order of orders) {
      const isLate = isLateState(order.recorded_state);
      const isAcceptable = isLatePaymentAcceptable(order, terms) && !isTooLate(order, terms.limitDays, now);
      const isDecided = isLate && (!order.is_waiting_recorded || isAcceptable);
      if (isDecided || priced.has(order.id)) await transact(this.#db, (tx) => this.reconcile(tx, [order.id]));
    }
  }

  /**
   * Ids of orders whose payments cover a quote at the present rate; the next reconciliation accepts
   * them.
   */
  async findCoveredAtPresentRate(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const { clock, rates } = this.#options;
    return this.#late.findCoveredOrders(db, await store.listOrders(db, ids), rates.getCurrent(), clock.now());
  }

  /**
   * Expires due orders, one transaction each.
   * @param reconciledAt when the ledger last equalled the source; orders whose window closed later
   *   do not expire.
   */
  async expireDue(reconciledAt: Date): Promise<void> {
    const { clock, unconfirmedLimitSeconds } = this.#options;
    const now = clock.now();
    for (const id of await store.listDue(this.#db, now)) {
      await transact(this.#db, async (tx) => {
        const [order] = await store.lockOrders(tx, [id]);
        if (!order) return;
        const ledger = await this.#changes.readLedger(tx, id);
        const extended = await this.#late.extendWindow(tx, order, ledger, this.#getLateTerms(), now);
        // A payment may have arrived in time, but there is no rate to decide by.
        if (extended === null) return;
        if (extended !== order) await this.reconcile(tx, [id]);
        const [after = order] = extended === order ? [] : await store.lockOrders(tx, [id]);
        const expired = expireWithLedger(after, ledger, now, { reconciledAt, unconfirmedLimitSeconds });
        if (expired) await this.#changes.apply(tx, after, expired, now);
      });
    }
  }

  // ---- by the buyer

  /** Cancels an unpaid order and returns its lines to the cart; idempotent. */
  async cancel(userId: string, id: string): Promise<OrderChangeResult> {
    try {
      return await transact(this.#db, (tx) => this.#cancel(tx, userId, id));
    } catch (error) {
      if (error instanceof UnknownOrderError) return NOT_FOUND;
      throw error;
    }
  }

  /** @throws UnknownOrderError, so that no empty cart remains */
  async #cancel(tx: Db, userId: string, id: string): Promise<OrderChangeResult | LastStatements<OrderChangeResult>> {
    const { carts, clock, orders, payments } = this.#options;
    // In one round trip. The cart is locked before the order, and the ledger read under its lock.
    const [cartId, order, ledgers, ordered] = await pipeline(tx, (free) => [
      carts.lockForRestore(free, userId),
      store.lockOwnOrder(free, userId, id),
      payments.readLedgers(free, [id]),
      store.listOrderLines(free, [id]),
    ]);
    if (!order) throw new UnknownOrderError();
    const show = async (): Promise<OrderChangeResult> => {
      const shown = await orders.findWithin(tx, userId, id);
      return shown ? { ok: true, order: shown } : NOT_FOUND;
    };
    if (order.payment_status === 'cancelled') return commitWith(show());
    const ledger = requireLedger(ledgers, id);
    const reason = findCancelProblem(order, ledger);
    if (reason) return { ok: false, reason };
    const now = clock.now();
    await this.#changes.apply(tx, order, cancelWithLedger(order, ledger, now), now);
    if (order.paid_at !== null) await this.#stock.restock(tx, [id], now);
    const lines = ordered.filter((line) => !line.is_free).map(toCartLine);
    const restoring = carts.restoreLines(tx, cartId, lines, order.promo?.id ?? null);
    return commitWith(Promise.all([restoring, show()]).then(([, result]) => result));
  }

  /**
   * Requotes an expired order, or one whose payment was double-spent, at the price of now.
   * @param network IPv4 address or IPv6 /64 of the caller; null: not counted by network.
   * @param expectedTotalCents the total that the buyer accepted; null: none
   */
  async requote(
    userId: string,
    id: string,
    network: string | null = null,
    expectedTotalCents: Cents | null = null,
  ): Promise<OrderChangeResult> {
    const holder = { kind: 'buyer', userId, network } as const;
    return this.#requotes.requote(userId, id, { holder, windowSeconds: undefined, by: null, expectedTotalCents });
  }

  // ---- by refunds

  /** Writes the totals of its refunds to a locked order; call `reconcile` next. */
  recordRefunds(tx: Db, id: string, totals: OrderRefundTotals): Promise<void> {
    return store.writeRefundTotals(tx, id, totals);
  }

  // ---- by staff

  /**
   * Requotes an order that staff created, with a window that staff chose. Counts against the limits
   * of the member of staff.
   */
  async renewManual(
    id: string,
    window: ManualWindow,
    by: StaffActor,
    expectedTotalCents: Cents | null = null,
  ): Promise<OrderChangeResult> {
    const order = await store.findManualOrder(this.#db, id);
    if (order === null) return NOT_FOUND;
    if (!order.isManual) return { ok: false, reason: 'not-manual' };
    const windowSeconds = MANUAL_WINDOW_SECONDS[window];
    const holder = { kind: 'staff', userId: by.userId } as const;
    return this.#requotes.requote(order.userId, id, { holder, windowSeconds, by, expectedTotalCents });
  }

  /** Cancels an unpaid order that staff created. The buyer's cart stays as it is. Idempotent. */
  async cancelManual(id: string, staffReason: StaffReason): Promise<OrderChangeResult> {
    const found = await store.findManualOrder(this.#db, id);
    if (found !== null && !found.isManual) return { ok: false, reason: 'not-manual' };
    const recorded = { ...staffReason, action: 'order.cancelled_by_staff' };
    return this.#changes.decide(id, recorded, async (tx, order, now) => {
      if (order.payment_status === 'cancelled') return null;
      const ledger = await this.#changes.readLedger(tx, id);
      const reason = findCancelProblem(order, ledger);
      if (reason) return { ok: false, reason };
      await this.#options.orders.appendEvent(tx, id, 'cancelled', now, {
        ...createAmountDetails(order, null),
        ...toEventDetails(staffReason),
        words: 'our team cancelled it',
      });
      const cancelled = cancelWithLedger(order, ledger, now);
      const events = cancelled.events.filter((kind) => kind !== 'cancelled');
      await this.#changes.apply(tx, order, { ...cancelled, events }, now);
      if (order.paid_at !== null) await this.#stock.restock(tx, [id], now);
      return null;
    });
  }

  /**
   * Releases the reservation of an order without a seen payment: its window ends and the buyer gets
   * a mail.
   */
  releaseStock(id: string, staffReason: StaffReason): Promise<OrderChangeResult> {
    const recorded = { ...staffReason, action: 'order.stock_released' };
    return this.#changes.decide(id, recorded, async (tx, order, now) => {
      const { orders, unconfirmedLimitSeconds } = this.#options;
      const ledger = await this.#changes.readLedger(tx, id);
      const reason = findReleaseProblem(order, ledger);
      if (reason) return { ok: false, reason };
      if (!(await this.#stock.hasReservation(tx, id))) return { ok: false, reason: 'not-reserved' };
      const ended = { ...order, expires_at: now, full_expires_at: null };
      const expired = expireWithLedger(ended, ledger, now, { reconciledAt: now, unconfirmedLimitSeconds });
      if (expired === null) return { ok: false, reason: 'payment-seen' };
      await store.setWindow(tx, id, now);
      await orders.appendEvent(tx, id, 'reservation_released', now, {
        ...createAmountDetails(order, null),
        ...toEventDetails(staffReason),
      });
      await this.#changes.apply(tx, ended, expired, now);
      return null;
    });
  }
}
