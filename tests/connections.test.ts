/** Connections that are idle, slow, too many, or closed by the client. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { after, before, test } from 'node:test';
import './support/built-pages.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: TestShop;
before(async () => {
  shop = await startTestShop({ settings: { LOG_LEVEL: 'debug' } });
});
after(() => shop.stop());

interface RawConnection {
  readonly socket: Socket;
  /** Bytes received so far. */
  readonly readReceived: () => string;
  /** Resolves with the received bytes after the shop closes the connection. */
  readonly closed: Promise<string>;
}

/** Connects and sends these bytes; an empty text sends none. */
async function open(bytes: string): Promise<RawConnection> {
  const socket = connect(Number(new URL(shop.url).port), '127.0.0.1');
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  socket.on('error', () => {});
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(text)));
  await new Promise((resolve) => socket.once('connect', resolve));
  if (bytes !== '') socket.write(bytes);
  return { socket, readReceived: () => text, closed };
}

const formatHead = (line: string, length: number): string =>
  `${line} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;

const countLines = (words: string): number =>
  shop
    .readOutput()
    .split('\n')
    .filter((line) => line.includes(words)).length;
const LEFT = 'the client closed the connection before the request was complete';

test('[API-01] does not log a client that aborts its body as an error', async () => {
  const form = formatHead('POST /cart', 500).replace('application/json', 'application/x-www-form-urlencoded');
  const ways: readonly ((socket: Socket) => void)[] = [(socket) => socket.end(), (socket) => socket.resetAndDestroy()];
  let left = 0;
  for (const request of [formatHead('POST /api/cart/add', 500), form]) {
    for (const leave of ways) {
      // The response to the first request shows that the second one has arrived.
      const { socket, readReceived } = await open(`GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n${request}{"product_id":`);
      await waitUntil(() => readReceived().includes('"ok"'));
      leave(socket);
      left += 1;
      await waitUntil(() => countLines(LEFT) === left);
      socket.destroy();
    }
  }
  // Others are about jobs, which a busy machine can delay.
  const aboutRequests = shop
    .readOutput()
    .split('\n')
    .filter((line) => line.includes('"request_id"'));
  assert.deepEqual(
    aboutRequests.filter((line) => /"level":"(?:warn|error)"/.test(line)),
    [],
  );
});

test('[API-01] closes a connection without a request without a response', async () => {
  const { closed } = await open('');
  assert.equal(await closed, '');
});

test('[API-01] refuses an unfinished request with 408', async () => {
  const [unfinishedHead, unfinishedBody] = await Promise.all([
    open('GET /healthz HTTP/1.1\r\nhost: x\r\n'),
    open(`${formatHead('POST /api/cart/add', 500)}{`),
  ]);
  for (const { closed } of [unfinishedHead, unfinishedBody]) {
    const response = await closed;
    assert.match(response, /^HTTP\/1\.1 408 Request Timeout\r\n/);
    assert.match(response, /\r\nconnection: close\r\n/i);
    assert.match(response, /"code":"timeout"/);
  }
});

test('[API-01] closes an idle kept-alive connection without a response', async () => {
  const { closed } = await open('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
  const response = await closed;
  assert.match(response, /^HTTP\/1\.1 200 OK\r\n/);
  assert.equal(response.match(/HTTP\/1\.1/g)?.length, 1, response);
});
