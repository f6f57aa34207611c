/**
 * The period of withdrawal: 14 days from the day on which the last parcel was delivered (Directive 2011/83/EU, article
 * 9(2)(b)(i)). That day is not counted (Regulation 1182/71, article 3(1)). Calendar days of the shop's time zone: the
 * period is not longer when it ends on a weekend or holiday, whichever country's they are.
 */
import { addShopDays, endOfShopDay, toShopDay } from '#src/shop/shop-days.ts';

export const WITHDRAWAL_DAYS = 14;
/** Within which the shop refunds (article 13(1)), from the moment of the statement. */
export const REFUND_DAYS = 14;

export interface WithdrawalPeriod {
  /** The last day, such as 2026-12-14; null while the delivery is not known: the period has not begun. */
  readonly lastDay: string | null;
  readonly isOver: boolean;
}

/** @param deliveredAt of the last parcel; null: not known */
export function computePeriod(deliveredAt: Date | null, now: Date, timeZone: string): WithdrawalPeriod {
  if (deliveredAt === null) return { lastDay: null, isOver: false };
  const lastDay = addShopDays(toShopDay(deliveredAt, timeZone), WITHDRAWAL_DAYS);
  return { lastDay, isOver: now >= endOfShopDay(lastDay, timeZone) };
}

/** The end of the last day on which the refund may be made. */
export const computeRefundDue = (statedAt: Date, timeZone: string): Date =>
  new Date(endOfShopDay(addShopDays(toShopDay(statedAt, timeZone), REFUND_DAYS), timeZone).getTime() - 1);
