/**
 * Every API call with the expected response per caller and id. A call without a row fails the
 * test.
 */
import { ABSENT_ID, ABSENT_TXID } from './access-callers.ts';
import { PICTURE_ROWS } from './access-pictures.ts';
import { IMPORT_ROWS } from './imports/access-imports.ts';
import { BILLING } from './stress-buyer.ts';

import {
  all,
  usersOnly,
  plain,
  areaOnly,
  staffOnly,
  ownerOnly,
  orderInPath,
  ticketInPath,
  inBody,
  line,
  REFUND_ADDRESS,
  createNumber,
  createPromotionBody,
} from './access-rows.ts';
import type { CallKey, Row } from './access-rows.ts';
import { CHARGE_ROWS } from './access-charges.ts';
import { FULFILMENT_ROWS } from './access-fulfilment.ts';
import { INVENTORY_ROWS } from './access-inventory.ts';
import { MANUAL_ORDER_ROWS } from './access-manual-orders.ts';
import { TEAM_ROWS } from './access-team.ts';
import { SUPPORT_ROWS } from './access-support.ts';
import { INTEGRATION_ROWS } from './access-integrations.ts';
import { RETURN_ROWS } from './access-returns.ts';
import { INVOICE_ROWS } from './access-invoices.ts';
import { OVERVIEW_ROWS } from './access-overview.ts';
import { SETTINGS_ROWS } from './access-settings.ts';
import { WITHDRAWAL_ROWS } from './access-withdrawals.ts';
import { salePriceRows } from './access-sale-prices.ts';
import { DEMO_ROWS } from './access-demo.ts';

/** In the order of execution: calls that end a session come last. */
export const accessTable = (unused: string): Readonly<Record<CallKey, Row>> => ({
  'GET /products': plain(all(200)),
  'GET /products/{slug}': plain(all(404), () => ({ path: '/products/no-such-product' })),
  'GET /categories': plain(all(200)),
  'GET /product-cards': plain(all(200), () => ({ path: `/product-cards?ids=${ABSENT_ID}` })),
  'GET /categories/{slug}': plain(all(404), () => ({ path: '/categories/no-such-category' })),
  'GET /brands': plain(all(200)),
  'GET /rate': plain(all(200)),
  'GET /payments/chain': plain(all(200)),
  'GET /filters': plain(all(200)),
  'GET /search/suggestions': plain(all(200)),
  'GET /faq': plain(all(200)),
  'GET /home': plain(all(200)),
  'GET /delivery': plain(all(200)),
  'GET /guide': plain(all(200)),
  'GET /legal': plain(all(200)),
  'GET /legal/{kind}': plain(all(200), () => ({ path: '/legal/terms' })),
  'GET /content/home': staffOnly(200),
  ...IMPORT_ROWS,
  ...INTEGRATION_ROWS,
  'PUT /content/home/search': staffOnly(400),
  'PUT /content/home/hero': staffOnly(400),
  'PUT /content/home/rows': staffOnly(409, () => ({ body: { version: 999, is_shown: true, body: { rows: [] } } })),
  'PUT /content/home/advantages': staffOnly(400),
  'PUT /content/home/banner': staffOnly(400),
  'PUT /content/home/partners': staffOnly(400),
  'PUT /content/home/delivery': staffOnly(400),
  'POST /content/home/preview': staffOnly(200, () => ({ body: {} })),
  'GET /content/guide': staffOnly(200),
  'PUT /content/guide': staffOnly(400),
  'POST /content/guide/reset': staffOnly(400),
  'GET /content/faq': staffOnly(200),
  'POST /content/faq': staffOnly(400),
  'PUT /content/faq/{id}': staffOnly(404, () => ({
    path: `/content/faq/${ABSENT_ID}`,
    body: { version: 1, question: 'Why?', answer: 'Because' },
  })),
  'DELETE /content/faq/{id}': staffOnly(404, () => ({ path: `/content/faq/${ABSENT_ID}?version=1` })),
  'PUT /content/faq-order': staffOnly(409, () => ({ body: { version: 999, ids: [ABSENT_ID] } })),
  'GET /content/legal/{kind}': staffOnly(200, () => ({ path: '/content/legal/terms' })),
  'GET /content/legal/{kind}/{number}': staffOnly(404, () => ({ path: '/content/legal/terms/999' })),
  'PUT /content/legal/{kind}': staffOnly(409, () => ({
    path: '/content/legal/terms',
    body: { version: 999, summary: 'Terms', markdown: 'Text' },
  })),
  'POST /content/legal/{kind}/publish': ownerOnly(409, () => ({
    path: '/content/legal/terms/publish',
    body: { version: 999 },
  })),
  'POST /content/legal/{kind}/restore': staffOnly(404, () => ({
    path: '/content/legal/terms/restore',
    body: { version: 0, number: 999 },
  })),
  'POST /content/legal-preview': staffOnly(200, () => ({ body: { markdown: 'Text' } })),
  'GET /promotions': plain(all(200)),
  'GET /reviews/shop': plain(all(200)),
  'GET /reviews/product/{id}': plain(all(404), () => ({ path: '/reviews/product/no-such-product' })),
  'GET /cart': plain(all(200)),
  'GET /cart/guest': plain(all(200)),
  'GET /users/user': plain(usersOnly(200)),
  'GET /orders': plain(usersOnly(200)),
  'POST /orders/history': plain(usersOnly(200)),
  'GET /orders/billing': plain(usersOnly(200)),
  'GET /wallet': plain(usersOnly(200)),
  'GET /tickets/unread': plain(usersOnly(200)),
  'GET /tickets/user/{userId}': {
    ...orderInPath((id) => `/tickets/user/${id}`),
    ownOf: ({ userId }) => userId,
  },
  'GET /tickets/{id}': ticketInPath((id) => `/tickets/${id}`),
  'GET /tickets/{id}/messages': ticketInPath((id) => `/tickets/${id}/messages`),
  'POST /tickets/{id}/read': {
    ...ticketInPath((id) => `/tickets/${id}/read`),
    // The message id does not exist.
    name: (id) => ({ path: `/tickets/${id}/read`, body: { message_id: ABSENT_ID } }),
    own: usersOnly(404),
    staffReach: 404,
  },
  'POST /tickets/messages': {
    ...inBody((id) => ({ ticket_id: id, sender_type: 'user', message: 'Hello' })),
    ownOf: ({ ticket }) => ticket,
    missing: ABSENT_ID,
    own: usersOnly(201),
    others: usersOnly(404),
    malformedStatuses: usersOnly(400),
    // In foreign tickets staff reply as support only.
    staffReach: 400,
  },
  'POST /tickets/create': plain({ anonymous: 401, guest: 401, user: 201 }, ({ userId }) => ({
    body: { user_id: userId, title: 'Another', theme: 'Payment', description: 'Has it arrived?' },
  })),
  'GET /reviews/own': plain(usersOnly(200)),
  'GET /reviews/name': plain(usersOnly(200)),
  'POST /reviews': {
    ...inBody((id) => ({ product_id: id, rating: 5, text: 'Good' })),
    // Added to the cart, not ordered.
    ownOf: ({ product }) => product,
    missing: unused,
    own: usersOnly(403),
    others: usersOnly(403),
    malformedStatuses: usersOnly(400),
  },
  ...SUPPORT_ROWS,
  'GET /payments/attention': staffOnly(200),
  'GET /support/chain': staffOnly(200),
  'GET /payments/transactions/{txid}': staffOnly(200, () => ({ path: `/payments/transactions/${ABSENT_TXID}` })),
  'POST /payments/rescans': staffOnly(200, () => ({ body: { from_height: 0 } })),
  'POST /payments/rescans/{id}/stop': staffOnly(404, () => ({ path: `/payments/rescans/${ABSENT_ID}/stop` })),
  'GET /support/orders': areaOnly('orders', 200),
  'GET /support/reservations': areaOnly('stock', 200),
  'GET /catalogue/products': staffOnly(200),
  'POST /catalogue/products': staffOnly(400, () => ({ body: {} })),
  'GET /catalogue/products/{id}': staffOnly(404, () => ({ path: `/catalogue/products/${ABSENT_ID}` })),
  'PUT /catalogue/products/{id}': staffOnly(400, () => ({ path: `/catalogue/products/${ABSENT_ID}`, body: {} })),
  'GET /catalogue/products/{id}/preview': staffOnly(404, () => ({ path: `/catalogue/products/${ABSENT_ID}/preview` })),
  'POST /catalogue/products/{id}/discard-changes': staffOnly(404, () => ({
    path: `/catalogue/products/${ABSENT_ID}/discard-changes`,
    body: { version: 1 },
  })),
  'POST /catalogue/products/{id}/withdraw': staffOnly(404, () => ({
    path: `/catalogue/products/${ABSENT_ID}/withdraw`,
    body: { version: 1 },
  })),
  'POST /catalogue/products/{id}/duplicate': staffOnly(404, () => ({
    path: `/catalogue/products/${ABSENT_ID}/duplicate`,
  })),
  'DELETE /catalogue/products/{id}': staffOnly(404, () => ({
    path: `/catalogue/products/${ABSENT_ID}`,
    body: { version: 1 },
  })),
  ...salePriceRows,
  'POST /catalogue/description-preview': staffOnly(200, () => ({ body: { markdown: 'Text' } })),
  'POST /catalogue/bulk-edits/preview': staffOnly(200, () => ({
    body: { ids: [ABSENT_ID], change: { kind: 'publish' } },
  })),
  'POST /catalogue/bulk-edits': staffOnly(409, () => ({
    body: { products: [{ id: ABSENT_ID, version: 1 }], change: { kind: 'publish' } },
  })),
  'GET /catalogue/structure': staffOnly(200),
  'POST /catalogue/categories': staffOnly(400, () => ({ body: {} })),
  'PUT /catalogue/categories/{id}': staffOnly(404, () => ({
    path: `/catalogue/categories/${ABSENT_ID}`,
    body: { version: 1, name: 'None', slug: 'none', properties: [] },
  })),
  'DELETE /catalogue/categories/{id}': staffOnly(404, () => ({ path: `/catalogue/categories/${ABSENT_ID}` })),
  'PUT /catalogue/category-order': staffOnly(409, () => ({ body: { ids: [ABSENT_ID] } })),
  'POST /catalogue/brands': staffOnly(400, () => ({ body: {} })),
  'PUT /catalogue/brands/{id}': staffOnly(404, () => ({
    path: `/catalogue/brands/${ABSENT_ID}`,
    body: { version: 1, name: 'None', slug: 'none' },
  })),
  'DELETE /catalogue/brands/{id}': staffOnly(404, () => ({ path: `/catalogue/brands/${ABSENT_ID}` })),
  'PUT /catalogue/brand-order': staffOnly(409, () => ({ body: { ids: [ABSENT_ID] } })),
  'GET /support/promotions': staffOnly(200),
  'POST /support/promotions': staffOnly(201, () => ({ body: createPromotionBody() })),
  'POST /support/promotions/preview': staffOnly(200, () => ({
    body: { promotion: createPromotionBody(), lines: [], at: null },
  })),
  'GET /support/promotions/{id}': staffOnly(404, () => ({ path: `/support/promotions/${ABSENT_ID}` })),
  'PUT /support/promotions/{id}': staffOnly(404, () => ({
    path: `/support/promotions/${ABSENT_ID}`,
    body: { ...createPromotionBody(), version: 1 },
  })),
  'POST /support/promotions/{id}/enable': staffOnly(404, () => ({ path: `/support/promotions/${ABSENT_ID}/enable` })),
  'POST /support/promotions/{id}/disable': staffOnly(404, () => ({
    path: `/support/promotions/${ABSENT_ID}/disable`,
  })),
  'DELETE /support/promotions/{id}': staffOnly(404, () => ({ path: `/support/promotions/${ABSENT_ID}` })),
  'GET /support/promotions/{id}/uses': staffOnly(404, () => ({ path: `/support/promotions/${ABSENT_ID}/uses` })),
  'GET /staff': ownerOnly(200),
  'PUT /staff/role': ownerOnly(200, () => ({ body: { username: 'usera', role: 'customer' } })),
  'GET /shop': plain(all(200)),
  ...CHARGE_ROWS,
  'GET /shop/settings': staffOnly(200),
  ...OVERVIEW_ROWS,
  ...SETTINGS_ROWS,
  'GET /settings': ownerOnly(200),
  'GET /support/audit': staffOnly(200),
  'GET /exports/audit': ownerOnly(200),
  ...INVOICE_ROWS,
  ...WITHDRAWAL_ROWS,
  'GET /exports/books': ownerOnly(200, () => ({ query: '?from=2026-01-01&to=2026-12-31' })),
  ...PICTURE_ROWS,
  'GET /support/orders/{id}': areaOnly('orders', 200, ({ order }) => ({
    path: `/support/orders/${order || ABSENT_ID}`,
  })),
  'POST /support/tickets/{id}/in-progress': areaOnly('support', 200, ({ ticket }) => ({
    path: `/support/tickets/${ticket || ABSENT_ID}/in-progress`,
  })),
  'POST /support/tickets/{id}/reopen': areaOnly('support', 200, ({ ticket }) => ({
    path: `/support/tickets/${ticket || ABSENT_ID}/reopen`,
  })),
  'POST /support/tickets/{id}/close': areaOnly('support', 200, ({ ticket }) => ({
    path: `/support/tickets/${ticket || ABSENT_ID}/close`,
  })),
  'POST /support/reviews/{id}/approve': areaOnly('support', 404, () => ({
    path: `/support/reviews/${ABSENT_ID}/approve`,
  })),
  'POST /support/reviews/{id}/reject': areaOnly('support', 404, () => ({
    path: `/support/reviews/${ABSENT_ID}/reject`,
  })),
  'GET /orders/{id}': orderInPath((id) => `/orders/${id}`),
  'GET /orders/{id}/timeline': orderInPath((id) => `/orders/${id}/timeline`),
  'GET /pay/{token}': plain(all(404), () => ({ path: `/pay/${'0'.repeat(64)}` })),
  'GET /payments/check/{orderId}': orderInPath((id) => `/payments/check/${id}`),
  'PUT /orders/paid': {
    ...inBody((id) => ({ order_id: id })),
    ownOf: ({ order }) => order,
    missing: ABSENT_ID,
    own: usersOnly(200),
    others: usersOnly(404),
    malformedStatuses: usersOnly(400),
  },
  // The order is open and partly paid.
  'POST /orders/{id}/cancel': { ...orderInPath((id) => `/orders/${id}/cancel`), own: usersOnly(409) },
  'POST /orders/{id}/requote': { ...orderInPath((id) => `/orders/${id}/requote`), own: usersOnly(409) },
  'GET /orders/{id}/refund-address': orderInPath((id) => `/orders/${id}/refund-address`),
  'PUT /orders/{id}/refund-address': {
    ...orderInPath((id) => `/orders/${id}/refund-address`),
    name: (id) => ({ path: `/orders/${id}/refund-address`, body: { address: REFUND_ADDRESS } }),
  },
  'POST /orders/{id}/refund-address/resend': orderInPath((id) => `/orders/${id}/refund-address/resend`),
  'POST /refund-addresses/confirm': plain(all(400), () => ({ body: { token: 'x'.repeat(43) } })),
  'GET /orders/{id}/refunds': areaOnly('orders', 200, ({ order }) => ({
    path: `/orders/${order || ABSENT_ID}/refunds`,
  })),
  // The order is open.
  'POST /orders/{id}/refunds': staffOnly(409, ({ order }) => ({
    path: `/orders/${order || ABSENT_ID}/refunds`,
    body: { covers: 'whole', fee_paid_by: 'shop' },
  })),
  ...RETURN_ROWS,
  // A partial payment is seen.
  'POST /orders/{id}/release-stock': areaOnly('stock', 409, ({ order }) => ({
    path: `/orders/${order || ABSENT_ID}/release-stock`,
    body: { reason: 'It was never paid' },
  })),
  'POST /refunds/{id}/undo-record': staffOnly(404, () => ({
    path: `/refunds/${ABSENT_ID}/undo-record`,
    body: { reason: 'a mistake' },
  })),
  'POST /orders/{id}/refunds/elsewhere': staffOnly(409, ({ order }) => ({
    path: `/orders/${order || ABSENT_ID}/refunds/elsewhere`,
    body: { covers: 'whole', txid: ABSENT_TXID, address: REFUND_ADDRESS, reason: 'by bank' },
  })),
  'POST /orders/{id}/refund-address/enter': staffOnly(200, ({ order }) => ({
    path: `/orders/${order || ABSENT_ID}/refund-address/enter`,
    body: { address: REFUND_ADDRESS, reason: 'given by phone' },
  })),
  'POST /orders/{id}/write-offs': staffOnly(409, ({ order }) => ({
    path: `/orders/${order || ABSENT_ID}/write-offs`,
    body: { kind: 'unclaimed', reason: 'nobody claims it' },
  })),
  'POST /orders/{id}/deliver': areaOnly('shipping', 409, ({ order }) => ({
    path: `/orders/${order || ABSENT_ID}/deliver`,
  })),
  // A partial payment is unconfirmed.
  'POST /orders/{id}/settle': staffOnly(409, ({ order }) => ({
    path: `/orders/${order || ABSENT_ID}/settle`,
    body: { reason: 'The rest is not worth a mail' },
  })),
  'POST /orders/{id}/close-as-loss': staffOnly(409, ({ order }) => ({
    path: `/orders/${order || ABSENT_ID}/close-as-loss`,
    body: { reason: 'Lost' },
  })),
  'POST /orders/{id}/give-up': staffOnly(409, ({ order }) => ({
    path: `/orders/${order || ABSENT_ID}/give-up`,
    body: { reason: 'Paid twice with the same coins' },
  })),
  // The order is open.
  'POST /cart/checkout': plain(usersOnly(409), () => ({ body: BILLING })),
  'PUT /cart/update': {
    ...inBody(line),
    ownOf: ({ product }) => product,
    missing: unused,
    own: { anonymous: 404, guest: 200, user: 200 },
    others: all(404),
    malformedStatuses: all(400),
  },
  'DELETE /cart/remove': {
    ...inBody((id) => ({ product_id: id })),
    ownOf: ({ product }) => product,
    missing: unused,
    own: all(200),
    others: all(200),
    malformedStatuses: all(400),
  },
  'POST /cart/accept-prices': plain(all(200)),
  'PUT /cart/delivery': plain(all(200), () => ({ body: {} })),
  'POST /promocodes/apply': plain(all(404), () => ({ body: { code: 'NO-SUCH-CODE' } })),
  'DELETE /promocodes/apply': plain(all(200)),
  'POST /cart/add': plain(all(404), () => ({ body: line(ABSENT_ID) })),
  'POST /orders/transfer-cart': plain(usersOnly(200)),
  ...DEMO_ROWS,
  'POST /contact': plain(all(201), () => ({
    body: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', message: 'Hello' },
  })),
  'PUT /users/{id}': {
    ...orderInPath((id) => `/users/${id}`),
    name: (id) => ({ path: `/users/${id}`, body: { password: '' } }),
    ownOf: ({ userId }) => userId,
  },
  'GET /stock-alerts': plain(usersOnly(200)),
  'POST /stock-alerts': plain(usersOnly(404), () => ({ body: { product_id: ABSENT_ID } })),
  'DELETE /stock-alerts/{id}': plain(usersOnly(404), () => ({ path: `/stock-alerts/${ABSENT_ID}` })),
  ...INVENTORY_ROWS,
  ...FULFILMENT_ROWS,
  ...MANUAL_ORDER_ROWS,
  'POST /users/reauthenticate': plain(usersOnly(200), ({ account }) => ({ body: { password: account.password } })),
  'GET /users/email-confirmation': plain(usersOnly(200)),
  'POST /users/send-confirmation': plain(usersOnly(200)),
  'POST /users/confirm-email': plain(all(400), () => ({ body: { token: 'x'.repeat(43) } })),
  'POST /users/request-password-reset': plain(all(200), () => ({ body: { email: 'nobody@access.example' } })),
  'POST /users/reset-password': plain(all(400), () => ({
    body: { email: 'nobody@access.example', code: 'ABCDEFGH', newPassword: 'crypto-market' },
  })),
  'GET /users/sessions': plain(usersOnly(200)),
  'DELETE /users/sessions/{id}': {
    ...orderInPath((id) => `/users/sessions/${id}`),
    ownOf: ({ session }) => session,
  },
  'DELETE /users/sessions': plain(usersOnly(200)),
  'GET /users/{id}/data': { ...orderInPath((id) => `/users/${id}/data`), ownOf: ({ userId }) => userId },
  // The order is open.
  'DELETE /users/{id}': {
    ...orderInPath((id) => `/users/${id}`),
    name: (id) => ({ path: `/users/${id}`, body: { username: 'usera' } }),
    ownOf: ({ userId }) => userId,
    own: usersOnly(409),
  },
  'POST /users/register': plain(all(201), () => {
    const number = createNumber();
    return { body: { username: `one more ${number}`, email: `${number}@more.example`, password: 'crypto-market' } };
  }),
  'POST /users/login': plain({ anonymous: 401, guest: 401, user: 200 }, ({ account }) => ({ body: account })),
  ...TEAM_ROWS,
  'POST /users/logout': plain(all(200)),
});
