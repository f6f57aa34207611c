/** Requotes of expired orders, and of orders whose payment was double-spent. */
import { ChangedMeanwhileError, transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { Rate, RateSource } from '#src/platform/rates/rate-source.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import type { Catalogue } from '#src/shop/catalogue/service.ts';
import type { Cents } from '#src/shop/money.ts';
import { isBlocked } from '../checkout/buyers.store.ts';
import { getReservationNetwork, isHalfReceived } from '../checkout/reservation-limits.ts';
import type { QuoteHolder } from '../checkout/reservation-limits.ts';
import type { Orders } from '../service.ts';
import { computeReceivedInTime } from './evaluate-order.ts';
import { findRefundBlock } from './find-refund-block.ts';
import type { LatePayments } from './late-payments.service.ts';
import * as losses from './losses.store.ts';
import { NOT_FOUND } from './order-change-result.ts';
import type { OrderChangeRefusal, OrderChangeResult } from './order-change-result.ts';
import type { createOrderParts } from './order-changes.service.ts';
import { isReopenable } from './order-loss.ts';
import { quoteAtPresentRate } from './present-price.ts';
import { findRepricing } from './find-repricing.ts';
import { PresentPricesReader } from './present-prices.service.ts';
import type { PresentPricesOptions, RequoteAtPresentPrices } from './present-prices.service.ts';
import { snapshotRate } from '../quote-order.ts';
import { RequoteError } from './requote-error.ts';
import * as quotes from './quotes.store.ts';
import * as store from './store.ts';
import type { OrderForStatus, OrderedLine } from './store.ts';

const CHANGED_JUST_NOW = 'Prices changed just now. Try again';

export interface RequotesOptions extends PresentPricesOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly rates: RateSource;
  readonly catalogue: Pick<Catalogue, 'lockUnchanged'>;
  readonly orders: Pick<Orders, 'countQuote' | 'shortenWindow'>;
}

interface RequotesParts extends ReturnType<typeof createOrderParts> {
  readonly late: LatePayments;
  readonly reconcile: (tx: Db, orderIds: readonly string[]) => Promise<void>;
}

export interface RequoteRequest {
  readonly holder: QuoteHolder;
  /** Undefined: the window of the shop. */
  readonly windowSeconds: number | undefined;
  /** The member of staff who requests it; null for the buyer. */
  readonly by: StaffActor | null;
  /** The total that was accepted; null for none. */
  readonly expectedTotalCents: Cents | null;
}

interface RequotePlan {
  readonly isReopened: boolean;
  /** Most of the new amount was received in time. */
  readonly isSecured: boolean;
  readonly lines: readonly OrderedLine[];
  readonly now: Date;
  /** Null: the order keeps its prices. */
  readonly present: RequoteAtPresentPrices | null;
  readonly quote: ReturnType<typeof quoteAtPresentRate>;
  readonly rate: Rate;
}

export class Requotes {
  readonly #options: RequotesOptions;
  readonly #parts: RequotesParts;
  readonly #prices: PresentPricesReader;

  constructor(options: RequotesOptions, parts: RequotesParts) {
    this.#options = options;
    this.#parts = parts;
    this.#prices = new PresentPricesReader(options);
  }

  /**
   * Requotes an order at the price of now with a new window, and reserves its stock again. Another total
   * is refused with both, until the request has the new one. Counts as a new order.
   */
  async requote(userId: string, id: string, request: RequoteRequest): Promise<OrderChangeResult> {
    try {
      const refused = await transact(this.#options.db, (tx) => this.#requote(tx, userId, id, request));
      return refused ?? (await this.#parts.changes.show(userId, id));
    } catch (error) {
      if (error instanceof RequoteError) return { ok: false, ...error.refused };
      if (store.isOneOpenViolation(error)) return { ok: false, reason: 'order-open' };
      if (error instanceof ChangedMeanwhileError) return { ok: false, reason: 'repriced', words: CHANGED_JUST_NOW };
      throw error;
    }
  }

  async #requote(tx: Db, userId: string, id: string, request: RequoteRequest): Promise<OrderChangeRefusal | null> {
    if (await isBlocked(tx, userId)) return { ok: false, reason: 'blocked' };
    const order = await store.lockOwnOrder(tx, userId, id);
    if (!order) return NOT_FOUND;
    const plan = await this.#plan(tx, order, request);
    if ('reason' in plan) return plan;
    await this.#write(tx, order, plan, request);
    return null;
  }

  /** The new quote of a locked order, or why there is none. Writes nothing. */
  async #plan(tx: Db, order: OrderForStatus, request: RequoteRequest): Promise<RequotePlan | OrderChangeRefusal> {
    const { clock, rates } = this.#options;
    const ledger = await this.#parts.changes.readLedger(tx, order.id);
    const isReopened = isReopenable(order, ledger);
    if (order.payment_status !== 'expired' && !isReopened) return { ok: false, reason: 'not-expired' };
    const frozen = findRefundBlock(order.refund_state);
    if (frozen !== null) return { ok: false, reason: frozen };
    const rate = rates.getCurrent();
    if (!rate) return { ok: false, reason: 'no-rate' };
    const now = clock.now();
    const lines = await store.listOrderLines(tx, [order.id]);
    const terms = this.#parts.late.createTerms(rate, now, request.windowSeconds);
    const read = await this.#prices.read(tx, order, lines, terms);
    if (!read.ok) return { ok: false, ...read.refusal };
    const { present } = read;
    const oldTotalCents = order.total_after_cents;
    const repricing =
      present &&
      findRepricing(
        { oldTotalCents, newTotalCents: present.prices.total_after_cents, promoError: present.promoError },
        request.expectedTotalCents,
      );
    if (repricing !== null) return { ok: false, reason: 'repriced', words: repricing.words, repricing };
    const quote = quoteAtPresentRate(order, lines, ledger, terms, present?.prices ?? null);
    const isSecured = isHalfReceived(computeReceivedInTime(order, ledger).all, quote.order.due_sats);
    return { isReopened, isSecured, lines, now, present, quote, rate };
  }

  /** @throws RequoteError for what can't be reserved or counted */
  async #write(tx: Db, order: OrderForStatus, plan: RequotePlan, { by, holder }: RequoteRequest): Promise<void> {
    const { catalogue, orders } = this.#options;
    const { changes, late, reconcile, stock } = this.#parts;
    const { id } = order;
    const { isReopened, isSecured, lines, now, present, quote, rate } = plan;
    const counted = await orders.countQuote(tx, holder, now);
    const retryAfterSeconds = counted?.retryAfterSeconds ?? null;
    if (retryAfterSeconds !== null) throw new RequoteError({ reason: 'too-often', retryAfterSeconds });
    // Before the stock, as at checkout: waits here for a concurrent order of the buyer.
    await quotes.writeQuote(tx, id, quote, snapshotRate(rate));
    if (isReopened) {
      await stock.restockForRequote(tx, order, lines);
      await losses.clearPayment(tx, id);
    }
    if (present !== null) await quotes.writePresentPrices(tx, id, present, lines);
    const ordered = present === null ? lines : await store.listOrderLines(tx, [id]);
    const reserving = { counted, network: getReservationNetwork(holder), isSecured, promotion: present?.promotion };
    const { unavailable, reservation } = await stock.reserveForRequote(tx, order, ordered, now, reserving);
    if (unavailable) throw new RequoteError(unavailable);
    const { expires_at } = quote.order;
    const window = await orders.shortenWindow(tx, { id, expires_at }, counted, reservation, now);
    const quoted = { ...quote, order: { ...quote.order, ...window } };
    await late.reportQuote(tx, order, { quote: quoted, rate }, now, by?.userId);
    // Late payments count from now on.
    await reconcile(tx, [id]);
    if (by !== null) await changes.recordDecision(tx, order, { by, action: 'order.price_renewed' }, now);
    // Last, since edits wait until the end of the transaction.
    const isUnchanged = present === null || (await catalogue.lockUnchanged(tx, present.products));
    if (!isUnchanged) throw new ChangedMeanwhileError();
  }
}
