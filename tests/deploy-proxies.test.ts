/** Caddy and nginx, as deploy/ configures them, in front of a real shop. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import sharp from 'sharp';
import { WebSocket } from 'ws';
import './support/built-pages.ts';
import { createCertificate, sendHttps } from './support/https-client.ts';
import type { Certificate, HttpsRequest, HttpsResponse } from './support/https-client.ts';
import { findProgram, skipWithout } from './support/programs.ts';
import { textAt } from './support/read-json.ts';
import { startCaddy, startNginx } from './support/reverse-proxy.ts';
import type { ReverseProxy } from './support/reverse-proxy.ts';
import { startSpawnedShop } from './support/spawned-shop.ts';
import type { SpawnedShop } from './support/spawned-shop.ts';
import { findFreePort } from './support/shop-process.ts';
import { makeTemporaryDirectory } from './support/template.ts';
import { waitUntil } from './support/wait-until.ts';

const MIB = 1024 * 1024;
const PASSWORD = 'crypto-market';
/** Address of a client that differs from that of the proxy. */
const CLIENT = '127.0.0.23';
const PROXIES = [
  { name: 'caddy', open: startCaddy },
  { name: 'nginx', open: startNginx },
] as const;

test('[OPS-21] the manual has the Caddyfile of deploy/', () => {
  const manual = readFileSync('docs/operating.md', 'utf8');
  const [, ...site] = readFileSync('deploy/Caddyfile', 'utf8').trimEnd().split('\n');
  assert.ok(
    manual.includes(site.map((line) => `        ${line}\n`).join('')),
    'docs/operating.md lacks deploy/Caddyfile',
  );
});

test('[OPS-21] Caddy accepts the Caddyfile and its format', { skip: skipWithout('caddy') }, () => {
  const caddy = findProgram('caddy') ?? '';
  const run = (...args: string[]): string => execFileSync(caddy, args, { encoding: 'utf8', stdio: 'pipe' });
  assert.match(run('adapt', '--adapter', 'caddyfile', '--config', 'deploy/Caddyfile'), /"dial":"127\.0\.0\.1:3000"/);
  assert.equal(run('fmt', 'deploy/Caddyfile'), readFileSync('deploy/Caddyfile', 'utf8'));
});

test('[OPS-21] nginx allows bodies as large as the largest upload of the shop', () => {
  const contracts = ['src/shop/pictures/check-picture.ts', 'src/shop/catalogue/imports/contract.ts'];
  const sizes = contracts.map((path) =>
    Number(/MAX_(?:UPLOAD|FILE)_BYTES = (\d+) \* 1024 \* 1024/.exec(readFileSync(path, 'utf8'))?.[1]),
  );
  const allowed = /client_max_body_size (\d+)m;/.exec(readFileSync('deploy/nginx.conf', 'utf8'))?.[1];
  assert.equal(Number(allowed), Math.max(...sizes));
});

const available = PROXIES.filter(({ name }) => skipWithout(name, 'openssl') === false);
let shop: SpawnedShop;
let certificate: Certificate;
let [port, plainPort] = [0, 0];
let owner = '';
/** Failed logins in the log so far. */
let clientsSeen = 0;
const directory = makeTemporaryDirectory();

before(async () => {
  if (available.length === 0) return;
  certificate = createCertificate(directory);
  [port, plainPort] = [await findFreePort(), await findFreePort()];
  const settings = { PUBLIC_URL: `https://localhost:${port}`, TRUST_PROXY: '1', LOG_LEVEL: 'info' };
  shop = await startSpawnedShop({ settings });
  const login = await shop.api('POST', '/users/login', { body: { username: 'owner', password: PASSWORD } });
  owner = textAt(login.body, 'tokens', 'accessToken');
});
after(async () => {
  await shop?.stop();
  rmSync(directory, { recursive: true, force: true });
});

const send = (path: string, request?: HttpsRequest): Promise<HttpsResponse> =>
  sendHttps({ port, ca: certificate.ca }, path, request);
const sendJson = (path: string, body: unknown, request: HttpsRequest = {}): Promise<HttpsResponse> =>
  send(path, {
    method: 'POST',
    ...request,
    headers: { 'content-type': 'application/json', ...request.headers },
    body: JSON.stringify(body),
  });
/** Headers that a browser adds to calls of a page of the shop. */
const browserHeaders = () => ({
  origin: `https://localhost:${port}`,
  'sec-fetch-site': 'same-origin',
  'sec-fetch-mode': 'cors',
});
/** Clients of failed logins in the log. */
const listClients = (): readonly string[] =>
  shop
    .readOutput()
    .split('\n')
    .filter((line) => line.includes('"security_event":"login_failed"') && line.endsWith('}'))
    .map((line) => textAt(JSON.parse(line), 'client'));
const authorize = (token: string) => ({ authorization: `Bearer ${token}` });

const upload = (body: Buffer): Promise<HttpsResponse> =>
  send('/api/pictures', {
    method: 'POST',
    headers: { ...authorize(owner), 'content-type': 'application/octet-stream' },
    body,
  });

for (const { name, open } of PROXIES) {
  suite(`behind ${name}`, { skip: skipWithout(name, 'openssl') }, () => {
    let proxy: ReverseProxy;
    before(async () => {
      const own = join(directory, name);
      mkdirSync(own);
      proxy = await open({ directory: own, certificate, port, plainPort, shopPort: Number(new URL(shop.url).port) });
      await waitUntil(async () => (await send('/healthz').catch(() => null))?.status === 200);
    });
    after(() => proxy?.stop());

    test(`[OPS-21] ${name} serves a page, login and account of a browser`, async () => {
      const page = await send('/');
      assert.equal(page.status, 200);
      assert.match(page.text, /<\/html>\s*$/);
      const login = await sendJson(
        '/api/users/login',
        { username: 'alice', password: PASSWORD },
        { headers: browserHeaders() },
      );
      assert.equal(login.status, 200, login.text);
      const cookies = [login.headers['set-cookie'] ?? []].flat();
      const session = cookies.find((one) => one.startsWith('__Host-session=')) ?? assert.fail(cookies.join('\n'));
      assert.match(session, /; Secure/);
      const cookie = session.split(';')[0] ?? '';
      const account = await send('/dashboard', { headers: { cookie } });
      assert.equal(account.status, 200);
      assert.equal(account.headers['cache-control'], 'private, no-store');
      assert.equal((await send('/dashboard')).status, 302);
    });

    test(`[OPS-21] ${name} opens the live channel`, async () => {
      const login = await sendJson('/api/users/login', { username: 'alice', password: PASSWORD });
      const token = textAt(JSON.parse(login.text), 'tokens', 'accessToken');
      const socket = new WebSocket(`wss://localhost:${port}/api/wss`, { ca: certificate.ca, family: 4 });
      await once(socket, 'open');
      socket.send(JSON.stringify({ type: 'authenticate', token }));
      const frame = await new Promise(
        (resolve) => void socket.once('message', (data: Buffer) => resolve(data.toString())),
      );
      assert.equal(frame, '{"type":"authenticated"}');
      socket.terminate();
    });

    test(`[OPS-21] ${name} passes uploads up to the limit of the shop`, async () => {
      const color = { r: 10, g: name.length, b: name.charCodeAt(0) };
      const picture = await sharp({ create: { width: 900, height: 900, channels: 3, background: color } })
        .jpeg()
        .toBuffer();
      const stored = await upload(picture);
      assert.equal(stored.status, 201, stored.text);
      // The shop receives it whole and finds that it is no picture.
      const largest = await upload(Buffer.alloc(20 * MIB));
      assert.equal(largest.status, 400, largest.text);
      // The shop answers before all of it is sent and closes the connection. A proxy that is still sending may notice
      // the closed connection before the answer.
      const larger = await upload(Buffer.alloc(20 * MIB + 1)).catch(() => null);
      assert.ok(larger === null || [413, 502].includes(larger.status), larger?.text);
    });

    test(`[OPS-21] ${name} forwards the address of the client and no other`, async () => {
      const failed = await sendJson(
        '/api/users/login',
        { username: 'bob', password: 'a wrong password' },
        { from: CLIENT, headers: { 'x-forwarded-for': '203.0.113.9' } },
      );
      assert.equal(failed.status, 401, failed.text);
      await waitUntil(() => listClients().length > clientsSeen);
      clientsSeen = listClients().length;
      assert.deepEqual(new Set(listClients()), new Set([CLIENT]));
    });

    test(`[OPS-21] ${name} passes a CSV download and the shop's own date`, async () => {
      const confirmed = await sendJson(
        '/api/users/reauthenticate',
        { password: PASSWORD },
        { headers: authorize(owner) },
      );
      assert.equal(confirmed.status, 200, confirmed.text);
      const csv = await send('/api/exports/products', { headers: authorize(owner) });
      assert.equal(csv.status, 200, csv.text.slice(0, 200));
      assert.match(String(csv.headers['content-type']), /^text\/csv/);
      assert.ok(csv.text.split('\n').length > 20);
      await shop.api('POST', '/dev/clock', { body: { offset_s: 86_400 } });
      const { headers } = await send('/healthz');
      await shop.api('POST', '/dev/clock', { body: { offset_s: 0 } });
      assert.ok(Date.parse(String(headers['date'])) > Date.now() + 80_000_000, String(headers['date']));
    });
  });
}

test('[OPS-21] nginx redirects http to https', { skip: skipWithout('nginx', 'openssl') }, async () => {
  const own = join(directory, 'plain');
  mkdirSync(own);
  const shopPort = Number(new URL(shop.url).port);
  const proxy = await startNginx({ directory: own, certificate, port, plainPort, shopPort });
  const ask = () => fetch(`http://localhost:${plainPort}/cart?a=1`, { redirect: 'manual' });
  await waitUntil(() =>
    ask().then(
      ({ status }) => status === 301,
      () => false,
    ),
  );
  assert.equal((await ask()).headers.get('location'), 'https://localhost/cart?a=1');
  await proxy.stop();
});

test('[OPS-21] requests wait at Caddy while the shop restarts', { skip: skipWithout('caddy', 'openssl') }, async () => {
  const own = join(directory, 'restart');
  mkdirSync(own);
  const shopPort = Number(new URL(shop.url).port);
  const proxy = await startCaddy({ directory: own, certificate, port, plainPort, shopPort });
  await waitUntil(async () => (await send('/healthz').catch(() => null))?.status === 200);
  await shop.kill9();
  const waiting = send('/api/products?limit=1');
  await shop.restart();
  assert.equal((await waiting).status, 200);
  await proxy.stop();
});
