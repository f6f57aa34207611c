/**
 * Stress test of webhooks: two processes send events to receivers that time out, fail, redirect, hang, are closed and
 * answer slowly, while one process is killed. Each event arrives at least once, in order per object, with a signature.
 */
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { GIVE_UP_MS } from '#src/shop/webhooks/retry-schedule.ts';
import { insertEvents } from '#src/shop/webhooks/events/store.ts';
import type { NewEvent } from '#src/shop/webhooks/events/store.ts';
import { getOwnerToken } from './api-key.ts';
import { textAt } from './read-json.ts';
import { SeededRandom } from './seeded-random.ts';
import { startSecondProcess } from './second-process.ts';
import type { TestShop } from './shop.ts';
import { runWithShopDatabase } from './stock-stress.ts';
import { WebhookReceiver } from './webhook-receiver.ts';
import type { Behaviour } from './webhook-receiver.ts';

/** The time bases of the test; the shop must be started with them. */
export const STRESS_SETTINGS = {
  WEBHOOK_ALLOW_PRIVATE: '127.0.0.1',
  WEBHOOK_FIRST_RETRY_MS: '10',
  WEBHOOK_TIMEOUT_MS: '250',
  RATE_LIMITS: 'off',
} as const;

const EVENTS_PER_OBJECT = 10;
const BATCH = 500;
const TYPE = 'order.updated';

export interface WebhookStressReport {
  readonly events: number;
  readonly deliveries: number;
  readonly requests: number;
  readonly repeated: number;
  readonly invalidSignatures: number;
  readonly outOfOrder: number;
  readonly missing: number;
  readonly seconds: number;
  /** Requests of each receiver. */
  readonly receivers: Readonly<Record<string, number>>;
}

const accept: Behaviour = (_event, response) => void response.end('ok');
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** Behaviours by name; each fails a share of its requests. */
function createBehaviours(random: SeededRandom): Readonly<Record<string, Behaviour>> {
  const failing =
    (share: number, fail: Behaviour): Behaviour =>
    (event, response) =>
      (random.pickBelow(1_000) < share * 1_000 ? fail : accept)(event, response);
  return {
    healthy: accept,
    'answers 500': failing(0.2, (_event, response) => void response.writeHead(500).end('x'.repeat(50_000))),
    redirects: failing(
      0.2,
      (_event, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    ),
    'times out': failing(0.01, () => {}),
    hangs: failing(0.01, (_event, response) => void response.writeHead(200).write('x')),
    'closes connections': failing(0.2, (_event, response) => void response.destroy()),
    'answers slowly': failing(0.02, (_event, response) => void setTimeout(() => response.end(), 100)),
  };
}

interface Target {
  readonly name: string;
  readonly receiver: WebhookReceiver;
}

async function addTargets(shop: TestShop, random: SeededRandom): Promise<Target[]> {
  const owner = await getOwnerToken(shop);
  const targets: Target[] = [];
  for (const [name, behaviour] of Object.entries(createBehaviours(random))) {
    const receiver = await WebhookReceiver.open();
    receiver.behaviour = behaviour;
    const body = { url: receiver.url, description: name, event_types: [TYPE] };
    const created = await shop.api('POST', '/webhooks', { token: owner, body });
    receiver.secret = textAt(created.body, 'secret');
    targets.push({ name, receiver });
  }
  return targets;
}

/** Events of several objects in turn, as their order in the database. */
function createEvents(count: number): NewEvent[] {
  const objects = Array.from({ length: Math.max(1, Math.ceil(count / EVENTS_PER_OBJECT)) }, () => uuidv7());
  return Array.from({ length: count }, (_, number) => {
    const [id, at, objectId] = [uuidv7(), new Date(), objects[number % objects.length] ?? ''];
    const body = JSON.stringify({ id, type: TYPE, data: { object: objectId, number } });
    return { id, type: TYPE, objectId, at, body, giveUpAt: new Date(at.getTime() + GIVE_UP_MS) };
  });
}

async function countPending(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from webhook_deliveries where state = 'pending'`.execute(db);
  return rows[0]?.count ?? 0;
}

/** First arrivals of an object that come before an earlier event of it, and events that never arrived. */
function compare(receiver: WebhookReceiver, events: readonly NewEvent[]): { outOfOrder: number; missing: number } {
  const arrival = new Map<string, number>();
  for (const [at, { id }] of receiver.accepted.entries()) if (!arrival.has(id)) arrival.set(id, at);
  const last = new Map<string, number>();
  let [outOfOrder, missing] = [0, 0];
  for (const { id, objectId } of events) {
    const at = arrival.get(id);
    if (at === undefined) missing += 1;
    else if (at < (last.get(objectId) ?? -1)) outOfOrder += 1;
    last.set(objectId, Math.max(at ?? -1, last.get(objectId) ?? -1));
  }
  return { outOfOrder, missing };
}

/** @param shop started with `STRESS_SETTINGS` */
export async function stressWebhooks(
  shop: TestShop,
  { events: count, seed }: { readonly events: number; readonly seed: number },
  progress: (line: string) => void,
): Promise<WebhookStressReport> {
  const targets = await addTargets(shop, new SeededRandom(seed));
  const events = createEvents(count);
  let second = await startSecondProcess(shop, STRESS_SETTINGS);
  try {
    const start = performance.now();
    const total = count * targets.length;
    let isKilled = false;
    await runWithShopDatabase(shop, async (db) => {
      for (let from = 0; from < count; from += BATCH) {
        await transact(db, (tx) => insertEvents(tx, events.slice(from, from + BATCH)));
      }
      progress(`${count} events for ${targets.length} receivers are recorded`);
      for (let pending = total, shown = 0; pending > 0;) {
        await new Promise((resolve) => setTimeout(resolve, 500));
        pending = await countPending(db);
        if (!isKilled && pending < total / 2) {
          await second.kill9();
          progress(`a process is killed with ${pending} of ${total} deliveries left`);
          isKilled = true;
          second = await startSecondProcess(shop, STRESS_SETTINGS);
        }
        if (performance.now() - start > (shown + 1) * 10_000) progress(`${shown++ * 10 + 10} s: ${pending} left`);
      }
    });
    const found = targets.map(({ receiver }) => compare(receiver, events));
    const accepted = sum(targets.map(({ receiver }) => receiver.accepted.length));
    return {
      events: count,
      deliveries: total,
      requests: sum(targets.map(({ receiver }) => receiver.received.length)),
      repeated: accepted - total,
      invalidSignatures: sum(targets.map(({ receiver }) => receiver.invalid)),
      outOfOrder: sum(found.map(({ outOfOrder }) => outOfOrder)),
      missing: sum(found.map(({ missing }) => missing)),
      seconds: (performance.now() - start) / 1_000,
      receivers: Object.fromEntries(targets.map(({ name, receiver }) => [name, receiver.received.length])),
    };
  } finally {
    await second.stop();
    await Promise.all(targets.map(({ receiver }) => receiver.close()));
  }
}
