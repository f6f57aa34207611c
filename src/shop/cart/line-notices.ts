import { formatUsd } from '#src/shop/format-number.ts';
import type { Cents } from '#src/shop/money.ts';

/** What the buyer should know before ordering a line. */
export type LineNotice =
  /** No longer available, or not with these values: listed and not charged. */
  | { readonly code: 'withdrawn'; readonly message: string }
  | { readonly code: 'sold-out'; readonly message: string }
  /** Less stock than the quantity. */
  | { readonly code: 'short'; readonly message: string; readonly available: number }
  /** Price changed since the line was added or accepted. */
  | { readonly code: 'repriced'; readonly message: string; readonly wasCents: Cents; readonly isDearer: boolean };

export interface LineNoticeInput {
  readonly isWithdrawn: boolean;
  /** Current unit price. */
  readonly priceCents: Cents;
  /** Unit price when the line was last added, changed or accepted; null if unknown. */
  readonly seenCents: Cents | null;
  /** Quantity of the product in all lines of the cart. */
  readonly quantity: number;
  /** Null for products without a stock limit. */
  readonly available: number | null;
}

/** Below zero: a count found less than orders promise. */
export const describeStock = (available: number): string => (available <= 0 ? 'Sold out' : `Only ${available} left`);

export function createLineNotices({
  isWithdrawn,
  priceCents,
  seenCents,
  quantity,
  available,
}: LineNoticeInput): LineNotice[] {
  if (isWithdrawn) return [{ code: 'withdrawn', message: 'No longer available' }];
  const notices: LineNotice[] = [];
  if (available !== null && available < Math.max(quantity, 1)) {
    const message = describeStock(available);
    notices.push(available <= 0 ? { code: 'sold-out', message } : { code: 'short', message, available });
  }
  if (seenCents !== null && seenCents !== priceCents) {
    const message = `It was ${formatUsd(seenCents)} when you added it`;
    notices.push({ code: 'repriced', message, wasCents: seenCents, isDearer: priceCents > seenCents });
  }
  return notices;
}
