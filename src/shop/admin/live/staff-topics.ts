/** What a page of the back office shows, and which calls change it. */

/** Sent between processes by position: only append. */
export const staffTopics = [
  'orders',
  'payments',
  'refunds',
  'stock',
  'tickets',
  'reviews',
  'messages',
  'catalogue',
  'promotions',
  'customers',
  'settings',
  'health',
  'integrations',
  'invoices',
] as const;
export type StaffTopic = (typeof staffTopics)[number];

const ORDER: readonly StaffTopic[] = ['orders', 'payments', 'refunds', 'stock', 'promotions'];
const CATALOGUE: readonly StaffTopic[] = ['catalogue', 'stock'];
/** An erased account takes what it wrote along. */
const ACCOUNT: readonly StaffTopic[] = ['customers', 'orders', 'tickets', 'reviews', 'messages'];

/** Paths of calls by their start. The longest one that matches applies. */
const TOPICS_BY_PATH: Readonly<Record<string, readonly StaffTopic[]>> = {
  '/cart/checkout': ORDER,
  '/orders': ORDER,
  '/payments': ORDER,
  '/refunds': ORDER,
  '/refund-addresses': ORDER,
  '/returns': ORDER,
  '/returns/{id}/ticket': ['tickets', 'orders'],
  '/support/returns': ORDER,
  '/support/withdrawals': ['orders'],
  '/support/orders': ORDER,
  '/support/paid-order-mails': ['orders'],
  '/support/reservations': ORDER,
  '/support/shipments': ORDER,
  '/support/serial-numbers': ['orders'],
  '/support/refunds': ORDER,
  '/dev/pay': ORDER,
  '/tickets': ['tickets'],
  '/support/tickets': ['tickets'],
  '/support/canned-answers': ['tickets'],
  '/reviews': ['reviews'],
  '/support/reviews': ['reviews'],
  '/contact': ['messages'],
  '/support/contact-messages': ['messages'],
  '/inventory': ['stock'],
  '/low-stock': ['stock'],
  '/catalogue': CATALOGUE,
  '/sale-prices': CATALOGUE,
  '/imports': CATALOGUE,
  '/pictures': ['catalogue'],
  '/support/promotions': ['promotions'],
  '/users': ['customers'],
  '/users/{id}': ACCOUNT,
  '/staff': ['customers'],
  '/invitations': ['customers'],
  '/support/customers': ['customers'],
  '/support/customers/{id}/erase': ACCOUNT,
  '/shop': ['settings'],
  '/tax': ['settings'],
  '/shipping': ['settings'],
  '/carriers': ['settings'],
  '/content': ['settings'],
  '/settings': ['settings'],
  '/webhooks': ['integrations'],
  '/webhook-deliveries': ['integrations'],
  '/api-keys': ['integrations'],
};

/** Calls below these paths that change nothing for staff. */
const UNCHANGING = [
  '/orders/history',
  '/orders/transfer-cart',
  '/users/login',
  '/users/logout',
  '/users/reauthenticate',
  '/users/sessions',
  '/users/request-password-reset',
  '/users/send-confirmation',
];
const isPreview = (path: string): boolean => path.endsWith('preview');

const startsWithPath = (path: string, start: string): boolean => path === start || path.startsWith(`${start}/`);

/** What a successful call changes for staff; nothing if it only reads. @param key such as `POST /orders/{id}/ship` */
export function listTopicsOfCall(key: string): readonly StaffTopic[] {
  const [method, path = ''] = key.split(' ');
  if (method === 'GET' || isPreview(path) || UNCHANGING.some((one) => startsWithPath(path, one))) return [];
  const [longest] = Object.keys(TOPICS_BY_PATH)
    .filter((start) => startsWithPath(path, start))
    .toSorted((a, b) => b.length - a.length);
  return longest === undefined ? [] : (TOPICS_BY_PATH[longest] ?? []);
}

/** Topics as the ids of a notification: hexadecimal positions. */
export const encodeTopics = (topics: Iterable<StaffTopic>): readonly string[] =>
  [...topics].map((topic) => staffTopics.indexOf(topic).toString(16));

/** The topics of a notification. Unknown ones, of a newer release, are left out. */
export const decodeTopics = (ids: readonly string[]): readonly StaffTopic[] =>
  ids.flatMap((id) => staffTopics[Number.parseInt(id, 16)] ?? []);
