/** Text of the daily mail about low stock. */
import { describeAvailable } from '#src/shop/inventory/low-stock/describe-stock.ts';
import type { MailContents } from '#src/shop/notifications/render-mail.ts';

export interface LowStockMailData {
  /** The lowest first. */
  readonly variants: readonly { readonly name: string; readonly sku: string; readonly available: number }[];
  /** Number of variants, those left out included. */
  readonly total: number;
  /** Admin page with low stock. */
  readonly url: string;
}

export function writeLowStockMail({ variants, total, url }: LowStockMailData): MailContents {
  const subject = total === 1 ? '1 item is low in stock' : `${total} items are low in stock`;
  const omitted = total - variants.length;
  return {
    subject,
    title: subject,
    preview: variants
      .map(({ name, available }) => `${name}: ${describeAvailable(available)}`)
      .join(', ')
      .slice(0, 140),
    blocks: [
      { kind: 'text', text: 'Since the last mail these items fell to or below their threshold, or sold out.' },
      {
        kind: 'lines',
        lines: variants.map(({ name, sku, available }) => ({
          name,
          detail: sku,
          amount: describeAvailable(available),
        })),
        totals: [],
      },
      ...(omitted > 0 ? [{ kind: 'text', text: `And ${omitted} more.` } as const] : []),
      { kind: 'link', label: 'View low stock', url },
    ],
    reason:
      'You get this mail at most once a day, because this is the support address of the shop. Switch it off on the inventory page.',
  };
}
