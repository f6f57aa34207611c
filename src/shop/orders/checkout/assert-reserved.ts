import type { AssessedLine } from '#src/shop/cart/assess-cart.ts';
import { formatShortage } from '#src/shop/inventory/format-shortage.ts';
import type { ReservationResult } from '#src/shop/inventory/reservation.ts';
import { CheckoutError } from './checkout-error.ts';
import { describeReservationLimit } from './reservation-limits.ts';
import type { CountedQuote } from './reservation-limits.ts';

/** @throws CheckoutError if the quote limit is reached or the items can't be reserved. */
export function assertReserved(
  counted: CountedQuote | null,
  reservation: ReservationResult,
  lines: readonly Pick<AssessedLine, 'variantId' | 'name' | 'propertyValues'>[],
): void {
  const retryAfterSeconds = counted?.retryAfterSeconds ?? null;
  if (retryAfterSeconds !== null) throw new CheckoutError('too-often', { retryAfterSeconds });
  if (reservation.ok) return;
  if (reservation.reason === 'reserve-limit') {
    throw new CheckoutError('reserve-limit', { words: describeReservationLimit(reservation.of, counted) });
  }
  const { short } = reservation;
  const isReducible = short.some(({ available }) => available > 0);
  const isAnyGone = short.some(({ available }) => available <= 0);
  const named = lines.map((line) => ({ ...line, values: line.propertyValues.map(({ value }) => value) }));
  const removing = isReducible ? 'Remove what is sold out and reduce the quantity' : 'Remove it from your cart';
  const advice = isAnyGone ? removing : 'Reduce the quantity';
  throw new CheckoutError('sold-out', { words: `${formatShortage(short, named)}. ${advice} to continue` });
}
