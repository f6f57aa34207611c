import { formatNumber } from '#src/shop/format-number.ts';

/** Confirmations of a payment beside those it needs: `1 of 2`, and `3 (2 needed)` once it has more. */
export const formatDepth = (confirmations: number, required: number): string =>
  confirmations > required
    ? `${formatNumber(confirmations)} (${formatNumber(required)} needed)`
    : `${formatNumber(confirmations)} of ${formatNumber(required)}`;
