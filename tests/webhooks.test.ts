/** Webhooks over HTTP: from what happens in the shop to the receiver. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { z } from 'zod';
import { createEnvelope, PAYLOADS } from '#src/shop/webhooks/events/contract.ts';
import type { EventGroup } from '#src/shop/webhooks/events/event-type.ts';
import { listEventTypes } from '#src/shop/webhooks/events/event-type.ts';
import { createOrder } from './support/new-order.ts';
import { listAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';
import { waitUntil } from './support/wait-until.ts';
import { WebhookReceiver } from './support/webhook-receiver.ts';

const SETTINGS = { WEBHOOK_ALLOW_PRIVATE: '127.0.0.1', WEBHOOK_FIRST_RETRY_MS: '200', WEBHOOK_TIMEOUT_MS: '2000' };

let shop: TestShop;
let owner: string;
let receiver: WebhookReceiver;
let endpointId: string;

before(async () => {
  [shop, receiver] = await Promise.all([startTestShop({ settings: SETTINGS }), WebhookReceiver.open()]);
  const body = { username: 'owner', password: 'crypto-market' };
  owner = textAt((await shop.api('POST', '/users/login', { body })).body, 'tokens', 'accessToken');
  const created = await shop.api('POST', '/webhooks', {
    token: owner,
    body: { url: receiver.url, description: 'ERP', event_types: listEventTypes() },
  });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  endpointId = textAt(created.body, 'endpoint', 'id');
  receiver.secret = textAt(created.body, 'secret');
  assert.match(receiver.secret, /^whsec_/);
});
after(() => Promise.all([shop.stop(), receiver.close()]));

const has = (type: string, objectId: string): boolean =>
  receiver.accepted.some((event) => event.type === type && event.text.includes(objectId));

const isGroup = (text: string): text is EventGroup => Object.hasOwn(PAYLOADS, text);

test('[OPS-19] an order sends its events in order, as documented', async () => {
  const order = await createOrder(shop, 'webhookbuyer');
  await shop.api('POST', '/dev/pay', { body: { order_id: order.id } });
  await waitUntil(() => has('payment.seen', order.id));
  await shop.api('POST', '/dev/mine', { body: { blocks: 6 } });
  await waitUntil(() => has('order.paid', order.id));
  const types = receiver.accepted.filter(({ text }) => text.includes(order.id)).map(({ type }) => type);
  assert.equal(types[0], 'order.created');
  assert.ok(types.indexOf('payment.seen') < types.indexOf('payment.confirmed'));
  assert.ok(types.indexOf('payment.confirmed') < types.indexOf('order.paid'));
  assert.equal(receiver.invalid, 0);
  for (const { type, body, text } of receiver.accepted) {
    const [group = ''] = type.split('.');
    assert.ok(isGroup(group), type);
    // Exactly the documented fields, and no personal data.
    const schema = createEnvelope(type, z.strictObject(PAYLOADS[group].shape));
    assert.ok(schema.safeParse(body).success, z.prettifyError(schema.safeParse(body).error ?? new z.ZodError([])));
    for (const personal of ['webhookbuyer', '@', 'streetAddress', 'postcode'])
      assert.ok(!text.includes(personal), personal);
  }
  assert.equal(valueAt(receiver.accepted.at(-1)?.body, 'data', 'order', 'payment_status'), 'paid');
});

test('[OPS-19] a ticket sends created, message and closed', async () => {
  const login = await shop.api('POST', '/users/login', { body: { username: 'alice', password: 'crypto-market' } });
  const token = textAt(login.body, 'tokens', 'accessToken');
  const draft = { title: 'Hidden words', theme: 'Delivery', description: 'Hidden words' };
  const id = textAt((await shop.api('POST', '/tickets/create', { token, body: draft })).body, 'id');
  const written = { ticket_id: id, message: 'Hidden words' };
  assert.equal((await shop.api('POST', '/tickets/messages', { token, body: written })).status, 201);
  assert.equal((await shop.api('POST', `/support/tickets/${id}/close`, { token: owner })).status, 200);
  await waitUntil(() => has('ticket.closed', id));
  const own = receiver.accepted.filter(({ text }) => text.includes(id));
  assert.deepEqual(
    own.map(({ type }) => type),
    ['ticket.created', 'ticket.message_created', 'ticket.closed'],
  );
  assert.equal(valueAt(own[1]?.body, 'data', 'ticket', 'message', 'sender_type'), 'user');
  assert.ok(own.every(({ text }) => !text.includes('Hidden')));
});

test('[OPS-19] stock sends low, sold out and back', async () => {
  const listed = await shop.api('GET', '/inventory', { token: owner });
  const variantId = textAt(listAt(listed.body, 'variants')[0], 'variant_id');
  for (const available of [10, 2, 0, 5]) {
    await runWithShopDatabase(shop, (db) =>
      sql`insert into variant_stock (variant_id, available) values (${variantId}, ${available})
        on conflict (variant_id) do update set available = excluded.available`.execute(db),
    );
  }
  await waitUntil(() => has('stock.back_in_stock', variantId));
  const own = receiver.accepted.filter(({ type, text }) => type.startsWith('stock.') && text.includes(variantId));
  assert.deepEqual(
    own.map(({ type }) => type),
    ['stock.low', 'stock.sold_out', 'stock.back_in_stock'],
  );
  assert.deepEqual(
    own.map(({ body }) => valueAt(body, 'data', 'variant', 'available')),
    [2, 0, 5],
  );
});

test('[OPS-19] owners see deliveries, send tests and send again', async () => {
  const tested = await shop.api('POST', `/webhooks/${endpointId}/test`, { token: owner });
  assert.equal(tested.status, 201, JSON.stringify(tested.body));
  const eventId = textAt(tested.body, 'event_id');
  await waitUntil(() => receiver.accepted.some(({ id }) => id === eventId));
  const list = () =>
    shop.api('GET', `/webhooks/${endpointId}/deliveries?q=${eventId}&type=webhook.test`, { token: owner });
  await waitUntil(async () => valueAt(listAt((await list()).body, 'deliveries')[0], 'state') === 'delivered');
  const id = textAt(listAt((await list()).body, 'deliveries')[0], 'id');
  const detail = await shop.api('GET', `/webhook-deliveries/${id}`, { token: owner });
  assert.equal(valueAt(listAt(detail.body, 'attempts')[0], 'status'), 200);
  assert.equal((await shop.api('POST', `/webhook-deliveries/${id}/resend`, { token: owner })).status, 200);
  await waitUntil(() => receiver.accepted.filter((event) => event.id === eventId).length === 2);
  const secret = {
    token: owner,
    body: { url: 'https://user:pw@erp.example', description: '', event_types: ['order.paid'] },
  };
  assert.equal((await shop.api('POST', '/webhooks', secret)).status, 400);
});

test('[OPS-19] a 410 response disables the endpoint and mails owners', async () => {
  receiver.behaviour = (_event, response) => void response.writeHead(410).end();
  await shop.api('POST', `/webhooks/${endpointId}/test`, { token: owner });
  const read = () => shop.api('GET', `/webhooks/${endpointId}`, { token: owner });
  await waitUntil(async () => valueAt((await read()).body, 'endpoint', 'disabled_because') === 'gone');
  await waitUntil(async () => {
    const mails = await runWithShopDatabase(shop, (db) =>
      sql<{ count: number }>`
        select count(*)::integer as count from mails where subject = 'A webhook endpoint was disabled'`.execute(db),
    );
    return mails.rows[0]?.count === 1;
  });
  assert.equal((await shop.api('POST', `/webhooks/${endpointId}/test`, { token: owner })).status, 409);
  const { body } = await shop.api('GET', `/webhooks/${endpointId}/deliveries`, { token: owner });
  const id = textAt(listAt(body, 'deliveries')[0], 'id');
  assert.equal((await shop.api('POST', `/webhook-deliveries/${id}/resend`, { token: owner })).status, 409);
});
