/** The items of the first page, in the order of urgency. */
import { formatNumber } from '#src/shop/format-number.ts';
import { mayUse } from '#src/shop/permissions.ts';
import type { Area } from '#src/shop/permissions.ts';
import type { Todo } from '../contract.ts';

export interface TodoItem {
  readonly kind: string;
  readonly title: string;
  /** What to do, or why it matters. */
  readonly text: string;
  /** Page on which it is done. */
  readonly to: string;
  readonly isUrgent: boolean;
}

type CountKind = Exclude<keyof Todo, 'backup' | 'urgent_payments'>;

interface CountItem {
  readonly kind: CountKind;
  readonly one: string;
  readonly many: string;
  readonly text: string;
  readonly to: string;
  readonly area: Area;
}

const COUNT_ITEMS: readonly CountItem[] = [
  {
    kind: 'payments',
    one: 'payment needs a decision',
    many: 'payments need a decision',
    text: 'Late, partial, excess or lost payments.',
    to: '/admin/payments',
    area: 'payments',
  },
  {
    kind: 'to_ship',
    one: 'order to ship',
    many: 'orders to ship',
    text: 'Paid and not shipped.',
    to: '/admin/orders?queue=to-ship',
    area: 'orders',
  },
  {
    kind: 'returns',
    one: 'return to handle',
    many: 'returns to handle',
    text: 'To decide, inspect or refund, or with a deadline that is near.',
    to: '/admin/returns?view=waiting',
    area: 'orders',
  },
  {
    kind: 'withdrawals',
    one: 'withdrawal without an order',
    many: 'withdrawals without an order',
    text: 'Number and mail address do not belong together. Find out what the buyer means, and answer.',
    to: '/admin/withdrawals',
    area: 'orders',
  },
  {
    kind: 'refunds_to_sign',
    one: 'refund to sign',
    many: 'refunds to sign',
    text: 'Made, and not seen on the network. Sign and send it with your wallet.',
    to: '/admin/payments',
    area: 'payments',
  },
  {
    kind: 'failed_invoices',
    one: 'order without its invoice',
    many: 'orders without their invoice',
    text: 'It could not be issued. The shop tries again at least once an hour.',
    to: '/admin/invoices',
    area: 'orders',
  },
  {
    kind: 'waiting_invoices',
    one: 'invoice waits for an exchange rate',
    many: 'invoices wait for an exchange rate',
    text: 'The shop issues them once it has the rate of their day.',
    to: '/admin/invoice-currency',
    area: 'settings',
  },
  {
    kind: 'failed_rate_fetches',
    one: 'failed fetch of exchange rates',
    many: 'failed fetches of exchange rates',
    text: 'The file of the European Central Bank could not be used. The shop tries again at least once an hour.',
    to: '/admin/invoice-currency',
    area: 'settings',
  },
  {
    kind: 'tickets',
    one: 'ticket without an answer',
    many: 'tickets without an answer',
    text: 'The newest message is the customer’s.',
    to: '/admin/tickets',
    area: 'support',
  },
  {
    kind: 'reviews',
    one: 'review to approve',
    many: 'reviews to approve',
    text: 'Customers see a review once it is approved.',
    to: '/admin/reviews',
    area: 'support',
  },
  {
    kind: 'new_messages',
    one: 'new contact message',
    many: 'new contact messages',
    text: 'Nobody has answered or closed it.',
    to: '/admin/messages',
    area: 'support',
  },
  {
    kind: 'low_stock',
    one: 'item is low or sold out',
    many: 'items are low or sold out',
    text: 'At or below its threshold.',
    to: '/admin/inventory?show=low',
    area: 'stock',
  },
];

const BACKUP_TEXT = 'Download one now, and let the server write one every night to another machine.';

/** What needs this role now; empty if nothing does. */
export function listTodoItems(todo: Todo, role: string): readonly TodoItem[] {
  const items = COUNT_ITEMS.filter(({ kind, area }) => todo[kind] > 0 && mayUse(role, area)).map(
    ({ kind, one, many, text, to }): TodoItem => {
      const count = todo[kind];
      const isUrgent = kind === 'payments' && todo.urgent_payments > 0;
      const warning = isUrgent
        ? ` ${formatNumber(todo.urgent_payments)} of them: a wrong step may lose money or goods.`
        : '';
      return { kind, title: `${formatNumber(count)} ${count === 1 ? one : many}`, text: text + warning, to, isUrgent };
    },
  );
  if (!todo.backup.is_due || !mayUse(role, 'settings')) return items;
  const title = todo.backup.at === null ? 'No backup is recorded' : 'The last backup is too old';
  return [...items, { kind: 'backup', title, text: BACKUP_TEXT, to: '/admin/settings/system#backup', isUrgent: true }];
}
