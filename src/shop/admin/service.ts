/** Staff views of orders and payments. */
import { takePage, toRowRange } from '#src/shop/list-pages.ts';
import { foldText } from '#src/shop/fold-text.ts';
import type { z } from 'zod';
import type { AccountKey } from '#src/platform/bitcoin/account-key.ts';
import { formatPath } from '#src/platform/bitcoin/descriptor.ts';
import { scriptRules } from '#src/platform/bitcoin/wallet-script.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { RateSource } from '#src/platform/rates/rate-source.ts';
import { normaliseName } from '#src/shop/accounts/registration/normalise-name.ts';
import type { Accounts } from '#src/shop/accounts/service.ts';
import type { OrderStatus } from '#src/shop/orders/status/service.ts';
import { findStaffCancelProblem } from '#src/shop/orders/status/find-staff-cancel-problem.ts';
import { decideAcceptAsPaid } from '#src/shop/orders/status/decide-accept-as-paid.ts';
import { cents, centsPerBtc, NO_SATS } from '#src/shop/money.ts';
import type { CentsPerBtc, Sats } from '#src/shop/money.ts';
import {
  computeDueAtRate,
  sumFinalForOrder,
  evaluateOrder,
  findCancelProblem,
  isLatePaymentAcceptable,
  isTooLate,
} from '#src/shop/orders/status/evaluate-order.ts';
import { requireLedger } from '#src/shop/orders/stored-order.ts';
import type { OrderLedger } from '#src/shop/orders/stored-order.ts';
import { computeLostSats, findCloseAsLossProblem, isRequotable } from '#src/shop/orders/status/order-loss.ts';
import type { ShopSettings } from '#src/shop/shop-settings/service.ts';
import { MIN_REFUND_SATS } from '#src/shop/payments/ledger/min-refund.ts';
import type { Payments } from '#src/shop/payments/service.ts';
import { findUsableSince } from '#src/shop/refunds/addresses/address-status.ts';
import { findDoubleRefund } from '#src/shop/refunds/matching/double-refund.ts';
import type { OrderTimeline } from '#src/shop/orders/timeline/service.ts';
import { findStaffTask, isInformational } from './tasks/staff-task.ts';
import type { StaffTask } from './tasks/staff-task.ts';
import { isUrgent } from './tasks/staff-task-messages.ts';
import type { adminApi } from './contract.ts';
import { listRefundSummaries } from './refunds/store.ts';
import type { RefundSummary } from './refunds/store.ts';
import { listReservations } from './reservations/service.ts';
import type { ReservationListOptions } from './reservations/service.ts';
import * as store from './store.ts';
import type { OrderTaskRow } from './store.ts';
import { listOrders as listOrdersBy } from './orders/store.ts';
import { toPeriod } from '#src/shop/shop-days.ts';
import type { ShopDays } from '#src/shop/shop-days.ts';
import type { OrderFilter } from './orders/store.ts';
import { showOutputs, showEvents } from './show-history.ts';

type Responses = { readonly [Key in keyof typeof adminApi]: z.output<(typeof adminApi)[Key]['response']> };

/** Orders per ledger query. */
const TASK_BATCH_SIZE = 500;

export interface AdminOptions extends ReservationListOptions {
  readonly db: Db;
  readonly rates: Pick<RateSource, 'getCurrent'>;
  readonly clock: Clock;
  readonly payments: Pick<Payments, 'readLedgers' | 'findIssuedAddress' | 'getDustSats'>;
  readonly timeline: Pick<OrderTimeline, 'readForMail'>;
  readonly accounts: Pick<Accounts, 'findContact'>;
  readonly orderStatus: Pick<OrderStatus, 'findCoveredAtPresentRate'>;
  /** Account of the shop's wallet. */
  readonly wallet: AccountKey;
  readonly lateTolerancePercent: number;
  readonly shopSettings: Pick<ShopSettings, 'current' | 'formatOrderNumber' | 'findOrderNumbers' | 'timeZone'>;
}

interface OrderWithTask {
  readonly row: OrderTaskRow;
  readonly ledger: OrderLedger;
  readonly attention: StaffTask | null;
  /** Whether money can be sent to the refund address. */
  readonly hasRefundAddress: boolean;
}

type WaitingOrder = OrderWithTask & { readonly attention: StaffTask };

/** Days are those of the shop's time zone. */
type OrderQuery = Omit<OrderFilter, 'from' | 'to'> & ShopDays;

export class Admin {
  readonly #options: AdminOptions;

  constructor(options: AdminOptions) {
    this.#options = options;
  }

  /** Orders with a staff task, oldest task first. */
  async listStaffTasks(page: number): Promise<Responses['GET /payments/attention']> {
    const { db, shopSettings } = this.#options;
    const presentRate = this.#getPresentRate();
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
  async countStaffTasks(): Promise<{ readonly open: number; readonly urgent: number }> {
    const waiting = await this.#listWaiting(this.#getPresentRate());
    const kinds = waiting.map(({ attention }) => attention.kind).filter((kind) => !isInformational(kind));
    return { open: kinds.length, urgent: kinds.filter(isUrgent).length };
  }

  async #listWaiting(presentRate: CentsPerBtc | null): Promise<WaitingOrder[]> {
    const { db } = this.#options;
    const ids = await store.listTaskCandidates(db);
    const waiting: WaitingOrder[] = [];
    for (let start = 0; start < ids.length; start += TASK_BATCH_SIZE) {
      const some = await this.#readWithTasks(db, ids.slice(start, start + TASK_BATCH_SIZE), presentRate);
      for (const { attention, ...one } of some) if (attention !== null) waiting.push({ ...one, attention });
    }
    return waiting;
  }

  /** Staff tasks of these orders, read in the transaction. */
  async findStaffTasks(
    tx: Db,
    ids: readonly string[],
  ): Promise<{ readonly id: string; readonly attention: StaffTask }[]> {
    const watched = await this.#readWithTasks(tx, ids, this.#getPresentRate());
    return watched.flatMap(({ row, attention }) => (attention === null ? [] : { id: row.id, attention }));
  }

  async listOrders(query: OrderQuery, page: number): Promise<Responses['GET /support/orders']> {
    const place = toRowRange(page);
    const { db, shopSettings } = this.#options;
    const { timeZone } = shopSettings;
    const q = query.q?.trim() ?? '';
    const search =
      q === '' ? null : { q, key: foldText(normaliseName(q) ?? q), numbers: shopSettings.findOrderNumbers(q) };
    const filter = { ...query, ...toPeriod(query, timeZone) };
    const { rows, total, hasMore } = await listOrdersBy(db, filter, search, place);
    const orders = rows.map((row) => ({ ...row, number: shopSettings.formatOrderNumber(row.number) }));
    return { orders, time_zone: timeZone, total, has_more: hasMore, page };
  }

  /** Orders with reserved stock. */
  async listReservations(page: number): Promise<Responses['GET /support/reservations']> {
    const place = toRowRange(page);
    return { ...(await listReservations(this.#options, place)), page };
  }

  /** An order of any user; null if it does not exist. */
  async findOrder(id: string): Promise<Responses['GET /support/orders/{id}'] | null> {
    const { accounts, db, payments, timeline } = this.#options;
    const presentRate = this.#getPresentRate();
    const [found, [watched], events, address, createdBy] = await Promise.all([
      timeline.readForMail(id),
      this.#readWithTasks(db, [id], presentRate),
      store.listEvents(db, id),
      payments.findIssuedAddress(id),
      store.findCreator(db, id),
    ]);
    if (!found || !watched || !address) return null;
    const { row, ledger, attention } = watched;
    const [contact, email] = await Promise.all([
      accounts.findContact(found.userId),
      store.findCustomerEmail(db, found.userId),
    ]);
    const { missingSats, surplusSats, receivedSats } = evaluateOrder(row, ledger);
    const finalSats = sumFinalForOrder(row, ledger);
    const settling = decideAcceptAsPaid(row, { receivedSats, finalSats });
    return {
      order: found.order,
      buyer: { id: found.userId, username: contact?.username ?? row.username, email },
      attention: attention && { ...attention, is_information: isInformational(attention.kind) },
      due_btc: row.due_sats,
      missing_btc: missingSats,
      deep_btc: finalSats,
      surplus_btc: surplusSats,
      returned_btc: found.order.payment.returned_btc,
      present_btc: presentRate && computeDueAtRate(row, presentRate),
      settling: settling.ok
        ? { amount_btc: settling.acceptedSats, refusal: null }
        : { amount_btc: null, refusal: settling.reason },
      can_be_given_up: findStaffCancelProblem(row, ledger) === null,
      can_be_closed_as_loss: row.closed_as_loss_of === null && findCloseAsLossProblem(row, ledger) === null,
      lost_btc: row.recorded_loss === null && row.closed_as_loss_of === null ? NO_SATS : computeLostSats(row, ledger),
      settled_btc: row.settled_sats,
      rate_usd: cents(found.rate),
      tracking_reference: found.trackingReference,
      created_by: createdBy,
      pay_path: found.payPath,
      can_be_renewed: isRequotable(row, ledger),
      can_be_cancelled: row.payment_status !== 'cancelled' && findCancelProblem(row, ledger) === null,
      address: { address: address.address, derivation_index: address.index, path: this.#getDerivationPath(address) },
      ...showOutputs(ledger, row.required_confirmations),
      timeline: showEvents(events),
    };
  }

  async #readWithTasks(db: Db, ids: readonly string[], presentRate: CentsPerBtc | null): Promise<OrderWithTask[]> {
    const { clock, lateTolerancePercent: tolerancePercent, orderStatus, payments, shopSettings } = this.#options;
    const { late_acceptance_days: limitDays } = shopSettings.current.late_payments;
    const now = clock.now();
    const rows = await store.listOrdersForTasks(db, ids);
    const ledgers = await payments.readLedgers(db, ids);
    const refundSummaries = await listRefundSummaries(db, ids);
    const late = rows.filter(({ recorded_state: state }) => state === 'late').map(({ id }) => id);
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

  #getPresentRate(): CentsPerBtc | null {
    const rate = this.#options.rates.getCurrent();
    return rate && centsPerBtc(rate.centsPerBtc);
  }

  /** Derivation path of an address. An account without origin counts as the first of its kind. */
  #getDerivationPath({ account, index }: { readonly account: string; readonly index: number }): string | null {
    const { wallet } = this.#options;
    if (account !== wallet.account) return null;
    const coin = wallet.network.name === 'mainnet' ? 0 : 1;
    const { purpose } = scriptRules[wallet.script];
    const steps = wallet.origin === null ? `/${purpose}h/${coin}h/0h` : formatPath(wallet.origin.path);
    return `m${steps}/0/${index}`;
  }
}
