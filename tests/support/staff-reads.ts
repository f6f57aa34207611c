/**
 * Calls with which staff read personal data of others, each with one request of it. Every other reading call of
 * staff is listed in `WITHOUT_PERSONAL_DATA`.
 */
import type { shopApi } from '#src/shop/api.ts';

type Key = keyof typeof shopApi;

/** Ids of data of one customer. */
export interface ReadIds {
  readonly customer: string;
  /** Paid. */
  readonly order: string;
  readonly txid: string;
  readonly invoice: string;
  readonly ticket: string;
  readonly message: string;
  readonly promotion: string;
  readonly returned: string;
  /** Of the return, which also has a label. */
  readonly picture: string;
}

export interface StaffRead {
  readonly params?: (ids: ReadIds) => Readonly<Record<string, string>>;
  readonly query?: (ids: ReadIds) => string;
  readonly body?: object;
  /** Its security event. Calls of owners only are recorded as such. */
  readonly event?: 'owner_action';
  /** Subject of its audit entry, for an export. */
  readonly exported?: string;
}

const ofOrder: StaffRead = { params: ({ order }) => ({ id: order }) };
const ofTicket: StaffRead = { params: ({ ticket }) => ({ id: ticket }) };
const ofMessage: StaffRead = { params: ({ message }) => ({ id: message }) };
const byOwner = { event: 'owner_action' } as const;

export const STAFF_READS: Readonly<Partial<Record<Key, StaffRead>>> = {
  'GET /payments/attention': {},
  'GET /payments/transactions/{txid}': { params: ({ txid }) => ({ txid }) },
  'GET /support/orders': {},
  'GET /support/orders/{id}': ofOrder,
  'GET /support/orders/{id}/withdrawals': ofOrder,
  'GET /support/returns': {},
  'GET /support/returns/{id}': { params: ({ returned }) => ({ id: returned }) },
  'GET /support/returns/{id}/pictures/{picture_id}': {
    params: ({ picture, returned }) => ({ id: returned, picture_id: picture }),
  },
  'GET /support/returns/{id}/label-file': { params: ({ returned }) => ({ id: returned }) },
  'GET /support/withdrawals': {},
  'GET /support/reservations': {},
  'GET /support/fulfilment': { query: ({ order }) => `?ids=${order}` },
  'GET /orders/{id}/notes': ofOrder,
  'GET /orders/{id}/refunds': ofOrder,
  'GET /support/invoices': {},
  'GET /support/invoices/{id}/pdf': { params: ({ invoice }) => ({ id: invoice }) },
  'GET /support/customers': {},
  'GET /support/customers/{id}': { params: ({ customer }) => ({ id: customer }) },
  'GET /support/customers/{id}/billing': { params: ({ customer }) => ({ id: customer }) },
  'GET /support/tickets': {},
  'GET /support/tickets/{id}': ofTicket,
  'GET /tickets/{id}': ofTicket,
  'GET /tickets/{id}/messages': ofTicket,
  'GET /support/contact-messages': {},
  'GET /support/contact-messages/{id}': ofMessage,
  'POST /support/contact-messages/{id}/answers': { ...ofMessage, body: { text: 'Hello', seen_answer_id: null } },
  'POST /support/contact-messages/{id}/state': { ...ofMessage, body: { is_done: true } },
  'POST /support/contact-messages/{id}/spam': { ...ofMessage, body: { is_spam: true } },
  'GET /support/reviews': {},
  'GET /support/promotions/{id}/uses': { params: ({ promotion }) => ({ id: promotion }) },
  'GET /support/audit': {},
  'GET /staff': byOwner,
  'GET /staff/invitations': byOwner,
  'GET /exports/audit': { ...byOwner, exported: 'audit-log' },
  'GET /exports/books': { ...byOwner, exported: 'books' },
  'GET /exports/invoices': { ...byOwner, exported: 'invoices' },
  'GET /exports/orders': { exported: 'orders' },
  'POST /exports/backup': { ...byOwner, exported: 'backup', body: { passphrase: 'a long passphrase' } },
  'GET /exports/serial-numbers': { exported: 'serial-numbers' },
};

export const WITHOUT_PERSONAL_DATA: ReadonlySet<string> = new Set<Key>([
  'GET /api-keys',
  'GET /carriers',
  'GET /catalogue/products',
  'GET /catalogue/products/{id}',
  'GET /catalogue/products/{id}/costs',
  'GET /catalogue/products/{id}/preview',
  'GET /catalogue/products/{id}/sale-prices',
  'GET /catalogue/structure',
  'GET /content/faq',
  'GET /content/guide',
  'GET /content/home',
  'GET /content/legal/{kind}',
  'GET /content/legal/{kind}/{number}',
  'GET /exports/products',
  // Sums by day, product, country and the like.
  'GET /exports/sales',
  'GET /imports',
  'GET /imports/{id}',
  'GET /imports/{id}/changes',
  'GET /imports/{id}/problems',
  'GET /inventory',
  'GET /inventory/products/{product_id}',
  'GET /inventory/{variant_id}',
  // Numbers of orders, without their buyers.
  'GET /inventory/{variant_id}/history',
  // Kinds of mails, without their texts.
  'GET /orders/{id}/mails',
  'GET /pictures',
  // The caller's own.
  'GET /second-factor',
  'GET /settings',
  'GET /shipping/settings',
  // Numbers of orders, without their buyers.
  'GET /shop/retention',
  'GET /shop/settings',
  'GET /support/canned-answers',
  'GET /support/chain',
  'GET /support/health',
  // The caller's own.
  'GET /support/order-filters',
  'GET /support/order-defaults',
  'GET /support/order-variants',
  // Numbers and amounts of documents, without their buyer.
  'GET /support/orders/{id}/invoices',
  'GET /support/orders/{id}/terms',
  'GET /support/orders/{id}/terms/pdf',
  'GET /support/paid-order-mails',
  'GET /support/promotions',
  'GET /support/promotions/{id}',
  // Without their buyers.
  'GET /support/recent-orders',
  'GET /support/sales',
  'GET /support/sales/comparison',
  'GET /support/sales/groups',
  'GET /support/setup',
  'GET /support/stock-value',
  'GET /support/system',
  'GET /support/ticket-counts',
  'GET /support/todo',
  'GET /tax/settings',
  'GET /tax/national-currency',
  'GET /webhook-deliveries/{id}',
  'GET /webhooks',
  'GET /webhooks/{id}',
  'GET /webhooks/{id}/deliveries',
]);

/** Fields of a response that are about a customer. */
export const PERSONAL_FIELDS: ReadonlySet<string> = new Set([
  'billing',
  'buyer',
  'city',
  'customer',
  'email',
  'firstName',
  'lastName',
  'phone',
  'postcode',
  'recipient',
  'streetAddress',
  'user_id',
  'userId',
  'username',
]);
