/** What a refund returns, in both amounts, before staff create it. */
import { cents, centsPerBtc, sats } from '#src/shop/money.ts';
import type { Cents, Sats } from '#src/shop/money.ts';
import { formatBtc, formatUsd } from '#src/shop/format-number.ts';
import { convertToCents, convertToSats } from '#src/shop/refunds/return-value.ts';
import type { RefundsOfOrder } from '#src/shop/refunds/contract.ts';

type Returns = Pick<RefundsOfOrder['returns'], 'method' | 'rate_usd'>;

export const toCents = (dollars: number): Cents => cents(BigInt(Math.round(dollars * 100)));
export const toSats = (btc: number): Sats => sats(BigInt(Math.round(btc * 1e8)));

interface ToReturn {
  /** Dollars of a paid order. */
  readonly value: Cents;
  /** Satoshis that paid them. */
  readonly debit: Sats;
  /** Satoshis that never paid for the order, returned too. */
  readonly surplus?: Sats;
}

/** For example "$500.00 is 0.005120 BTC at the present price …". */
export function describeReturn({ value, debit, surplus = sats(0n) }: ToReturn, returns: Returns): string {
  const over = surplus > 0n ? ` The overpayment of ${formatBtc(surplus)} is returned too.` : '';
  const rate = returns.rate_usd === null ? null : centsPerBtc(toCents(returns.rate_usd));
  if (returns.method === 'kind') {
    const worth = rate === null ? '' : `, worth ${formatUsd(convertToCents(debit, rate))} at the present bitcoin price`;
    return `Returns the ${formatBtc(debit)} that paid ${formatUsd(value)}${worth}.${over}`;
  }
  if (rate === null) return 'There is no fresh bitcoin price, so this refund can’t be created now.';
  const amount = convertToSats(value, rate);
  // Shares are rounded down, which is no more than a satoshi.
  const warning = amount > debit + 1n ? ' This returns more bitcoin than was received for it.' : '';
  return `Returns ${formatUsd(value)}, ${formatBtc(amount)} at the present bitcoin price of ${formatUsd(rate)}. ${formatBtc(debit)} was received for it.${warning}${over}`;
}
