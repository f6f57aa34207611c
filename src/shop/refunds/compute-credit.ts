import type { Cents, Sats } from '#src/shop/money.ts';
import type { RefundReturn } from './return-value.ts';

/** The order that a credit pays. */
export interface CreditedOrder {
  readonly totalCents: Cents;
  /** The total at its rate. Each part of it is rounded up to a payable amount. */
  readonly dueSats: Sats;
}

/**
 * What a refund returns as a credit. By value, dollars that cover the total also cover the amount due, whose parts are
 * rounded up: otherwise an exchange at one price would leave some satoshis to pay.
 */
export function computeCredit(returns: RefundReturn, { dueSats, totalCents }: CreditedOrder): RefundReturn {
  const { fullSats, method, value } = returns;
  if (method === 'kind' || value === null || value.cents < totalCents || fullSats >= dueSats) return returns;
  return { ...returns, fullSats: dueSats, value: { cents: value.cents, sats: dueSats } };
}
