/** Texts of the mails to staff about paid orders. */
import type { MailContents } from '#src/shop/notifications/render-mail.ts';

export interface PaidOrderFacts {
  readonly number: string;
  readonly totalUsd: string;
  readonly totalBtc: string;
  /** Number of ordered units. */
  readonly units: number;
  /** Name of the country of the delivery address. */
  readonly country: string;
  readonly url: string;
}

const REASON =
  'You get this mail because this is the support address of the shop. An owner can change it on the orders page.';
const formatUnits = (units: number): string => (units === 1 ? '1 unit' : `${units} units`);

export function writePaidOrderMail(order: PaidOrderFacts): MailContents {
  return {
    subject: `Order ${order.number} is paid: ${order.totalUsd}`,
    title: `Order ${order.number} is paid`,
    preview: `${formatUnits(order.units)} to ${order.country}`,
    blocks: [
      {
        kind: 'facts',
        facts: [
          { label: 'Order', value: order.number },
          { label: 'Total', value: `${order.totalUsd} (${order.totalBtc})` },
          { label: 'Items', value: formatUnits(order.units) },
          { label: 'Country', value: order.country },
        ],
      },
      { kind: 'link', label: 'Open the order', url: order.url },
    ],
    reason: REASON,
  };
}

export interface PaidOrdersData {
  readonly orders: readonly PaidOrderFacts[];
  /** Number of orders, those left out included. */
  readonly total: number;
  /** The queue to ship. */
  readonly url: string;
}

export function writePaidOrdersMail({ orders, total, url }: PaidOrdersData): MailContents {
  const title = total === 1 ? '1 order was paid' : `${total} orders were paid`;
  return {
    subject: title,
    title,
    preview: orders
      .map(({ number, totalUsd }) => `${number}: ${totalUsd}`)
      .join(', ')
      .slice(0, 140),
    blocks: [
      { kind: 'text', text: 'Since the last mail these orders were paid.' },
      {
        kind: 'lines',
        lines: orders.map(({ country, number, totalUsd, units }) => ({
          name: number,
          detail: `${formatUnits(units)} to ${country}`,
          amount: totalUsd,
        })),
        totals: [],
      },
      ...(total > orders.length ? [{ kind: 'text', text: `And ${total - orders.length} more.` } as const] : []),
      { kind: 'link', label: 'View orders to ship', url },
    ],
    reason: REASON,
  };
}
