/** Clients that close their connection at any stage of a request. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import './support/built-pages.ts';
import { textAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';

/** Turns of the event loop between the request and the end of the connection. */
const TURNS = [0, 1, 2, 3, 5, 8, 13, 30];

const UPLOAD = 'POST /api/pictures';

interface SentRequest {
  readonly line: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** Closes with FIN, or with RST. */
const WAYS: readonly ((socket: Socket) => void)[] = [(socket) => socket.end(), (socket) => socket.resetAndDestroy()];

/** With the limits and queues on, each connection is another client behind a proxy, so that none is refused. */
const SETTINGS = [{ RATE_LIMITS: 'off' }, { RATE_LIMITS: 'on', TRUST_PROXY: '1' }];

for (const settings of SETTINGS)
  test(`[OPS-26] a client that leaves at any stage logs no error, limits ${settings.RATE_LIMITS}`, async () => {
    const shop = await startTestShop({ settings: { LOG_LEVEL: 'info', ...settings } });
    const port = Number(new URL(shop.url).port);
    const login = { username: 'owner', password: 'crypto-market' };
    const { body: session } = await shop.api('POST', '/users/login', { body: login });
    const owner = { authorization: `Bearer ${textAt(session, 'tokens', 'accessToken')}` };
    const json = { 'content-type': 'application/json' };
    const requests: readonly SentRequest[] = [
      { line: 'GET /' },
      { line: 'GET /search-results?query=phone' },
      { line: 'GET /cart' },
      { line: 'GET /sitemap.xml' },
      { line: 'GET /products.xml' },
      { line: 'GET /api/products?q=phone' },
      { line: 'GET /api/rate' },
      { line: 'GET /api/support/orders', headers: owner },
      { line: 'GET /api/exports/products', headers: owner },
      { line: 'GET /api/exports/audit', headers: owner },
      { line: 'POST /api/cart/add', headers: json, body: JSON.stringify({ product_id: 'x', quantity: 1 }) },
      {
        line: UPLOAD,
        headers: { ...owner, 'content-type': 'application/octet-stream' },
        // Refused by its first bytes: converting pictures would take longer than all else.
        body: Buffer.alloc(300_000, 1),
      },
      {
        line: 'POST /cart',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'promo=SAVE',
      },
    ];

    const open = async (): Promise<Socket> => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      await new Promise((resolve) => socket.once('connect', resolve));
      return socket;
    };
    /** Sends a part of the request, waits, and closes the connection. */
    const abort = async (bytes: Buffer, turns: number, leave: (socket: Socket) => void): Promise<void> => {
      const socket = await open();
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.resume().write(bytes);
      for (let turn = 0; turn < turns; turn += 1) await nextTurn();
      leave(socket);
      await closed;
    };
    /** Leaves after the first bytes of the response. */
    const abortResponse = async (bytes: Buffer): Promise<void> => {
      const socket = await open();
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.once('data', () => socket.resetAndDestroy());
      socket.write(bytes);
      await closed;
    };

    let clients = 0;
    /** A request of another client. `headLength`: bytes before the body. */
    const format = ({ line, headers = {}, body = '' }: SentRequest): { bytes: Buffer; headLength: number } => {
      clients += 1;
      const client = `198.51.${clients >> 8}.${clients & 255}`;
      const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const all = { host: `127.0.0.1:${port}`, connection: 'close', 'x-forwarded-for': client, ...length, ...headers };
      const fields = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
      const head = `${line} HTTP/1.1\r\n${fields.join('')}\r\n`;
      return { bytes: Buffer.concat([Buffer.from(head), Buffer.from(body)]), headLength: head.length };
    };
    for (const request of requests) {
      for (const leave of WAYS) {
        const { bytes, headLength } = format(request);
        for (const end of [request.line.length, headLength - 2, Math.floor((headLength + bytes.length) / 2)]) {
          await abort(bytes.subarray(0, end), 1, leave);
        }
        // Only a few uploads may be open: one more would be refused with 503, which is logged.
        if (request.line === UPLOAD) for (const turns of TURNS) await abort(format(request).bytes, turns, leave);
        // At the same time, so that some connections are closed before they are accepted.
        else await Promise.all(TURNS.map((turns) => abort(format(request).bytes, turns, leave)));
      }
      await abortResponse(format(request).bytes);
    }
    const { status } = await fetch(`${shop.url}/healthz`);
    assert.equal(status, 200);
    // Waits for all work that has begun.
    await shop.stop();
    const lines = shop.readOutput().split('\n');
    // The database of the test ends with its shop, which may still close its connections.
    const errors = lines.filter((line) => line.includes('"level":"error"') && !line.includes('terminating connection'));
    assert.deepEqual(errors, []);
  });
