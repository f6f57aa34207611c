/** Staff calls about shipping, support and customers, each made once. */
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { listAt, numberAt, textAt, valueAt } from './read-json.ts';
import type { RefundShop } from './refund-shop.ts';
import type { AuditWalk } from './audit-walk.ts';
import { runWithShopDatabase } from './stock-stress.ts';
import { BILLING } from './stress-buyer.ts';
import { waitUntil } from './wait-until.ts';

const idOf = (value: unknown, ...path: readonly (string | number)[]) => ({ id: textAt(value, ...path, 'id') });

async function createPaidOrder(refunds: RefundShop) {
  const buyer = await refunds.createBuyer();
  return { buyer, id: await refunds.createPaidOrder(buyer, 0.009) };
}

export async function walkFulfilment(walk: AuditWalk, refunds: RefundShop): Promise<void> {
  const carrier = await walk.prove('POST /carriers', {
    asOwner: true,
    body: { name: 'Audited carrier', url_pattern: 'https://carrier.example/{number}' },
  });
  const params = idOf(carrier, 'carrier');
  const edited = { name: 'Carrier of the audit', url_pattern: '' };
  await walk.prove('PUT /carriers/{id}', { asOwner: true, params, body: edited });
  await walk.prove('DELETE /carriers/{id}', { asOwner: true, params });
  const { id } = await createPaidOrder(refunds);
  const address = {
    firstName: 'Ada',
    lastName: 'King',
    streetAddress: 'Oak Street',
    houseNumber: '1',
    city: 'London',
    postcode: 'W8 4AA',
  };
  await walk.prove('PUT /orders/{id}/address', { params: { id }, body: address });
  await walk.prove('POST /orders/{id}/ship', { params: { id }, body: { tracking_reference: 'AUDIT-1' } });
  await walk.prove('POST /orders/{id}/mails', { params: { id }, body: { mail: 'shipped', shipment: 1 } });
  const corrected = { tracking_reference: 'AUDIT-2' };
  await walk.prove('PUT /orders/{id}/shipments/{number}', { params: { id, number: '1' }, body: corrected });
  await walk.prove('POST /orders/{id}/shipments/{number}/undo', { params: { id, number: '1' } });
  await walk.prove('POST /orders/{id}/ship', { params: { id }, body: { tracking_reference: 'AUDIT-3' } });
  await walk.prove('POST /orders/{id}/deliver', { params: { id } });
  const second = await createPaidOrder(refunds);
  await walk.prove('POST /support/shipments', { body: { shipments: [{ order_id: second.id, number: 1 }] } });
  await walkSerials(walk, [id, second.id]);
  const noted = await walk.prove('POST /orders/{id}/notes', { params: { id }, body: { text: 'Called' } });
  const noteId = textAt(noted, 'notes', 0, 'id');
  await walk.prove('DELETE /orders/{id}/notes/{note_id}', { params: { id, note_id: noteId } });
  const mails = await walk.read('/support/paid-order-mails');
  const mode = textAt(mails, 'mode') === 'each' ? 'hourly' : 'each';
  await walk.prove('PUT /support/paid-order-mails', {
    asOwner: true,
    body: { mode, version: numberAt(mails, 'version') },
  });
  const saved = await walk.prove('POST /support/order-filters', { body: { name: 'Audited', query: 'status=paid' } });
  await walk.prove('DELETE /support/order-filters/{id}', { params: idOf(saved, 'filters', 0) });
}

/** Numbers for units that were shipped before their product asked for them. */
async function walkSerials(walk: AuditWalk, [corrected, imported]: readonly [string, string]): Promise<void> {
  await runWithShopDatabase(walk.shop, (db) => sql`update products set serial_kind = 'serial'`.execute(db));
  const parcels = await walk.read(`/support/fulfilment?ids=${corrected},${imported}`);
  const parcel = String(numberAt(parcels, 'orders', 0, 'shipments', 0, 'number'));
  await walk.prove('PUT /orders/{id}/shipments/{number}/serials', {
    params: { id: corrected, number: parcel },
    body: { position: 0, numbers: ['AUDITED1'], seen: [] },
  });
  const csv = `order,line,number\n${textAt(parcels, 'orders', 1, 'number')},1,AUDITED2\n`;
  await walk.prove('POST /support/serial-numbers/import', { body: { csv } });
  await runWithShopDatabase(walk.shop, (db) => sql`update products set serial_kind = 'none'`.execute(db));
}

/** An order for a customer: created, renewed after it expired, and cancelled. */
export async function walkManualOrders(walk: AuditWalk, refunds: RefundShop): Promise<void> {
  const variants = listAt(await walk.read('/support/order-variants?q=iphone'), 'variants');
  // Some of them are sold out.
  const variant = variants.find((one) => valueAt(one, 'available') !== 0);
  const item = { product_id: textAt(variant, 'product_id'), quantity: 1 };
  const lines = [{ ...item, property_value_ids: valueAt(variant, 'property_value_ids') }];
  const { body: cart } = await walk.shop.api('POST', '/support/orders/preview', {
    token: walk.staff,
    body: { lines, country: BILLING.country },
  });
  const total = { expected_total_usd: numberAt(cart, 'totalCartValue') };
  const customer = { email: 'audited@phone.example', name: 'Audited Customer' };
  const order = { ...customer, ...total, lines, billing: BILLING, window: '2h' };
  const created = await walk.prove('POST /support/orders', { body: order });
  const id = textAt(created, 'order_id');
  await refunds.callDemoTool('clock', { offset_s: 7_300 });
  await waitUntil(
    async () => textAt(await walk.read(`/support/orders/${id}`), 'order', 'payment_status') === 'expired',
  );
  await walk.prove('POST /support/orders/{id}/renew-price', { params: { id }, body: { window: '24h' } });
  await walk.prove('POST /support/orders/{id}/cancel', { params: { id }, body: { reason: 'Called again' } });
}

export async function walkTickets(walk: AuditWalk, refunds: RefundShop): Promise<void> {
  const { token } = await refunds.createBuyer();
  const { body: user } = await refunds.shop.api('GET', '/users/user', { token });
  const draft = { user_id: textAt(user, 'id'), title: 'Audited', theme: 'Payment', description: 'Has it arrived?' };
  const { body: ticket } = await refunds.shop.api('POST', '/tickets/create', { token, body: draft });
  const params = idOf(ticket);
  const members = listAt(await walk.read('/staff'), 'staff');
  const staffId = textAt(
    members.find((one) => textAt(one, 'username') === 'staff'),
    'id',
  );
  await walk.prove('POST /support/tickets/{id}/assign', {
    params,
    body: { assignee_id: staffId, seen_assignee_id: null },
  });
  const noted = await walk.prove('POST /support/tickets/{id}/notes', { params, body: { text: 'Called' } });
  const noteId = textAt(noted, 'notes', 0, 'id');
  await walk.prove('DELETE /support/tickets/{id}/notes/{note_id}', { params: { ...params, note_id: noteId } });
  await walk.prove('POST /support/tickets/{id}/in-progress', { params });
  await walk.prove('POST /support/tickets/{id}/close', { params });
  await walk.prove('POST /support/tickets/{id}/reopen', { params });
  const answer = await walk.prove('POST /support/canned-answers', { body: { title: 'Audited', text: 'Hello' } });
  const canned = { id: textAt(answer, 'answer', 'id') };
  await walk.prove('PUT /support/canned-answers/{id}', {
    params: canned,
    body: { title: 'Audited', text: 'Good morning', version: 1 },
  });
  await walk.prove('DELETE /support/canned-answers/{id}', { params: canned });
}

export async function walkMessages(walk: AuditWalk): Promise<void> {
  const body = { firstName: 'Ada', lastName: 'Audited', email: 'ada@audit.example', message: 'Hello' };
  assert.equal((await walk.shop.api('POST', '/contact', { body })).status, 201);
  const params = idOf(await walk.read('/support/contact-messages?q=Audited'), 'messages', 0);
  await walk.prove('POST /support/contact-messages/{id}/answers', {
    params,
    body: { text: 'Good morning', seen_answer_id: null },
  });
  await walk.prove('POST /support/contact-messages/{id}/state', { params, body: { is_done: true } });
  await walk.prove('POST /support/contact-messages/{id}/spam', { params, body: { is_spam: true } });
  await walk.prove('DELETE /support/contact-messages/{id}', { params });
}

export async function walkReviews(walk: AuditWalk, refunds: RefundShop): Promise<void> {
  const { buyer, id } = await createPaidOrder(refunds);
  const { body: order } = await refunds.shop.api('GET', `/orders/${id}`, { token: buyer.token });
  const productId = textAt(order, 'order', 'order_items', 0, 'product_id');
  const written = { product_id: productId, rating: 5, text: 'Audited and good' };
  const { body: review } = await refunds.shop.api('POST', '/reviews', { token: buyer.token, body: written });
  const params = idOf(review);
  await walk.prove('POST /support/reviews/{id}/reject', { params });
  await walk.prove('POST /support/reviews/{id}/approve', { params });
  await walk.prove('PUT /support/reviews/{id}/reply', { params, body: { text: 'Thank you', seen: null } });
  await walk.prove('POST /support/reviews/{id}/remove-reply', { params, body: { seen: 'Thank you' } });
}

export async function walkCustomers(walk: AuditWalk, refunds: RefundShop): Promise<void> {
  const username = `audited${String(Date.now())}`;
  const account = { username, email: `${username}@audit.example`, password: 'crypto-market' };
  assert.equal((await refunds.shop.api('POST', '/users/register', { body: account })).status, 201);
  const params = idOf(await walk.read(`/support/customers?q=${username}`), 'customers', 0);
  await walk.prove('POST /support/customers/{id}/block', { params });
  await walk.prove('POST /support/customers/{id}/unblock', { params });
  assert.equal((await refunds.shop.api('POST', '/users/login', { body: account })).status, 200);
  await walk.prove('POST /support/customers/{id}/end-sessions', { params });
  await walk.prove('PUT /staff/role', { asOwner: true, body: { username, role: 'support' } });
  await walk.prove('PUT /staff/role', { asOwner: true, body: { username, role: 'customer' } });
  const invitation = { email: 'audited@team.example', role: 'support' };
  const invited = await walk.prove('POST /staff/invitations', { asOwner: true, body: invitation });
  const sent = { asOwner: true, params: idOf(invited, 'invitations', 0) };
  await walk.prove('POST /staff/invitations/{id}/resend', sent);
  await walk.prove('DELETE /staff/invitations/{id}', sent);
  await walk.prove('POST /support/customers/{id}/erase', { params, body: { username } });
}
