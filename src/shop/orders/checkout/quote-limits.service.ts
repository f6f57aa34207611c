/** Counts orders and requotes, and shortens the payment windows of scarce items. */
import type { Clock } from '#src/platform/process/clock.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { ReservationResult } from '#src/shop/inventory/reservation.ts';
import * as quotes from './quotes.store.ts';
import { computeShortWindow, STAFF_ORDER_LIMITS } from './reservation-limits.ts';
import type { CountedQuote, QuoteHolder, ReservationLimits } from './reservation-limits.ts';

const DAY_MS = 24 * 3600 * 1000;

export interface QuoteLimitsOptions {
  readonly db: Db;
  readonly clock: Clock;
  /** Null disables the limits. */
  readonly reservationLimits: ReservationLimits | null;
}

export class QuoteLimits {
  readonly #options: QuoteLimitsOptions;

  constructor(options: QuoteLimitsOptions) {
    this.#options = options;
  }

  /**
   * Counts an order or requote for its holder. Locks the counts until the end of the transaction.
   * Null when limits are off.
   */
  async countQuote(tx: Db, holder: QuoteHolder, now: Date): Promise<CountedQuote | null> {
    const { reservationLimits: limits } = this.#options;
    if (limits === null) return null;
    const { quotesPerDay: userLimit } = limits;
    const networkLimit = holder.kind === 'staff' ? STAFF_ORDER_LIMITS.quotesPerDay : limits.networkQuotesPerDay;
    const quote = { holder, now, dayAgo: new Date(now.getTime() - DAY_MS), userLimit, networkLimit };
    const { isWithin, isEmailConfirmed } = await quotes.countQuote(tx, quote);
    const counted = { holder: holder.kind, isEmailConfirmed, limits };
    if (isWithin) return { ...counted, retryAfterSeconds: null };
    const began = (await quotes.findFullCountStart(tx, quote)) ?? now;
    const retryAfterSeconds = Math.max(1, Math.ceil((began.getTime() + DAY_MS - now.getTime()) / 1000));
    return { ...counted, retryAfterSeconds };
  }

  /**
   * Shortens the payment window if items are scarce. Returns the changed columns. Staff chose the
   * window of their orders, so those keep it.
   */
  async shortenWindow(
    tx: Db,
    order: { readonly id: string; readonly expires_at: Date },
    counted: CountedQuote | null,
    reservation: ReservationResult,
    now: Date,
  ): Promise<Partial<NonNullable<ReturnType<typeof computeShortWindow>>>> {
    const isScarce = reservation.ok && reservation.isScarce;
    const isShort = counted !== null && counted.holder === 'buyer' && isScarce;
    const window = isShort ? computeShortWindow(now, order.expires_at, counted.limits) : null;
    if (window === null) return {};
    await quotes.shortenWindow(tx, order.id, window);
    return window;
  }

  /** Deletes expired quote counts. Runs periodically. */
  async deleteOld(): Promise<void> {
    await quotes.deleteOldCounts(this.#options.db, new Date(this.#options.clock.now().getTime() - DAY_MS));
  }
}
