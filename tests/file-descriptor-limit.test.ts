/** The shop with few file descriptors: idle clients must not lock out active ones. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { after, before, test } from 'node:test';
import './support/built-pages.ts';
import { LiveClient } from './support/live-client.ts';
import { sendRawRequest } from './support/raw-call.ts';
import { startSpawnedShop } from './support/spawned-shop.ts';
import type { SpawnedShop } from './support/spawned-shop.ts';
import { waitUntil } from './support/wait-until.ts';

const OPEN_FILES = 256;
const isUnix = process.platform !== 'win32';

let shop: SpawnedShop;
before(async () => {
  if (isUnix) shop = await startSpawnedShop({ openFiles: OPEN_FILES });
});
after(() => shop?.stop());

/** Opens connections one after the other and sends these bytes on each. */
async function openMany(count: number, bytes: string): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let index = 0; index < count; index += 1) {
    const socket = connect(Number(new URL(shop.url).port), '127.0.0.1');
    socket.on('error', () => {});
    sockets.push(socket);
    await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
    if (bytes !== '') socket.write(bytes);
  }
  return sockets;
}
const closeAll = (sockets: readonly Socket[]): void => {
  for (const socket of sockets) socket.destroy();
};

const PATHS = ['/', '/readyz', '/api/products?limit=1&q=mac', '/favicon.ico', '/cart'];
const requestPath = (path: string) =>
  sendRawRequest(shop.url, { method: 'GET', path, headers: { connection: 'close' } });

async function assertInService(): Promise<void> {
  for (const path of PATHS) {
    const { status, text } = await requestPath(path);
    assert.equal(status, 200, `${path}: ${text.slice(0, 200)}`);
  }
}

/** Whether every path responds; a refusal does not count. */
async function isInService(): Promise<boolean> {
  for (const path of PATHS) {
    const response = await requestPath(path).catch(() => null);
    if (response?.status !== 200) return false;
  }
  return true;
}

for (const [kind, bytes] of [
  ['idle', ''],
  ['half-sent', 'GET / HTTP/1.1\r\nhost: x\r\n'],
  ['kept-alive', 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n'],
] as const) {
  test(`[OPS-26] responds with 256 descriptors and 400 ${kind} connections`, { skip: !isUnix }, async () => {
    const sockets = await openMany(400, bytes);
    await assertInService();
    closeAll(sockets);
  });
}

test('[OPS-26] responds during 400 requests whose bodies never arrive', { skip: !isUnix }, async () => {
  const head =
    'POST /api/cart/add HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{';
  const sockets = await openMany(400, head);
  // A slow request times out after a second; until then a new one may be refused.
  await waitUntil(isInService);
  closeAll(sockets);
  // The next test needs a shop that has closed these connections.
  await waitUntil(isInService);
});

test('[OPS-26] responds during 400 live connections', { skip: !isUnix }, async () => {
  const clients = Array.from({ length: 400 }, () => new LiveClient(shop.url));
  await Promise.allSettled(clients.map((client) => client.open()));
  await assertInService();
  for (const client of clients) client.close();
});

test('[OPS-26] never opens more files than allowed', { skip: !isUnix }, () => {
  assert.doesNotMatch(shop.readOutput(), /EMFILE|ENFILE|too many open files/i);
  assert.match(shop.readOutput(), /too many connections: the longest idle ones are closed/);
});
