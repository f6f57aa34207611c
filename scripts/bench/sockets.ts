/**
 * `npm run bench -- sockets [--sockets N]`: opens authenticated idle live connections to one process
 * and measures the memory of each, and the delivery time of a ticket message. Linux only (/proc).
 */
import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { WebSocket } from 'ws';
import { attachEmbeddedPostgres } from '#src/platform/database/embedded-postgres.ts';
import { openDatabase } from '#src/platform/database/database.ts';
import { issueToken } from '#src/platform/security/tokens.ts';
import { silentLog } from '../../tests/support/database-server.ts';
import { LiveClient } from '../../tests/support/live-client.ts';
import { textAt } from '../../tests/support/read-json.ts';
import { startShopProcess } from '../../tests/support/shop-process.ts';
import type { ShopProcess } from '../../tests/support/shop-process.ts';
import { fillFromTemplate, makeTemporaryDirectory } from '../../tests/support/template.ts';
import { waitUntil } from '../../tests/support/wait-until.ts';

const SOCKETS_A_USER = 10;
const AT_ONCE = 50;
const WARM_UP = 1_000;
const MESSAGES = 300;
const SETTLE_MS = 3_000;
/** On SIGUSR2 the shop collects garbage and prints its heap size. */
const NODE_OPTIONS =
  '--expose-gc --import=data:text/javascript,process.on(`SIGUSR2`,()=>{gc();console.error(`heap=${process.memoryUsage().heapUsed}=`)})';

const { values } = parseArgs({ options: { sockets: { type: 'string', default: '5000' } } });
const wanted = Number(values.sockets);
if (!Number.isInteger(wanted) || wanted < 1 || wanted > 8_990) {
  console.error('--sockets is 1 to 8990.');
  process.exit(1);
}

/** Creates sessions in the database, since hashing a thousand passwords would take too long. */
async function makeSessions(dataDir: string, count: number, role: string): Promise<string[]> {
  const attached = await attachEmbeddedPostgres({ dataDir, isDataDirExplicit: true });
  if (!attached) throw new Error('the shop’s database does not run');
  const database = openDatabase({ connection: attached.connection, log: silentLog, poolSize: 1 });
  const tokens: string[] = [];
  try {
    for (let index = 0; index < count; index += 1) {
      const [userId, { token, hash }, name] = [uuidv7(), issueToken(), `bench ${role} ${index}`];
      await sql`insert into users (id, username, username_key, email, email_key, password_hash, role, created_at)
        values (${userId}, ${name}, ${name}, ${`${index}@bench.example`}, ${`${role} ${index}`}, '-', ${role}, now())`.execute(
        database.db,
      );
      await sql`insert into sessions (id, user_id, token_hash, created_at, last_seen_at, expires_at)
        values (${uuidv7()}, ${userId}, ${hash}, now(), now(), now() + interval '1 day')`.execute(database.db);
      tokens.push(token);
    }
  } finally {
    await database.close();
  }
  return tokens;
}

async function openSocket(url: string, token: string): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/api/wss`, { perMessageDeflate: false });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => socket.send(JSON.stringify({ type: 'authenticate', token })));
    socket.once('message', () => resolve());
    socket.once('error', reject);
    socket.once('close', (code) => reject(new Error(`closed with ${code}`)));
  });
  return socket;
}

async function openMany(url: string, tokens: readonly string[], count: number): Promise<WebSocket[]> {
  const sockets: WebSocket[] = [];
  while (sockets.length < count) {
    const next = Array.from({ length: Math.min(AT_ONCE, count - sockets.length) }, (_, index) => {
      const token = tokens[Math.floor((sockets.length + index) / SOCKETS_A_USER)] ?? '';
      return openSocket(url, token);
    });
    sockets.push(...(await Promise.all(next)));
  }
  return sockets;
}

interface Memory {
  /** Resident memory, including freed memory that was not returned to the system. */
  readonly residentKb: number;
  /** Used heap. */
  readonly heapKb: number;
}

async function measureMemory(shop: ShopProcess): Promise<Memory> {
  for (let times = 0; times < 3; times += 1) {
    process.kill(shop.pid, 'SIGUSR2');
    await sleep(SETTLE_MS);
  }
  const heap = [...shop.readOutput().matchAll(/heap=(\d+)=/g)].at(-1)?.[1];
  const resident = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${shop.pid}/status`, 'utf8'))?.[1];
  return { residentKb: Number(resident), heapKb: Number(heap) / 1024 };
}

async function post(url: string, path: string, token: string, body: unknown): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(`${url}/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Times from posting a message to its delivery on the other side, in ms, sorted. */
async function measureMessages(url: string, user: string, staff: string): Promise<number[]> {
  const ticket = { title: 'Bench', theme: 'Bench', description: 'How quick is it?' };
  const ticketId = textAt(await post(url, '/tickets/create', user, ticket), 'id');
  const listener = await new LiveClient(url).signIn(staff);
  listener.send({ type: 'join_ticket', ticketId });
  await waitUntil(() => listener.types.includes('joined_ticket'));
  const times: number[] = [];
  for (let index = 0; index < MESSAGES; index += 1) {
    const began = performance.now();
    const received = listener.waitForFrame();
    await Promise.all([received, post(url, '/tickets/messages', user, { ticket_id: ticketId, message: `${index}` })]);
    times.push((await received) - began);
  }
  listener.close();
  return times.toSorted((a, b) => a - b);
}

const dataDir = makeTemporaryDirectory();
process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }));
await fillFromTemplate(dataDir);
const shop = await startShopProcess(dataDir, { NODE_OPTIONS });
try {
  const users = await makeSessions(dataDir, Math.ceil((WARM_UP + wanted) / SOCKETS_A_USER) + 1, 'customer');
  const [staff = ''] = await makeSessions(dataDir, 1, 'manager');
  const writer = users.pop() ?? '';
  // The first connections also allocate code and pools, which are not counted.
  const first = users.splice(0, WARM_UP / SOCKETS_A_USER);
  const early = await openMany(shop.url, first, WARM_UP);
  const before = await measureMemory(shop);
  const began = performance.now();
  const sockets = await openMany(shop.url, users, wanted);
  const seconds = (performance.now() - began) / 1000;
  const after = await measureMemory(shop);
  const formatPerSocket = (part: keyof Memory): string => ((after[part] - before[part]) / wanted).toFixed(1);
  console.log(`${wanted} live connections in ${seconds.toFixed(1)} s, after ${WARM_UP} for warm-up`);
  console.log(`each: ${formatPerSocket('heapKb')} kB of heap, ${formatPerSocket('residentKb')} kB of resident memory`);
  const times = await measureMessages(shop.url, writer, staff);
  const formatPercentile = (share: number): string => (times[Math.floor(times.length * share)] ?? 0).toFixed(1);
  console.log(
    `message delivery: p50 ${formatPercentile(0.5)} ms, p99 ${formatPercentile(0.99)} ms (goal: median below 100)`,
  );
  const all = [...early, ...sockets];
  console.log(`still open: ${all.filter(({ readyState }) => readyState === WebSocket.OPEN).length} of ${all.length}`);
  for (const socket of all) socket.terminate();
} finally {
  await shop.stop();
}
