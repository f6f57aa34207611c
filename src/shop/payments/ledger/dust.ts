import type { Sats } from '#src/shop/money.ts';
import { MIN_REFUND_SATS } from './min-refund.ts';

interface Output {
  readonly amountSats: Sats;
  readonly isLive: boolean;
}

/** Whether an output is too small to be sent to any address; an output of 0 satoshis is. */
export const isDust = ({ amountSats }: Pick<Output, 'amountSats'>): boolean => amountSats < MIN_REFUND_SATS;

/**
 * Whether every live output is dust and they do not cover what is due: the order then counts as unpaid, and its books keep
 * every satoshi. False when nothing is live.
 */
export function isOnlyDust(outputs: readonly Output[], dueSats: Sats): boolean {
  const live = outputs.filter(({ isLive }) => isLive);
  return live.length > 0 && live.every(isDust) && live.reduce((sum, { amountSats }) => sum + amountSats, 0n) < dueSats;
}

/** Whether something is live that can be sent back or that pays the order. */
export const hasRefundable = (outputs: readonly Output[], dueSats: Sats): boolean =>
  outputs.some(({ isLive }) => isLive) && !isOnlyDust(outputs, dueSats);
