/** Properties of every kind of response, and the description of the API. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { shopApi } from '#src/shop/api.ts';
import { demoToolsApi } from '#src/shop/demo/contract.ts';
import './support/built-pages.ts';
import { sendRawRequest, createJsonRequest } from './support/raw-call.ts';
import type { RawRequest } from './support/raw-call.ts';
import { keysAt, listAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

const get = (path: string): RawRequest => ({ method: 'GET', path });

test('[API-01] every kind of response has security headers', async () => {
  const home = await sendRawRequest(shop.url, get('/'));
  const asset = /\/assets\/[\w.-]+\.js/.exec(home.text)?.[0] ?? assert.fail('the home page has no script');
  const product = await shop.api('GET', '/products?limit=1');
  const kinds: readonly (readonly [number, RawRequest])[] = [
    [200, get('/')],
    [404, get('/no-such-page')],
    [200, get(asset)],
    [404, get('/assets/none.js')],
    [200, get(`/api${textAt(product.body, 0, 'main_image')}`)],
    [400, get('/api/images/../../package.json')],
    [400, get('/api/images/..%2f..%2fpackage.json')],
    [200, get('/healthz')],
    [200, get('/readyz')],
    [200, get('/dev/esplora/blocks/tip/height')],
    [200, get('/api/openapi.json')],
    [200, get('/api/docs')],
    [200, get('/api/faq')],
    [200, { method: 'HEAD', path: '/api/faq' }],
    [400, get('/api/products?limit=0')],
    [401, get('/api/users/user')],
    [404, get('/api/none')],
    [404, { method: 'OPTIONS', path: '/api/faq' }],
    [400, get('/api/orders/%zz')],
    [
      413,
      {
        ...createJsonRequest('POST', '/cart/add'),
        headers: { 'content-type': 'application/json' },
        body: 'x'.repeat(66_000),
      },
    ],
    [415, { ...createJsonRequest('POST', '/cart/add'), headers: { 'content-type': 'text/plain' }, body: 'x' }],
    [
      403,
      {
        ...createJsonRequest('POST', '/cart/add', {}),
        headers: { 'content-type': 'application/json', cookie: 'a=b', origin: 'https://evil.example' },
      },
    ],
  ];
  for (const [status, request] of kinds) {
    const { headers, status: received } = await sendRawRequest(shop.url, request);
    const what = `${request.method} ${request.path}`;
    assert.equal(received, status, what);
    assert.equal(headers['x-content-type-options'], 'nosniff', what);
    assert.equal(headers['referrer-policy'], 'strict-origin-when-cross-origin', what);
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin', what);
    assert.match(String(headers['content-security-policy']), /default-src 'none'.*frame-ancestors 'none'/, what);
    assert.ok(headers['x-request-id'], what);
    for (const header of ['server', 'x-powered-by'])
      assert.equal(headers[header], undefined, `${what} reveals ${header}`);
  }
});

/** Sends bytes that are not a request and reads until the connection closes. */
function sendBytes(bytes: string): Promise<string> {
  const { hostname, port } = new URL(shop.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.end(bytes));
    let response = '';
    socket.on('data', (chunk: Buffer) => (response += chunk.toString()));
    socket.on('close', () => resolve(response));
    socket.on('error', reject);
  });
}

test('[API-01] refuses malformed HTTP with a 400 in the usual shape', async () => {
  const host = 'host: x\r\n';
  for (const bytes of [
    'nonsense\r\n\r\n',
    `GET / HTTP/9.9\r\n${host}\r\n`,
    `POST /api/cart/add HTTP/1.1\r\n${host}content-length: x\r\n\r\n`,
    `POST /api/cart/add HTTP/1.1\r\n${host}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    `GET / HTTP/1.1\r\n${host}a\0b: c\r\n\r\n`,
    `GET / HTTP/1.1\r\n${host}x: ${'y'.repeat(40_000)}\r\n\r\n`,
  ]) {
    const response = await sendBytes(bytes);
    assert.match(response, /^HTTP\/1\.1 4\d\d /, JSON.stringify(bytes.slice(0, 60)));
    const body: unknown = JSON.parse(response.slice(response.indexOf('\r\n\r\n')));
    assert.deepEqual([keysAt(body), typeof textAt(body, 'error', 'code')], [['error'], 'string'], response);
    assert.match(response, /x-content-type-options: nosniff/i);
  }
  assert.equal((await sendRawRequest(shop.url, get('/healthz'))).status, 200);
});

test('[API-01] the OpenAPI 3.1 document and its page list every call', async () => {
  const response = await sendRawRequest(shop.url, get('/api/openapi.json'));
  assert.match(String(response.headers['content-type']), /^application\/json/);
  const described: unknown = JSON.parse(response.text);
  assert.match(textAt(described, 'openapi'), /^3\.1\./);
  const calls = keysAt(described, 'paths').flatMap((path) =>
    keysAt(described, 'paths', path).map((method) => `${method.toUpperCase()} ${path.replace(/^\/api(?=\/)/, '')}`),
  );
  const contract = { ...shopApi, ...demoToolsApi };
  assert.deepEqual(calls.toSorted(), Object.keys(contract).toSorted());
  const names = new Set<string>();
  for (const path of keysAt(described, 'paths')) {
    for (const method of keysAt(described, 'paths', path)) {
      const call = valueAt(described, 'paths', path, method);
      names.add(textAt(call, 'operationId'));
      assert.ok(textAt(call, 'summary').length > 5);
      assert.ok(keysAt(call, 'responses').some((status) => status.startsWith('2')));
      const inPath = listAt(call, 'parameters').filter((one) => valueAt(one, 'in') === 'path');
      assert.equal(inPath.length, path.match(/\{\w+\}/g)?.length ?? 0, path);
    }
  }
  assert.equal(names.size, calls.length, 'every call has a name of its own');

  const page = await sendRawRequest(shop.url, get('/api/docs'));
  assert.match(String(page.headers['content-type']), /^text\/html/);
  for (const key of Object.keys(contract))
    assert.ok(page.text.includes(key.split(' ')[1] ?? key), `the page names ${key}`);
});
