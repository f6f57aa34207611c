/** The column "API key" of the access matrix: which calls a key may make. */
import { listScopes, SCOPE_CALLS } from '#src/shop/api-keys/scope.ts';

export const SCOPED_CALLS: ReadonlySet<string> = new Set(listScopes().flatMap((scope) => SCOPE_CALLS[scope]));

/** Staff calls without a scope, by the reason. Beginnings of keys. */
const KEYLESS_CALLS: Readonly<Record<string, readonly string[]>> = {
  'need a recent password: money, exports, erased accounts': [
    'POST /orders/{id}/settle',
    'POST /orders/{id}/give-up',
    'POST /orders/{id}/close-as-loss',
    'POST /orders/{id}/release-stock',
    'POST /orders/{id}/refund-address/enter',
    'POST /orders/{id}/refunds',
    'POST /orders/{id}/write-offs',
    'POST /refunds/',
    'GET /exports/books',
    'GET /exports/invoices',
    'GET /exports/orders',
    'GET /exports/products',
    'GET /exports/sales',
    'POST /support/customers/{id}/erase',
  ],
  'the team, settings and secrets': [
    'GET /staff',
    'PUT /staff/role',
    'POST /staff/invitations',
    'DELETE /staff/invitations/{id}',
    'GET /settings',
    'GET /shop/settings',
    'PUT /shop/settings/',
    'GET /tax/settings',
    'PUT /tax/settings',
    'GET /shipping/settings',
    'PUT /shipping/settings',
    'POST /carriers',
    'PUT /carriers/{id}',
    'DELETE /carriers/{id}',
    'GET /support/setup',
    'GET /support/paid-order-mails',
    'PUT /support/paid-order-mails',
    'PUT /low-stock',
    'GET /second-factor',
    'POST /second-factor',
    'DELETE /second-factor/pending-change',
    'DELETE /second-factor/passkeys/{id}',
    'GET /api-keys',
    'POST /api-keys',
    'DELETE /api-keys/{id}',
    'POST /webhooks',
    'PUT /webhooks/{id}',
    'DELETE /webhooks/{id}',
    'POST /webhooks/{id}/enable',
    'POST /webhooks/{id}/disable',
    'POST /webhooks/{id}/rotate-secret',
  ],
  'the audit log': ['GET /support/audit', 'GET /exports/audit'],
  'the work of people: orders by phone, texts, reviews, imports with their check, the chain, overviews': [
    'GET /support/order-variants',
    'POST /support/orders',
    'GET /content/',
    'PUT /content/',
    'POST /content/',
    'DELETE /content/',
    'GET /support/reviews',
    'POST /support/reviews/',
    'PUT /support/reviews/',
    'DELETE /support/contact-messages/{id}',
    'GET /imports',
    'POST /imports',
    'GET /support/chain',
    'GET /support/health',
    'GET /support/todo',
    'GET /support/reservations',
    'GET /support/order-filters',
    'POST /support/order-filters',
    'DELETE /support/order-filters/{id}',
    'GET /payments/attention',
    'GET /payments/transactions/{txid}',
    'GET /payments/rescans',
    'POST /payments/rescans',
  ],
};

const KEYLESS = Object.values(KEYLESS_CALLS).flat();

/** Whether a call of staff has a scope or a reason. */
export const isDecided = (key: string): boolean =>
  SCOPED_CALLS.has(key) || KEYLESS.some((start) => key.startsWith(start));
