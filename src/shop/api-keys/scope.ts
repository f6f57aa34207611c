/** Scopes of API keys, and the calls that each one permits. */

/** Names and what they permit, as the form says it. */
export const SCOPES = {
  'orders:read': 'See orders with their buyers, addresses, notes and refunds',
  'orders:write': 'Ship orders, mark them as delivered, handle returns, correct addresses, write notes',
  'catalogue:read': 'See products, drafts, prices, promotions and pictures',
  'catalogue:write': 'Change products, categories, brands and pictures; prices of products only with prices:write',
  'prices:write': 'Change sale prices and promotions; with catalogue:write also prices of products',
  'inventory:read': 'See stock with its history',
  'inventory:write': 'Change stock and thresholds',
  'customers:read': 'See customers',
  'customers:write': 'Block customers and end their sessions',
  'tickets:read': 'See tickets and contact messages',
  'tickets:write': 'Answer, assign and close tickets, answer contact messages',
  'invoices:read': 'See and download invoices and credit notes',
  'reports:read': 'See and export sales figures',
  'webhooks:read': 'See webhook endpoints and deliveries',
  'webhooks:write': 'Send test events, send deliveries again',
} as const;
export type Scope = keyof typeof SCOPES;

const isScope = (text: string): text is Scope => Object.hasOwn(SCOPES, text);

/** All scopes, in the order of the form. */
export const listScopes = (): Scope[] => Object.keys(SCOPES).filter((name) => isScope(name));

/** Those of these texts that are scopes. A newer version of the shop may have stored others. */
export const pickScopes = (texts: readonly string[]): Scope[] => texts.filter((text) => isScope(text));

/** Calls that are not here cannot be made with a key. A test lists those of staff with the reason. */
export const SCOPE_CALLS: Readonly<Record<Scope, readonly string[]>> = {
  'orders:read': [
    'GET /support/orders',
    'GET /support/orders/{id}',
    'GET /support/fulfilment',
    'GET /support/orders/{id}/withdrawals',
    'GET /support/orders/{id}/terms',
    'GET /support/orders/{id}/terms/pdf',
    'GET /orders/{id}/notes',
    'GET /orders/{id}/mails',
    'GET /orders/{id}/refunds',
    'GET /support/returns',
    'GET /support/withdrawals',
    'GET /support/returns/{id}',
    'GET /support/returns/{id}/pictures/{picture_id}',
    'GET /support/returns/{id}/label-file',
    'GET /carriers',
  ],
  'orders:write': [
    'POST /support/shipments',
    'POST /orders/{id}/ship',
    'POST /orders/{id}/deliver',
    'PUT /orders/{id}/shipments/{number}',
    'PUT /orders/{id}/shipments/{number}/serials',
    'POST /orders/{id}/shipments/{number}/undo',
    'POST /support/serial-numbers/check',
    'POST /support/serial-numbers/import',
    'POST /support/returns/{id}/approve',
    'POST /support/returns/{id}/refuse',
    'PUT /support/returns/{id}/label',
    'POST /support/returns/{id}/label-file',
    'DELETE /support/returns/{id}/label-file',
    'POST /support/returns/{id}/sent',
    'POST /support/withdrawals/{id}/answer',
    'POST /support/returns/{id}/receive',
    'POST /support/returns/{id}/inspect',
    'POST /support/returns/{id}/close',
    'PUT /orders/{id}/address',
    'POST /orders/{id}/notes',
    'DELETE /orders/{id}/notes/{note_id}',
    'POST /orders/{id}/mails',
  ],
  'catalogue:read': [
    'GET /catalogue/products',
    'GET /catalogue/products/{id}',
    'GET /catalogue/products/{id}/preview',
    'GET /catalogue/products/{id}/sale-prices',
    'GET /catalogue/structure',
    'GET /pictures',
    'GET /support/promotions',
    'GET /support/promotions/{id}',
    'GET /support/promotions/{id}/uses',
  ],
  'catalogue:write': [
    'POST /catalogue/products',
    'PUT /catalogue/products/{id}',
    'DELETE /catalogue/products/{id}',
    'POST /catalogue/products/{id}/discard-changes',
    'POST /catalogue/products/{id}/duplicate',
    'POST /catalogue/products/{id}/withdraw',
    'POST /catalogue/bulk-edits',
    'POST /catalogue/bulk-edits/preview',
    'POST /catalogue/description-preview',
    'POST /catalogue/categories',
    'PUT /catalogue/categories/{id}',
    'DELETE /catalogue/categories/{id}',
    'PUT /catalogue/category-order',
    'POST /catalogue/brands',
    'PUT /catalogue/brands/{id}',
    'DELETE /catalogue/brands/{id}',
    'PUT /catalogue/brand-order',
    'POST /pictures',
    'PUT /pictures/{id}',
    'DELETE /pictures/{id}',
  ],
  'prices:write': [
    'POST /catalogue/products/{id}/sale-prices',
    'PUT /catalogue/sale-prices/{id}',
    'POST /catalogue/sale-prices/{id}/end',
    'DELETE /catalogue/sale-prices/{id}',
    'POST /support/promotions',
    'POST /support/promotions/preview',
    'PUT /support/promotions/{id}',
    'DELETE /support/promotions/{id}',
    'POST /support/promotions/{id}/enable',
    'POST /support/promotions/{id}/disable',
  ],
  'inventory:read': [
    'GET /inventory',
    'GET /inventory/products/{product_id}',
    'GET /inventory/{variant_id}',
    'GET /inventory/{variant_id}/history',
  ],
  'inventory:write': [
    'PUT /inventory',
    'PUT /inventory/{variant_id}',
    'POST /inventory/{variant_id}/adjustments',
    'POST /inventory/{variant_id}/stop-tracking',
    'PUT /inventory/{variant_id}/threshold',
  ],
  'customers:read': ['GET /support/customers', 'GET /support/customers/{id}'],
  'customers:write': [
    'POST /support/customers/{id}/block',
    'POST /support/customers/{id}/unblock',
    'POST /support/customers/{id}/end-sessions',
  ],
  'tickets:read': [
    'GET /support/tickets',
    'GET /support/tickets/{id}',
    'GET /support/ticket-counts',
    'GET /tickets/{id}',
    'GET /tickets/{id}/messages',
    'GET /support/contact-messages',
    'GET /support/contact-messages/{id}',
    'GET /support/canned-answers',
  ],
  'tickets:write': [
    'POST /tickets/messages',
    'POST /support/tickets/{id}/assign',
    'POST /support/tickets/{id}/close',
    'POST /support/tickets/{id}/reopen',
    'POST /support/tickets/{id}/in-progress',
    'POST /support/tickets/{id}/notes',
    'DELETE /support/tickets/{id}/notes/{note_id}',
    'POST /support/contact-messages/{id}/answers',
    'POST /support/contact-messages/{id}/spam',
    'POST /support/contact-messages/{id}/state',
    'POST /support/canned-answers',
    'PUT /support/canned-answers/{id}',
    'DELETE /support/canned-answers/{id}',
  ],
  'invoices:read': ['GET /support/invoices', 'GET /support/orders/{id}/invoices', 'GET /support/invoices/{id}/pdf'],
  'reports:read': ['GET /support/sales', 'GET /support/sales/groups'],
  'webhooks:read': [
    'GET /webhooks',
    'GET /webhooks/{id}',
    'GET /webhooks/{id}/deliveries',
    'GET /webhook-deliveries/{id}',
  ],
  'webhooks:write': ['POST /webhooks/{id}/test', 'POST /webhook-deliveries/{id}/resend'],
};

/** The calls that a key with these scopes may make. */
export const listPermittedCalls = (scopes: readonly Scope[]): ReadonlySet<string> =>
  new Set(scopes.flatMap((scope) => SCOPE_CALLS[scope]));

/** The scope that a call needs; null if no key may make it. */
export const findScopeOf = (key: string): Scope | null =>
  listScopes().find((scope) => SCOPE_CALLS[scope].includes(key)) ?? null;
