/** A browser whose connections stay idle until the shop closes them. */
import assert from 'node:assert/strict';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { launchChromium } from '../support/chromium.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { until } from '../support/until.ts';

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

interface WatchedConnection {
  /** Bytes that the browser sent to the shop. */
  sent: number;
  /** The shop has closed it. */
  isClosed: boolean;
}

const METHOD_ACCEPTED = Buffer.from([5, 0]);
const CONNECTED = Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]);

/** A SOCKS5 proxy that leads to the shop alone, and knows what becomes of each connection. */
class WatchingProxy {
  readonly connections: WatchedConnection[] = [];
  /** New connections are not established before it resolves. */
  held: Promise<void> = Promise.resolve();
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((browser) => void this.#accept(browser));

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
    return `socks5://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #accept(browser: Socket): Promise<void> {
    const own: WatchedConnection = { sent: 0, isClosed: false };
    this.connections.push(own);
    this.#watch(browser);
    await new Promise((resolve) => browser.once('data', resolve));
    browser.write(METHOD_ACCEPTED);
    await new Promise((resolve) => browser.once('data', resolve));
    await this.held;
    const upstream = this.#watch(connect(Number(new URL(shop.url).port), '127.0.0.1'));
    upstream.on('close', () => (own.isClosed = true));
    browser.on('close', () => upstream.destroy());
    browser.on('data', (bytes) => (own.sent += bytes.length));
    browser.write(CONNECTED);
    browser.pipe(upstream).pipe(browser);
  }

  #watch(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
    return socket;
  }
}

/** The browser opens a connection for a request that is given up before: nothing is ever sent on it. */
async function openUnused(page: Page, proxy: WatchingProxy): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  proxy.held = promise;
  const known = proxy.connections.length;
  const given = page.evaluate(async () => {
    const request = new AbortController();
    Object.assign(window, { giveUp: () => request.abort() });
    // Requests with and without credentials never share a connection, so a new one is needed.
    await fetch('/healthz', { credentials: 'omit', signal: request.signal }).catch(() => {});
  });
  await until(() => proxy.connections.length > known);
  await page.evaluate('giveUp()');
  await given;
  resolve();
}

test('[API-01] shows the shop to a browser whose connections were idle too long', async () => {
  const proxy = new WatchingProxy();
  const server = await proxy.start();
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ baseURL: shop.url, proxy: { server, bypass: '<-loopback>' } });
    await page.goto('/', { waitUntil: 'networkidle' });
    await openUnused(page, proxy);
    await until(() => proxy.connections.every(({ isClosed }) => isClosed));
    assert.equal(proxy.connections.at(-1)?.sent, 0);
    const answer = await page.evaluate(async () => {
      const { status, headers } = await fetch('/', { credentials: 'omit' });
      return { status, type: headers.get('content-type') };
    });
    assert.deepEqual(answer, { status: 200, type: 'text/html; charset=utf-8' });
    assert.equal((await page.goto('/catalog'))?.status(), 200);
    await page.getByRole('heading', { level: 1, name: /Explore our catalog/ }).waitFor();
  } finally {
    await browser.close();
    await proxy.stop();
  }
});
