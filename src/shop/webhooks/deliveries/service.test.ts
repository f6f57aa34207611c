import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { v7 as uuidv7 } from 'uuid';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { NOTHING_PRIVATE, parseAllowedPrivate } from '#src/platform/outbound/address-policy.ts';
import { SecretBox } from '#src/platform/security/secret-box.ts';
import { createTestDatabase, silentLog } from '../../../../tests/support/database.ts';
import { waitUntil } from '../../../../tests/support/wait-until.ts';
import { WebhookReceiver } from '../../../../tests/support/webhook-receiver.ts';
import { WebhookEndpoints } from '../endpoints/service.ts';
import { insertEvents } from '../events/store.ts';
import { GIVE_UP_MS } from '../retry-schedule.ts';
import { WebhookDeliveries } from './service.ts';
import { WebhookWorker } from './worker.ts';

const HOUR_MS = 3_600_000;
const BY = { kind: 'command', name: 'test' } as const;
const rules = {
  allowed: parseAllowedPrivate('127.0.0.1') ?? NOTHING_PRIVATE,
  isHttpAllowed: true,
  timeoutMs: 400,
  firstRetryMs: 20,
};

let db: Db;
let clock: { at: number; now: () => Date };
let endpoints: WebhookEndpoints;
let deliveries: WebhookDeliveries;
let disabled: string[];
const opened: WebhookReceiver[] = [];
after(() => Promise.all(opened.map((receiver) => receiver.close())));

beforeEach(async () => {
  ({ db } = await createTestDatabase());
  clock = { at: Date.now(), now: () => new Date(clock.at) };
  disabled = [];
  const options = {
    db,
    clock,
    secrets: new SecretBox(randomBytes(32)),
    rules,
    onDisabled: async (_tx: Db, id: string, because: string) => void disabled.push(`${id} ${because}`),
  };
  endpoints = new WebhookEndpoints(options);
  deliveries = new WebhookDeliveries(options);
});

async function addEndpoint(): Promise<{ receiver: WebhookReceiver; id: string; secret: string }> {
  const receiver = await WebhookReceiver.open();
  opened.push(receiver);
  const fields = { url: receiver.url, description: '', eventTypes: ['order.paid'] };
  const created = await endpoints.create(fields, BY);
  assert.ok(created.ok);
  receiver.secret = created.secret;
  return { receiver, id: created.endpoint.id, secret: created.secret };
}

/** Records events, each in a transaction of its own. Returns their ids. */
async function addEvents(count: number, objectIds: readonly string[] = [uuidv7()]): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 0; number < count; number += 1) {
    const id = uuidv7();
    const objectId = objectIds[number % objectIds.length] ?? '';
    const at = clock.now();
    const body = JSON.stringify({ id, type: 'order.paid', data: { object: objectId, number } });
    const event = { id, type: 'order.paid', objectId, at, body, giveUpAt: new Date(at.getTime() + GIVE_UP_MS) };
    await transact(db, (tx) => insertEvents(tx, [event]));
    ids.push(id);
  }
  return ids;
}

/** One round of one process: everything that is due. */
async function sendDue(): Promise<void> {
  const { token, endpoints: leased } = await deliveries.lease(10);
  await Promise.all(leased.map((one) => deliveries.sendAll(one, token, () => false)));
}

const readStates = async (): Promise<string[]> =>
  (await sql<{ state: string }>`select state from webhook_deliveries order by position`.execute(db)).rows.map(
    ({ state }) => state,
  );

test('[OPS-19] sends a signed event once and records the response', async () => {
  const { receiver } = await addEndpoint();
  const [id = ''] = await addEvents(1);
  await sendDue();
  await sendDue();
  assert.deepEqual(
    receiver.received.map((one) => one.id),
    [id],
  );
  assert.equal(receiver.invalid, 0);
  const [delivery] = (await deliveries.list({ endpointId: (await endpoints.list())[0]?.id ?? '' })).deliveries;
  const found = await deliveries.find(delivery?.id ?? '');
  assert.deepEqual([found?.state, found?.attempts, found?.lastStatus], ['delivered', 1, 200]);
  assert.equal(found?.attemptList[0]?.response, 'ok');
});

test('[OPS-19] a later event of an object waits for the earlier one', async () => {
  const { receiver } = await addEndpoint();
  const [a, b] = [uuidv7(), uuidv7()];
  const [first, other, second] = await addEvents(3, [a, b]);
  receiver.behaviour = ({ id }, response) => void response.writeHead(id === first ? 500 : 200).end('x'.repeat(5_000));
  await sendDue();
  assert.deepEqual(
    receiver.received.map(({ id }) => id),
    [first, other],
  );
  receiver.behaviour = (_event, response) => void response.end();
  clock.at += 1_000;
  await sendDue();
  assert.deepEqual(
    receiver.accepted.map(({ id }) => id),
    [other, first, second],
  );
});

test('[OPS-19] a hanging receiver delays no other one', async () => {
  const [slow, fast] = [await addEndpoint(), await addEndpoint()];
  slow.receiver.behaviour = () => {};
  await addEvents(5, [uuidv7(), uuidv7(), uuidv7(), uuidv7(), uuidv7()]);
  await sendDue();
  assert.equal(fast.receiver.accepted.length, 5);
  assert.equal(slow.receiver.accepted.length, 0);
});

test('[OPS-19] gives up after three days and continues with the next event', async () => {
  const { receiver, id } = await addEndpoint();
  const [first] = await addEvents(2);
  receiver.behaviour = (event, response) => void response.writeHead(event.id === first ? 500 : 200).end();
  await sendDue();
  clock.at += GIVE_UP_MS - HOUR_MS;
  await sendDue();
  assert.deepEqual(await readStates(), ['pending', 'pending']);
  // A success in between: the endpoint itself works.
  await addEvents(1);
  clock.at += HOUR_MS;
  await sendDue();
  await sendDue();
  assert.deepEqual(await readStates(), ['given_up', 'delivered', 'delivered']);
  assert.equal((await endpoints.find(id))?.givenUp, 1);
});

test('[OPS-19] three days of only failures disable an endpoint', async () => {
  const { receiver, id } = await addEndpoint();
  receiver.behaviour = (_event, response) => void response.writeHead(503).end();
  await addEvents(2, [uuidv7(), uuidv7()]);
  await sendDue();
  assert.deepEqual(disabled, []);
  clock.at += GIVE_UP_MS;
  await sendDue();
  assert.deepEqual(disabled, [`${id} failing`]);
  // Nothing is recorded or sent until it is enabled again.
  const sent = receiver.received.length;
  await addEvents(1);
  await sendDue();
  assert.equal(receiver.received.length, sent);
  receiver.behaviour = (_event, response) => void response.end();
  await endpoints.setEnabled(id, true, BY);
  await sendDue();
  // Jitter decides which of the two was tried last.
  assert.deepEqual((await readStates()).toSorted(), ['delivered', 'given_up']);
});

test('[OPS-19] status 410 disables an endpoint at once', async () => {
  const { receiver, id } = await addEndpoint();
  receiver.behaviour = (_event, response) => void response.writeHead(410).end();
  await addEvents(2);
  await sendDue();
  assert.deepEqual(disabled, [`${id} gone`]);
  assert.equal(receiver.received.length, 1);
});

test('[OPS-19] the former secret signs too for a day', async () => {
  const { receiver, id, secret } = await addEndpoint();
  receiver.secret = null;
  const rotated = await endpoints.rotateSecret(id, BY);
  assert.ok(rotated && rotated.secret !== secret);
  clock.at += 24 * HOUR_MS - 1_000;
  await addEvents(1);
  await sendDue();
  clock.at += 1_000;
  await addEvents(1);
  await sendDue();
  const [during, afterwards] = receiver.accepted;
  assert.ok(during && afterwards);
  assert.equal(during.headers['webhook-signature']?.split(' ').length, 2);
  for (const one of [secret, rotated.secret]) new Webhook(one).verify(during.text, during.headers);
  new Webhook(rotated.secret).verify(afterwards.text, afterwards.headers);
  assert.throws(() => new Webhook(secret).verify(afterwards.text, afterwards.headers));
});

test('[OPS-19] a delivery can be sent again with the same id', async () => {
  const { receiver } = await addEndpoint();
  const [id] = await addEvents(1);
  await sendDue();
  const [delivery] = (await deliveries.list({ endpointId: (await endpoints.list())[0]?.id ?? '' })).deliveries;
  assert.equal(await deliveries.resend(delivery?.id ?? '', BY), true);
  await sendDue();
  assert.deepEqual(
    receiver.accepted.map((one) => one.id),
    [id, id],
  );
  assert.equal(await deliveries.resend(uuidv7(), BY), false);
});

test('[OPS-19] there are at most ten endpoints', async () => {
  const fields = { url: 'https://erp.example/', description: '', eventTypes: ['order.paid'] };
  const created = await Promise.all(Array.from({ length: 14 }, () => endpoints.create(fields, BY)));
  assert.equal(created.filter(({ ok }) => ok).length, 10);
});

test('[OPS-19] two workers send 300 events in order to failing receivers', async () => {
  clock.now = () => new Date();
  const targets = await Promise.all([1, 2, 3, 4].map(() => addEndpoint()));
  const [flaky, cutting, hanging] = targets;
  assert.ok(flaky && cutting && hanging);
  let requests = 0;
  flaky.receiver.behaviour = (_event, response) => void response.writeHead((requests += 1) % 3 === 0 ? 500 : 200).end();
  cutting.receiver.behaviour = (_event, response) =>
    void ((requests += 1) % 10 === 0 ? response.destroy() : response.end());
  let isHung = false;
  hanging.receiver.behaviour = (_event, response) => {
    if (isHung || (requests += 1) % 20 !== 0) response.end();
    // The lease of the other worker goes on meanwhile.
    else isHung = true;
  };
  const objects = Array.from({ length: 25 }, () => uuidv7());
  const workers = [1, 2].map(() => {
    const webhookEvents = { relayStockChanges: async () => false };
    return new WebhookWorker({ webhookEvents, webhookDeliveries: deliveries, log: silentLog });
  });
  for (const worker of workers) worker.start();
  const ids = await addEvents(75, objects);
  await waitUntil(() => targets.every(({ receiver }) => new Set(receiver.accepted.map(({ id }) => id)).size === 75));
  await waitUntil(async () => (await readStates()).every((state) => state === 'delivered'));
  await Promise.all(workers.map((worker) => worker.stop()));
  for (const { receiver } of targets) {
    assert.equal(receiver.invalid, 0);
    for (const object of objects) {
      const own = receiver.accepted.filter(({ text }) => text.includes(object)).map(({ id }) => id);
      const firsts = [...new Set(own)];
      assert.deepEqual(
        firsts,
        ids.filter((id) => firsts.includes(id)),
      );
    }
  }
});
