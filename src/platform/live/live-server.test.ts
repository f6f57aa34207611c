import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { after, afterEach, mock, test } from 'node:test';
import fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import '../../../tests/support/own-process.ts';
import { silentLog } from '../../../tests/support/database-server.ts';
import { LiveClient } from '../../../tests/support/live-client.ts';
import { waitUntil } from '../../../tests/support/wait-until.ts';
import type { Identity } from '#src/platform/http/call.ts';
import { noRateLimits } from '#src/platform/http/rate-limits.ts';
import { LiveServer } from './live-server.ts';
import type { LiveOptions } from './live-server.ts';

const servers: FastifyInstance[] = [];
const clients: LiveClient[] = [];
afterEach(() => {
  mock.timers.reset();
  for (const client of clients.splice(0)) client.close();
});
after(() => Promise.all(servers.map((server) => server.close())));

/** The token is the user id; the session id is derived from it. */
const identify = (token: string): Promise<Identity | null> =>
  Promise.resolve({
    userId: token,
    sessionId: `session of ${token}`,
    username: token,
    role: 'customer',
    isStaff: false,
  });

async function open(
  options: Partial<LiveOptions> = {},
): Promise<{ live: LiveServer; url: string; close: () => Promise<void> }> {
  const server = fastify();
  servers.push(server);
  const live = new LiveServer({
    identify,
    listActiveSessions: (sessions) => Promise.resolve(new Set(sessions)),
    sessionCookie: 'session',
    origins: new Set(['http://shop.example']),
    trustedProxies: 0,
    maxConnections: 1_000,
    limits: noRateLimits,
    log: silentLog,
    onJoined: () => {},
    ...options,
  });
  live.attach(server);
  const url = await server.listen({ port: 0, host: '127.0.0.1' });
  return { live, url, close: () => server.close() };
}
function connect(url: string, headers: Readonly<Record<string, string>> = {}): LiveClient {
  const client = new LiveClient(url, headers);
  clients.push(client);
  return client;
}

test('[WS-01] disconnects a client that does not authenticate', async () => {
  const { live, url } = await open({ authenticationTimeoutMs: 50 });
  const client = await connect(url).open();
  assert.equal(await client.waitForClose(), 4401);
  assert.deepEqual(live.users, []);
});

test('[WS-01] disconnects silent clients and ended sessions', async () => {
  const over = new Set<string>();
  let received = 0;
  // The test triggers each heartbeat, because a busy machine may respond too late for a timer.
  mock.timers.enable({ apis: ['setInterval'] });
  const { live, url } = await open({
    heartbeatMs: 50,
    listActiveSessions: (sessions) => Promise.resolve(new Set(sessions.filter((session) => !over.has(session)))),
    onFrame: () => (received += 1),
  });
  const [gone, there, out] = await Promise.all(['gone', 'there', 'out'].map((name) => connect(url).signIn(name)));
  /** Triggers a heartbeat and waits for a frame in each direction, which arrives after ping and pong. */
  const beat = async (...present: readonly (LiveClient | undefined)[]): Promise<void> => {
    const [receivedBefore, framesBefore] = [received, present.map((client) => client?.frames.length ?? 0)];
    mock.timers.tick(50);
    for (const user of live.users) live.send(user, { type: 'news', data: null });
    for (const [index, client] of present.entries()) {
      await waitUntil(() => (client?.frames.length ?? 0) > (framesBefore[index] ?? 0));
      client?.send({ type: 'here' });
    }
    await waitUntil(() => received === receivedBefore + present.length);
  };
  gone?.pause();
  await beat(there, out);
  assert.deepEqual(live.users.toSorted(), ['gone', 'out', 'there'], 'the first heartbeat disconnects nobody');
  await beat(there, out);
  await waitUntil(() => !live.isConnected('gone'));
  assert.ok(live.isConnected('there') && live.isConnected('out'));
  over.add('session of out');
  await beat(there);
  assert.equal(await out?.waitForClose(), 4401);
  await waitUntil(() => !live.isConnected('out'));
  assert.ok(there?.isOpen);
});

test('[WS-03] disconnects a slow reader without delaying others', async () => {
  const { live, url } = await open();
  const [slow, quick] = [await connect(url).signIn('slow'), await connect(url).signIn('quick')];
  slow.pause();
  const message = { type: 'news', data: 'x'.repeat(100_000) };
  await waitUntil(() => {
    for (let count = 0; count < 20; count += 1) live.send('slow', message);
    return !live.isConnected('slow');
  });
  live.send('quick', message);
  await waitUntil(() => quick.types.includes('news'));
  assert.deepEqual(live.users, ['quick']);
});

test('[WS-01] refuses a wrong origin, too many upgrades, and upgrades after stop', async () => {
  const limited = await open({
    limits: { ...noRateLimits, consume: () => Promise.resolve({ ok: false, retryAfterSeconds: 7 }) },
  });
  assert.equal(await connect(limited.url).waitForClose(), 1006);
  const { url, close } = await open();
  assert.equal(await connect(url, { origin: 'http://evil.example' }).waitForClose(), 1006);
  const client = await connect(url, { origin: 'http://shop.example' }).signIn('ada');
  assert.deepEqual(client.types, ['authenticated']);
  await close();
  assert.equal(await client.waitForClose(), 1012);
});

test('[WS-01] asks to retry while sessions cannot be read', async () => {
  const { url } = await open({ identify: () => Promise.reject(new Error('the database is away')) });
  const client = await connect(url).open();
  client.send({ type: 'authenticate', token: 'ada' });
  assert.equal(await client.waitForClose(), 1013);
});

/** Status line of the response to an upgrade. */
async function requestUpgrade(url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = createConnection(Number(port), hostname);
  const key = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n';
  socket.write(`GET /api/wss HTTP/1.1\r\nHost: shop\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${key}\r\n`);
  const response: unknown[] = await once(socket, 'data');
  socket.destroy();
  return String(response[0]).split('\r\n')[0] ?? '';
}

test('[WS-01] refuses upgrades while they cannot be counted', async () => {
  const { url } = await open({
    limits: { ...noRateLimits, consume: () => Promise.reject(new Error('the database is away')) },
  });
  // An unhandled rejection would end the process and fail the test.
  for (let tries = 0; tries < 2; tries += 1) assert.match(await requestUpgrade(url), /^HTTP\/1\.1 503 /);
});

test('[WS-01] refuses a client that authenticates during stop', async () => {
  const waiting: (() => void)[] = [];
  const { live, url, close } = await open({
    limits: {
      ...noRateLimits,
      consume: () => new Promise((resolve) => waiting.push(() => resolve({ ok: true }))),
    },
  });
  const status = requestUpgrade(url);
  await waitUntil(() => waiting.length === 1);
  live.close();
  for (const letIn of waiting) letIn();
  assert.match(await status, /^HTTP\/1\.1 503 /);
  await close();
});

test('[OPS-26] live connections beyond their own limit are refused with 503', async () => {
  const { url } = await open({ maxConnections: 2 });
  await Promise.all([connect(url).open(), connect(url).open()]);
  const { hostname, port } = new URL(url);
  const socket = createConnection(Number(port), hostname);
  let response = '';
  socket.on('data', (chunk: Buffer) => (response += chunk.toString()));
  socket.write(
    'GET /api/wss HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n' +
      'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  await once(socket, 'close');
  assert.match(response, /^HTTP\/1\.1 503 /);
});
