import { formatUsd } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';

/** What a buyer must know of a line before ordering it. */
export type LineNotice =
  /** It is not sold any more, or not with these values: it is listed and not charged. */
  | { readonly code: 'withdrawn'; readonly message: string }
  | { readonly code: 'sold-out'; readonly message: string }
  /** Less is left than was asked for. */
  | { readonly code: 'short'; readonly message: string; readonly available: number }
  /** It costs something else than when it was put in or accepted. */
  | { readonly code: 'repriced'; readonly message: string; readonly wasCents: Cents; readonly isDearer: boolean };

export interface LineNoticeInput {
  readonly isWithdrawn: boolean;
  /** What one piece costs now. */
  readonly priceCents: Cents;
  /** What it cost when it was last put in, changed or accepted; null where nobody knows. */
  readonly seenCents: Cents | null;
  /** Pieces of the product in all lines of the cart. */
  readonly wanted: number;
  /** Null for a product of which there are always enough. */
  readonly available: number | null;
}

export function createLineNotices({
  isWithdrawn,
  priceCents,
  seenCents,
  wanted,
  available,
}: LineNoticeInput): LineNotice[] {
  if (isWithdrawn) return [{ code: 'withdrawn', message: 'Not sold any more' }];
  const notices: LineNotice[] = [];
  if (available === 0) notices.push({ code: 'sold-out', message: 'Sold out' });
  else if (available !== null && available < wanted) {
    notices.push({ code: 'short', message: `Only ${available} left`, available });
  }
  if (seenCents !== null && seenCents !== priceCents) {
    const message = `It was ${formatUsd(seenCents)} when you put it in`;
    notices.push({ code: 'repriced', message, wasCents: seenCents, isDearer: priceCents > seenCents });
  }
  return notices;
}
