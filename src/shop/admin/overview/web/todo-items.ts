/** The items of the first page, in the order of urgency. */
import { formatNumber } from '#src/shop/format-number.ts';
import type { Todo } from '../contract.ts';

export interface TodoItem {
  readonly kind: string;
  readonly title: string;
  /** What to do, or why it matters. */
  readonly text: string;
  /** Page on which it is done; null: none in the back office. */
  readonly to: string | null;
  readonly isUrgent: boolean;
}

type CountKind = Exclude<keyof Todo, 'backup' | 'urgent_payments'>;

interface CountItem {
  readonly kind: CountKind;
  readonly one: string;
  readonly many: string;
  readonly text: string;
  readonly to: string | null;
}

const COUNT_ITEMS: readonly CountItem[] = [
  {
    kind: 'payments',
    one: 'payment needs a decision',
    many: 'payments need a decision',
    text: 'Late, partial, excess or lost payments.',
    to: '/admin/payments',
  },
  {
    kind: 'to_ship',
    one: 'order to ship',
    many: 'orders to ship',
    text: 'Paid and not shipped.',
    to: '/admin/orders?status=paid&fulfilment=unfulfilled',
  },
  {
    kind: 'refunds_to_sign',
    one: 'refund to sign',
    many: 'refunds to sign',
    text: 'Made, and not seen on the network. Sign and send it with your wallet.',
    to: '/admin/payments',
  },
  {
    kind: 'tickets',
    one: 'ticket without an answer',
    many: 'tickets without an answer',
    text: 'The newest message is the customer’s.',
    to: null,
  },
  {
    kind: 'reviews',
    one: 'review to approve',
    many: 'reviews to approve',
    text: 'Customers see a review once it is approved.',
    to: null,
  },
  {
    kind: 'new_messages',
    one: 'contact message in the last 7 days',
    many: 'contact messages in the last 7 days',
    text: 'Sent to your support address too. Answer by mail.',
    to: null,
  },
  {
    kind: 'low_stock',
    one: 'item is low or sold out',
    many: 'items are low or sold out',
    text: 'At or below its threshold.',
    to: '/admin/inventory?show=low',
  },
];

const BACKUP_TEXT = 'Write one every night with "npm run db -- backup FILE", and store it on another machine.';

/** What needs staff now; empty if nothing does. */
export function listTodoItems(todo: Todo): readonly TodoItem[] {
  const items = COUNT_ITEMS.filter(({ kind }) => todo[kind] > 0).map(({ kind, one, many, text, to }): TodoItem => {
    const count = todo[kind];
    const isUrgent = kind === 'payments' && todo.urgent_payments > 0;
    const warning = isUrgent
      ? ` ${formatNumber(todo.urgent_payments)} of them: a wrong step may lose money or goods.`
      : '';
    return { kind, title: `${formatNumber(count)} ${count === 1 ? one : many}`, text: text + warning, to, isUrgent };
  });
  if (!todo.backup.is_due) return items;
  const title = todo.backup.at === null ? 'No backup is recorded' : 'The last backup is too old';
  return [...items, { kind: 'backup', title, text: BACKUP_TEXT, to: null, isUrgent: true }];
}
