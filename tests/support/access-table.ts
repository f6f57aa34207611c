/**
 * Every API call with the expected response per caller and id. A call without a row fails the
 * test.
 */
import type { shopApi } from '#src/shop/api.ts';
import type { demoToolsApi } from '#src/shop/demo/contract.ts';
import { ABSENT_ID, ABSENT_TXID } from './access-callers.ts';
import type { Asked, Caller } from './access-callers.ts';
import { BILLING } from './stress-buyer.ts';

export type CallKey = keyof typeof shopApi | keyof typeof demoToolsApi;
/** Staff and owner get the response of customers unless stated otherwise. */
export type Statuses = Readonly<Record<Exclude<Caller['kind'], 'staff'>, number>> & {
  readonly staff?: number;
  /** As `staff` unless stated otherwise. */
  readonly owner?: number;
};

/** A call without an owned id: the same for all callers. */
interface PlainRow {
  readonly ask: (caller: Caller) => Asked;
  readonly statuses: Statuses;
  /** The response contains data of all users, for staff. */
  readonly isOfStaff?: true;
}

/** A call with an id that belongs to a user. */
interface OwnedRow {
  readonly name: (id: string) => Asked;
  /** The caller's own id; empty if there is none. */
  readonly ownOf: (caller: Caller) => string;
  readonly missing: string;
  readonly malformed: readonly string[];
  readonly own: Statuses;
  /** The response to a foreign id equals the response to a missing one, byte for byte. */
  readonly others: Statuses;
  readonly malformedStatuses: Statuses;
  /** Demo calls act on any order on purpose: foreign ids are not treated as missing. */
  readonly othersAreOpen?: true;
  /** The status for staff with a foreign id that they may access. */
  readonly staffReach?: number;
}
export type Row = PlainRow | OwnedRow;

const all = (status: number): Statuses => ({ anonymous: status, guest: status, user: status });
const usersOnly = (status: number): Statuses => ({ anonymous: 401, guest: 401, user: status });
const plain = (statuses: Statuses, ask: (caller: Caller) => Asked = () => ({})): PlainRow => ({ ask, statuses });

/** Staff calls: a customer is refused before ownership is checked. */
const staffOnly = (staff: number, ask?: (caller: Caller) => Asked): PlainRow => ({
  ...plain({ ...usersOnly(403), staff }, ask),
  isOfStaff: true,
});

/** Owner calls: staff are refused like customers. */
const ownerOnly = (owner: number, ask?: (caller: Caller) => Asked): PlainRow => ({
  ...plain({ ...usersOnly(403), staff: 403, owner }, ask),
  isOfStaff: true,
});

const MALFORMED_PATHS = ['1', 'null', 'not-a-uuid', '%27%20or%201=1', '..%2f..%2fetc', 'x'.repeat(200), '-1'];
const MALFORMED_IDS = ['', '1', 'not-a-uuid', `${ABSENT_ID}0`, "' or 1=1 --"];

const orderInPath = (path: (id: string) => string): OwnedRow => ({
  name: (id) => ({ path: path(id) }),
  ownOf: ({ order }) => order,
  missing: ABSENT_ID,
  malformed: MALFORMED_PATHS,
  own: usersOnly(200),
  others: usersOnly(404),
  malformedStatuses: usersOnly(404),
});
const ticketInPath = (path: (id: string) => string): OwnedRow => ({
  ...orderInPath(path),
  ownOf: ({ ticket }) => ticket,
  staffReach: 200,
});
const inBody = (body: (id: string) => unknown) => ({
  name: (id: string) => ({ body: body(id) }),
  malformed: MALFORMED_IDS,
});
const line = (id: string) => ({ product_id: id, quantity: 1 });
/** A regtest address without an owner. */
const REFUND_ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
let names = 0;

/** In the order of execution: calls that end a session come last. */
export const accessTable = (unused: string): Readonly<Record<CallKey, Row>> => ({
  'GET /products': plain(all(200)),
  'GET /products/{slug}': plain(all(404), () => ({ path: '/products/no-such-product' })),
  'GET /categories': plain(all(200)),
  'GET /product-cards': plain(all(200), () => ({ path: `/product-cards?ids=${ABSENT_ID}` })),
  'GET /brands': plain(all(200)),
  'GET /rate': plain(all(200)),
  'GET /payments/chain': plain(all(200)),
  'GET /filters': plain(all(200)),
  'GET /search/suggestions': plain(all(200)),
  'GET /faq': plain(all(200)),
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
  'POST /reviews': {
    ...inBody((id) => ({ product_id: id, rating: 5, text: 'Good' })),
    // Added to the cart, not ordered.
    ownOf: ({ product }) => product,
    missing: unused,
    own: usersOnly(403),
    others: usersOnly(403),
    malformedStatuses: usersOnly(400),
  },
  'GET /support/tickets': staffOnly(200),
  'GET /support/contact-messages': staffOnly(200),
  'GET /support/reviews': staffOnly(200),
  'GET /payments/attention': staffOnly(200),
  'GET /support/chain': staffOnly(200),
  'GET /payments/transactions/{txid}': staffOnly(200, () => ({ path: `/payments/transactions/${ABSENT_TXID}` })),
  'POST /payments/rescans': staffOnly(200, () => ({ body: { from_height: 0 } })),
  'POST /payments/rescans/{id}/stop': staffOnly(404, () => ({ path: `/payments/rescans/${ABSENT_ID}/stop` })),
  'GET /support/orders': staffOnly(200),
  'GET /support/reservations': staffOnly(200),
  'GET /staff': ownerOnly(200),
  'PUT /staff/role': ownerOnly(200, () => ({ body: { username: 'usera', role: 'customer' } })),
  'GET /settings': ownerOnly(200),
  'GET /exports/books': ownerOnly(200, () => ({ query: '?from=2026-01-01&to=2026-12-31' })),
  'GET /support/orders/{id}': staffOnly(200, ({ order }) => ({ path: `/support/orders/${order || ABSENT_ID}` })),
  'POST /support/tickets/{id}/in-progress': staffOnly(200, ({ ticket }) => ({
    path: `/support/tickets/${ticket || ABSENT_ID}/in-progress`,
  })),
  'POST /support/tickets/{id}/close': staffOnly(200, ({ ticket }) => ({
    path: `/support/tickets/${ticket || ABSENT_ID}/close`,
  })),
  'POST /support/reviews/{id}/approve': staffOnly(404, () => ({ path: `/support/reviews/${ABSENT_ID}/approve` })),
  'POST /support/reviews/{id}/reject': staffOnly(404, () => ({ path: `/support/reviews/${ABSENT_ID}/reject` })),
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
  'GET /orders/{id}/refunds': staffOnly(200, ({ order }) => ({ path: `/orders/${order || ABSENT_ID}/refunds` })),
  // The order is open.
  'POST /orders/{id}/refunds': staffOnly(409, ({ order }) => ({
    path: `/orders/${order || ABSENT_ID}/refunds`,
    body: { covers: 'whole', fee_paid_by: 'shop' },
  })),
  'POST /refunds/{id}/broadcast': staffOnly(404, () => ({
    path: `/refunds/${ABSENT_ID}/broadcast`,
    body: { psbt: 'cHNidP8=' },
  })),
  'POST /refunds/{id}/withdraw': staffOnly(404, () => ({ path: `/refunds/${ABSENT_ID}/withdraw` })),
  'POST /refunds/{id}/record': staffOnly(404, () => ({
    path: `/refunds/${ABSENT_ID}/record`,
    body: { txid: ABSENT_TXID },
  })),
  // A partial payment is seen.
  'POST /orders/{id}/release-stock': staffOnly(409, ({ order }) => ({
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
    body: { address: REFUND_ADDRESS, reason: 'told by phone' },
  })),
  'POST /orders/{id}/write-offs': staffOnly(409, ({ order }) => ({
    path: `/orders/${order || ABSENT_ID}/write-offs`,
    body: { kind: 'unclaimed', reason: 'nobody claims it' },
  })),
  'POST /orders/{id}/ship': staffOnly(409, ({ order }) => ({
    path: `/orders/${order || ABSENT_ID}/ship`,
    body: { tracking_reference: 'AB 1' },
  })),
  'POST /orders/{id}/deliver': staffOnly(409, ({ order }) => ({ path: `/orders/${order || ABSENT_ID}/deliver` })),
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
  'POST /promocodes/apply': plain(all(404), () => ({ body: { code: 'NO-SUCH-CODE' } })),
  'DELETE /promocodes/apply': plain(all(200)),
  'POST /cart/add': plain(all(404), () => ({ body: line(ABSENT_ID) })),
  'POST /orders/transfer-cart': plain(usersOnly(200)),
  'POST /dev/pay': {
    ...inBody((id) => ({ order_id: id, amount_btc: 0.00001 })),
    ownOf: ({ order }) => order,
    missing: ABSENT_ID,
    own: { anonymous: 400, guest: 400, user: 200 },
    others: all(404),
    malformedStatuses: all(400),
    othersAreOpen: true,
  },
  'POST /dev/replace': {
    ...inBody((txid) => ({ txid })),
    ownOf: ({ txid }) => txid,
    missing: ABSENT_TXID,
    own: { anonymous: 400, guest: 400, user: 200 },
    others: all(409),
    malformedStatuses: all(400),
    othersAreOpen: true,
  },
  'GET /dev/mail': plain(all(200), () => ({ query: '?to=nobody@access.example' })),
  'POST /dev/reorg': plain(all(200), () => ({ body: { depth: 1 } })),
  'POST /dev/mine': plain(all(200), () => ({ body: { blocks: 1 } })),
  'POST /dev/clock': plain(all(200), () => ({ body: { offset_s: 0 } })),
  'POST /contact': plain(all(201), () => ({
    body: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', message: 'Hello' },
  })),
  'PUT /users/{id}': {
    ...orderInPath((id) => `/users/${id}`),
    name: (id) => ({ path: `/users/${id}`, body: { password: '' } }),
    ownOf: ({ userId }) => userId,
  },
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
    names += 1;
    return { body: { username: `one more ${names}`, email: `${names}@more.example`, password: 'crypto-market' } };
  }),
  'POST /users/login': plain({ anonymous: 401, guest: 401, user: 200 }, ({ account }) => ({ body: account })),
  'POST /users/logout': plain(all(200)),
});
