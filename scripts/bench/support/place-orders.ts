/** Places orders over HTTP as fast as possible: several connections, each order from another buyer. */
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Db } from '#src/platform/database/database.ts';
import { hashToken } from '#src/platform/security/tokens.ts';
import { BILLING } from '../../../tests/support/stress-buyer.ts';

/** Shorter than Retry-After, so that waiting does not limit the measured rate. */
const SHED_PAUSE_MS = 100;
const HEAD_END = '\r\n\r\n';

/** Creates signed-in buyers with one product in the cart. Returns their tokens. */
export async function prepareBuyers(db: Db, count: number): Promise<string[]> {
  const buyers = Array.from({ length: count }, () => {
    const token = randomBytes(32).toString('base64url');
    return { person: uuidv7(), session: uuidv7(), cart: uuidv7(), token, hash: hashToken(token)?.toString('hex') };
  });
  await sql`
    with buyer as (
      select * from json_to_recordset(${JSON.stringify(buyers)}::json) as b (person uuid, session uuid, cart uuid, hash text)
    ), made as (
      insert into users (id, username, username_key, email, email_key, password_hash, created_at)
      select b.person, b.person, b.person, b.person, b.person, '-', now() from buyer b returning id
    ), signed_in as (
      insert into sessions (id, user_id, token_hash, created_at, last_seen_at, expires_at)
      select b.session, made.id, decode(b.hash, 'hex'), now(), now(), now() + interval '1 day'
      from buyer b join made on made.id = b.person returning id
    ), filled as (
      insert into carts (id, user_id, created_at, updated_at)
      select b.cart, made.id, now(), now() from buyer b join made on made.id = b.person returning id
    )
    insert into cart_lines (cart_id, product_id, property_value_ids, quantity)
    select filled.id, product.id, array(
        select distinct on (value.property_id) value.id from product_values offered
        join property_values value on value.id = offered.value_id
        where offered.product_id = product.id order by value.property_id, value.position, value.id
      ), 1
    from filled, (select id from products where is_published order by position, id limit 1) product
  `.execute(db);
  return buyers.map(({ token }) => token);
}

export interface Placed {
  readonly ids: readonly string[];
  readonly perSecond: number;
  /** Latency including retries, in ms. */
  readonly medianMs: number;
  readonly slowestMs: number;
}

/**
 * Places one order for each token on this many connections.
 * @param productId a product that each buyer adds to the cart before the checkout
 * @throws for a status other than 2xx and 503
 */
export async function placeOrders(
  port: number,
  tokens: readonly string[],
  connections: number,
  productId?: string,
): Promise<Placed> {
  const calls: readonly Call[] = [
    ...(productId === undefined ? [] : [{ path: '/api/cart/add', body: { product_id: productId, quantity: 1 } }]),
    { path: '/api/cart/checkout', body: BILLING },
  ];
  const queue = [...tokens];
  const ids: string[] = [];
  const took: number[] = [];
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: connections }, () => placeOneAfterAnother(port, queue, calls, ids, took)));
  const perSecond = (ids.length / (performance.now() - startedAt)) * 1000;
  const sorted = took.toSorted((a, b) => a - b);
  return { ids, perSecond, medianMs: sorted[Math.floor(sorted.length / 2)] ?? 0, slowestMs: sorted.at(-1) ?? 0 };
}

let networks = 0;
/** A new client address, since orders per network and day are limited. */
function createAddress(): string {
  networks += 1;
  return `10.${(networks >> 16) & 255}.${(networks >> 8) & 255}.${networks & 255}`;
}

interface Call {
  readonly path: string;
  readonly body: unknown;
}

/** @param calls each buyer sends them in this order; the response to the last one has the order */
// Not node:http: its client would use CPU time that the shop needs.
function placeOneAfterAnother(
  port: number,
  queue: string[],
  calls: readonly Call[],
  ids: string[],
  took: number[],
): Promise<void> {
  const requests = calls.map(({ path, body }) => {
    const json = JSON.stringify(body);
    const format = (token: string): string =>
      `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\n` +
      `x-forwarded-for: ${createAddress()}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(json)}\r\n\r\n${json}`;
    return format;
  });
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    let text = '';
    let sentAt = 0;
    let token = '';
    let step = 0;
    const startNext = (): void => {
      const next = queue.shift();
      if (next === undefined) {
        socket.end();
        resolve();
        return;
      }
      [token, step, sentAt] = [next, 0, performance.now()];
      send();
    };
    const send = (): void => {
      text = '';
      socket.write(requests[step]?.(token) ?? '');
    };
    socket.on('connect', startNext);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`the shop closed a connection: ${text.slice(0, 600)}`)));
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const end = text.indexOf(HEAD_END);
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? Number.NaN);
      if (end === -1 || text.length < end + HEAD_END.length + length) return;
      // Shed: retries, as a client does. The wait counts.
      if (text.startsWith('HTTP/1.1 503 ')) {
        setTimeout(send, SHED_PAUSE_MS);
        return;
      }
      if (step < requests.length - 1 && text.startsWith('HTTP/1.1 2')) {
        step += 1;
        send();
        return;
      }
      const id = /"order":\{"id":"([0-9a-f-]{36})"/.exec(text)?.[1];
      if (!text.startsWith('HTTP/1.1 201 ') || id === undefined) {
        reject(new Error(`no order: ${text.slice(0, 600)}`));
        return;
      }
      took.push(performance.now() - sentAt);
      ids.push(id);
      startNext();
    });
  });
}
