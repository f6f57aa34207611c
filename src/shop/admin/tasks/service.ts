/** Orders that need a decision of staff. */
import type { z } from 'zod';
import type { Db } from '#src/platform/database/database.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { RateSource } from '#src/platform/rates/rate-source.ts';
import { takePage } from '#src/shop/list-pages.ts';
import { centsPerBtc, NO_SATS } from '#src/shop/money.ts';
import type { CentsPerBtc, Sats } from '#src/shop/money.ts';
import {
  computeDueAtRate,
  evaluateOrder,
  isLatePaymentAcceptable,
  isTooLate,
} from '#src/shop/orders/status/evaluate-order.ts';
import type { OrderStatus } from '#src/shop/orders/status/service.ts';
import { requireLedger } from '#src/shop/orders/stored-order.ts';
import type { OrderLedger } from '#src/shop/orders/stored-order.ts';
import { MIN_REFUND_SATS } from '#src/shop/payments/ledger/min-refund.ts';
import { isLateState } from '#src/shop/payments/ledger/payment-state.ts';
import type { Payments } from '#src/shop/payments/service.ts';
import { findUsableSince } from '#src/shop/refunds/addresses/address-status.ts';
import { findDoubleRefund } from '#src/shop/refunds/matching/double-refund.ts';
import type { ShopSettings } from '#src/shop/shop-settings/service.ts';
import type { staffTasksApi } from './contract.ts';
import { listRefundSummaries } from './refunds.store.ts';
import type { RefundSummary } from './refunds.store.ts';
import { findStaffTask, isInformational } from './staff-task.ts';
import type { StaffTask } from './staff-task.ts';
import { isUrgent } from './staff-task-messages.ts';
import * as store from './store.ts';
import type { OrderTaskRow } from './store.ts';

type WaitingOrders = z.output<(typeof staffTasksApi)['GET /payments/attention']['response']>;

/** Orders per ledger query. */
const TASK_BATCH_SIZE = 500;

export interface StaffTasksOptions {
  readonly db: Db;
  readonly rates: Pick<RateSource, 'getCurrent'>;
  readonly clock: Clock;
  readonly payments: Pick<Payments, 'readLedgers' | 'getDustSats'>;
  readonly orderStatus: Pick<OrderStatus, 'findCoveredAtPresentRate'>;
  readonly lateTolerancePercent: number;
  readonly shopSettings: Pick<ShopSettings, 'current' | 'formatOrderNumber'>;
}

interface OrderWithTask {
  readonly row: OrderTaskRow;
  readonly ledger: OrderLedger;
  readonly attention: StaffTask | null;
  /** Whether money can be sent to the refund address. */
  readonly hasRefundAddress: boolean;
}

type WaitingOrder = OrderWithTask & { readonly attention: StaffTask };

export class StaffTasks {
  readonly #options: StaffTasksOptions;

  constructor(options: StaffTasksOptions) {
    this.#options = options;
  }

  /** Orders with a staff task, oldest task first. */
  async list(page: number): Promise<WaitingOrders> {
    const { db, shopSettings } = this.#options;
    const presentRate = this.getPresentRate();
    const [waiting, dust] = await Promise.all([this.#listWaiting(presentRate), store.countDust(db)]);
    const newest = waiting.toSorted((a, b) => b.attention.since.getTime() - a.attention.since.getTime());
    const listOrders = takePage(newest, page).map(({ row, ledger, attention, hasRefundAddress }) => {
      const { state, receivedSats, surplusSats } = evaluateOrder(row, ledger);
      return {
        ...attention,
        is_information: isInformational(attention.kind),
        order_id: row.id,
        number: shopSettings.formatOrderNumber(row.number),
        username: row.username,
        payment_status: row.payment_status,
        state,
        total_usd: row.total_after_cents,
        due_btc: row.settled_sats ?? row.due_sats,
        received_btc: receivedSats,
        surplus_btc: surplusSats,
        present_btc: presentRate && computeDueAtRate(row, presentRate),
        has_refund_address: hasRefundAddress,
      };
    });
    return { orders: listOrders, total: waiting.length, page, dust };
  }

  /** Number of orders that need a decision, and of those where a wrong one loses money or goods. */
  async count(): Promise<{ readonly open: number; readonly urgent: number }> {
    const waiting = await this.#listWaiting(this.getPresentRate());
    const kinds = waiting.map(({ attention }) => attention.kind).filter((kind) => !isInformational(kind));
    return { open: kinds.length, urgent: kinds.filter(isUrgent).length };
  }

  async #listWaiting(presentRate: CentsPerBtc | null): Promise<WaitingOrder[]> {
    const { db } = this.#options;
    const ids = await store.listTaskCandidates(db);
    const waiting: WaitingOrder[] = [];
    for (let start = 0; start < ids.length; start += TASK_BATCH_SIZE) {
      const some = await this.readWithTasks(db, ids.slice(start, start + TASK_BATCH_SIZE), presentRate);
      for (const { attention, ...one } of some) if (attention !== null) waiting.push({ ...one, attention });
    }
    return waiting;
  }

  /** Staff tasks of these orders, read in the transaction. */
  async find(tx: Db, ids: readonly string[]): Promise<{ readonly id: string; readonly attention: StaffTask }[]> {
    const watched = await this.readWithTasks(tx, ids, this.getPresentRate());
    return watched.flatMap(({ row, attention }) => (attention === null ? [] : { id: row.id, attention }));
  }

  /** The orders with their ledgers, and the task of each. */
  async readWithTasks(db: Db, ids: readonly string[], presentRate: CentsPerBtc | null): Promise<OrderWithTask[]> {
    const { clock, lateTolerancePercent: tolerancePercent, orderStatus, payments, shopSettings } = this.#options;
    const { late_acceptance_days: limitDays } = shopSettings.current.late_payments;
    const now = clock.now();
    const rows = await store.listOrdersForTasks(db, ids);
    const ledgers = await payments.readLedgers(db, ids);
    const refundSummaries = await listRefundSummaries(db, ids);
    const late = rows.filter(({ recorded_state: state }) => isLateState(state)).map(({ id }) => id);
    const covered = await orderStatus.findCoveredAtPresentRate(db, late);
    return rows.map((row) => {
      const ledger = requireLedger(ledgers, row.id);
      const evaluation = evaluateOrder(row, ledger);
      const fits = covered.has(row.id) || isLatePaymentAcceptable(row, { presentRate, tolerancePercent });
      const refunds = this.#summarizeRefunds(row, evaluation.receivedSats, refundSummaries.get(row.id) ?? null);
      const attention = findStaffTask({
        ...row,
        ...ledger,
        ...refunds,
        evaluation,
        isLatePaymentAcceptable: presentRate === null ? null : fits,
        isTooLate: isTooLate(row, limitDays, now),
      });
      return { row, ledger, attention, hasRefundAddress: refunds.addressConfirmedAt !== null };
    });
  }

  /** Totals of refunds and write-offs of an order. */
  #summarizeRefunds(row: OrderTaskRow, receivedSats: Sats, watch: RefundSummary | null) {
    const { clock, payments } = this.#options;
    const { address = null, refunds = [], unclaimedSats = NO_SATS, acceptedSats = NO_SATS } = watch ?? {};
    const dueSats = row.settled_sats ?? row.due_sats;
    return {
      unclaimedSats,
      doubleRefund: findDoubleRefund(refunds, { receivedSats, dueSats, acceptedSats })?.kind ?? null,
      addressConfirmedAt: address && findUsableSince(address, clock.now()),
      minRefundSats: address === null ? MIN_REFUND_SATS : payments.getDustSats(address.address),
    };
  }

  /** Null without a rate. */
  getPresentRate(): CentsPerBtc | null {
    const rate = this.#options.rates.getCurrent();
    return rate && centsPerBtc(rate.centsPerBtc);
  }
}
