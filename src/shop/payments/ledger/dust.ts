import type { Sats } from '#src/shop/money.ts';
import { MIN_REFUND_SATS } from './min-refund.ts';

interface Output {
  readonly amountSats: Sats;
  readonly isLive: boolean;
}

/** Whether an output is too small to be sent to any address; true for 0 satoshis. */
export const isDust = ({ amountSats }: Pick<Output, 'amountSats'>): boolean => amountSats < MIN_REFUND_SATS;

/**
 * Whether all live outputs are dust and do not cover the amount due: the order counts as unpaid.
 * False without live outputs.
 */
export function isOnlyDust(outputs: readonly Output[], dueSats: Sats): boolean {
  const live = outputs.filter(({ isLive }) => isLive);
  return live.length > 0 && live.every(isDust) && live.reduce((sum, { amountSats }) => sum + amountSats, 0n) < dueSats;
}

/** Whether live outputs can be refunded or pay the order. */
export const hasRefundable = (outputs: readonly Output[], dueSats: Sats): boolean =>
  outputs.some(({ isLive }) => isLive) && !isOnlyDust(outputs, dueSats);
