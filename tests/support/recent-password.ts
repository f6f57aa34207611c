/** Which access rules require a recent password, each with a call of it, and the calls that require one. */
import type { AccessRuleName } from '#src/shop/access-rules.ts';
import { ABSENT_ID } from './access-callers.ts';

export interface RuleCall {
  readonly needsRecentPassword: boolean;
  /** By an owner. It changes nothing. */
  readonly call: string;
  readonly body?: object;
}

const open = (call: string): RuleCall => ({ needsRecentPassword: false, call });
const sensitive = (call: string, body?: object): RuleCall => ({
  needsRecentPassword: true,
  call,
  ...(body === undefined ? {} : { body }),
});
const DAYS = 'from=2026-03-01&to=2026-03-31';

export const RULE_CALLS: Readonly<Record<AccessRuleName, RuleCall>> = {
  user: open('GET /users/user'),
  'back-office': open('GET /support/todo'),
  orders: open('GET /support/orders'),
  'manual-orders': open('GET /support/order-variants?q=iphone'),
  shipping: open(`POST /orders/${ABSENT_ID}/deliver`),
  stock: open('GET /inventory'),
  support: open('GET /support/tickets'),
  customers: open('GET /support/customers'),
  'customer-changes': open(`POST /support/customers/${ABSENT_ID}/block`),
  catalogue: open('GET /pictures'),
  'catalogue-exports': sensitive('GET /exports/products'),
  payments: open('GET /payments/attention'),
  money: sensitive(`POST /refunds/${ABSENT_ID}/withdraw`),
  reports: open(`GET /support/sales?${DAYS}`),
  'report-exports': sensitive(`GET /exports/sales?${DAYS}`),
  settings: open('GET /shop/settings'),
  'settings-changes': sensitive('PUT /shop/settings/time', { version: 1_000_000, time_zone: 'UTC' }),
  environment: open('GET /settings'),
  backups: sensitive('POST /exports/backup', { passphrase: 'short' }),
  'legal-texts': sensitive('POST /content/legal/terms/publish', { version: 1_000_000 }),
  audit: open('GET /support/audit'),
  accounting: sensitive('GET /exports/books'),
  team: open('GET /staff'),
  'team-changes': sensitive('PUT /staff/role', { username: 'nobody of this name', role: 'support' }),
  'own-factor': open('GET /second-factor'),
  'own-factor-changes': sensitive(`DELETE /second-factor/passkeys/${ABSENT_ID}`),
  integrations: open('GET /webhooks'),
  'integration-changes': sensitive(`POST /webhooks/${ABSENT_ID}/rotate-secret`),
};

/** Calls that an access rule closes to a session without a recent password. */
export const RECENT_PASSWORD_CALLS = [
  'DELETE /carriers/{id}',
  'DELETE /second-factor/passkeys/{id}',
  'DELETE /staff/invitations/{id}',
  'DELETE /tax/national-rates/{day}',
  'GET /exports/audit',
  'GET /exports/books',
  'GET /exports/invoices',
  'GET /exports/orders',
  'GET /exports/products',
  'GET /exports/sales',
  'GET /exports/serial-numbers',
  'POST /api-keys',
  'POST /carriers',
  'POST /content/legal/{kind}/publish',
  'POST /dev/refunds/{id}/sign',
  'POST /exports/backup',
  'POST /orders/{id}/close-as-loss',
  'POST /orders/{id}/give-up',
  'POST /orders/{id}/refund-address/enter',
  'POST /orders/{id}/refunds',
  'POST /orders/{id}/refunds/elsewhere',
  'POST /orders/{id}/settle',
  'POST /orders/{id}/write-offs',
  'POST /refunds/{id}/broadcast',
  'POST /refunds/{id}/record',
  'POST /refunds/{id}/undo-record',
  'POST /refunds/{id}/withdraw',
  'POST /second-factor',
  'POST /second-factor/confirm',
  'POST /second-factor/passkey-options',
  'POST /second-factor/passkeys',
  'POST /second-factor/recovery-codes',
  'POST /second-factor/remove',
  'POST /second-factor/verification-options',
  'POST /second-factor/verify',
  'POST /second-factor/verify-passkey',
  'POST /staff/invitations',
  'POST /staff/invitations/{id}/resend',
  'POST /support/returns/{id}/exchange',
  'POST /support/returns/{id}/refund',
  'POST /support/returns/{id}/void',
  'POST /webhooks',
  'POST /webhooks/{id}/rotate-secret',
  'PUT /carriers/{id}',
  'PUT /shipping/settings',
  'PUT /shop/settings',
  'PUT /shop/settings/announcement',
  'PUT /shop/settings/consumers',
  'PUT /shop/settings/identity',
  'PUT /shop/settings/late-payments',
  'PUT /shop/settings/legal',
  'PUT /shop/settings/mail',
  'PUT /shop/settings/orders',
  'PUT /shop/settings/prices',
  'PUT /shop/settings/refunds',
  'PUT /shop/settings/retention',
  'PUT /shop/settings/returns',
  'PUT /shop/settings/time',
  'PUT /staff/role',
  'PUT /support/paid-order-mails',
  'PUT /tax/national-currency',
  'PUT /tax/national-rates',
  'PUT /tax/settings',
  'PUT /webhooks/{id}',
] as const;

/** Calls whose handlers ask for it: changes of one's own account, and the erasure of an account. */
export const HANDLED_CALLS: readonly Pick<RuleCall, 'call' | 'body'>[] = [
  { call: 'PUT /users/{own}', body: { email: 'recent@password.example' } },
  { call: 'PUT /users/{own}', body: { password: 'another-password' } },
  { call: 'DELETE /users/{own}', body: { username: 'not this name' } },
  { call: `POST /support/customers/${ABSENT_ID}/erase`, body: { username: 'nobody of this name' } },
];
