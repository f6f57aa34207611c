/** What a withdrawal covers and what happens next, for the page and the mail. */
import { formatDate } from '#src/shop/format.ts';
import type { RefusalReason } from './kinds.ts';

interface Item {
  readonly name: string;
  readonly quantity: number;
  /** Of the quantity: not shipped, and stopped. */
  readonly cancelled: number;
}

export interface WithdrawalOutcome {
  /** Null: it has effect. */
  readonly problem: RefusalReason | null;
  readonly items: readonly Item[];
  /** Null: nothing is refunded. */
  readonly refundDueAt: Date | string | null;
  /** Last day of the period, such as 2026-12-14; null: it has not begun. */
  readonly lastDay: string | null;
  /** Of the shop. */
  readonly timeZone: string;
}

const formatItems = (items: readonly { readonly name: string; readonly quantity: number }[]): string =>
  items.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ');

/** "14 Dec 2026". @param day 2026-12-14 */
export const formatShopDay = (day: string): string => formatDate(`${day}T12:00:00Z`, 'day', 'UTC');

function explainEffect({ items, refundDueAt, timeZone }: WithdrawalOutcome): readonly string[] {
  const stopped = items.flatMap(({ cancelled, name }) => (cancelled > 0 ? [{ name, quantity: cancelled }] : []));
  const back = items.flatMap(({ cancelled, name, quantity }) =>
    quantity > cancelled ? [{ name, quantity: quantity - cancelled }] : [],
  );
  const due = refundDueAt === null ? '' : ` by ${formatDate(refundDueAt, 'day', timeZone)}`;
  return [
    ...(stopped.length > 0
      ? [`Not shipped yet, so we stopped it: ${formatItems(stopped)}. There is nothing to send back.`]
      : []),
    ...(back.length > 0
      ? [
          `Handed to the carrier before your withdrawal, so it comes back as a return: ${formatItems(back)}. Send it back within 14 days of your withdrawal, with a note of the reference in the parcel.`,
        ]
      : []),
    `We refund what you withdrew from${due}.${back.length > 0 ? ' We may wait until the goods, or your proof that you sent them, have arrived.' : ''} Enter a Bitcoin address for it on the page of the order, or write to us.`,
  ];
}

const NO_EFFECT: Readonly<Record<Exclude<RefusalReason, 'period-over'>, string>> = {
  'not-found': 'Number and mail address do not belong together.',
  'not-paid': 'The order is not paid, so there is no purchase to withdraw from. An unpaid order ends by itself.',
  business: 'The order was placed with the VAT number of a business. The right of withdrawal is for consumers.',
  'nothing-left': 'Nothing of the order is left: it was refunded, or you withdrew from it before.',
  'switched-off': 'The shop does not offer withdrawal on its pages. Write to us about a return.',
};

/** Why a withdrawal has no effect. */
export function explainProblem(problem: RefusalReason, lastDay: string | null): string {
  if (problem !== 'period-over') return NO_EFFECT[problem];
  const end = lastDay === null ? '' : ` on ${formatShopDay(lastDay)}`;
  return `The period of withdrawal ended${end}, 14 days after the delivery. If the goods are defective, write to us: the legal warranty is longer.`;
}

/** One paragraph each. */
export const explainOutcome = (outcome: WithdrawalOutcome): readonly string[] =>
  outcome.problem === null ? explainEffect(outcome) : [explainProblem(outcome.problem, outcome.lastDay)];
