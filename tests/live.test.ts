/** The live channel of the real shop: who receives which update, and who does not. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, afterEach, before, test } from 'node:test';
import './support/built-pages.ts';
import { LiveClient } from './support/live-client.ts';
import { numberAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { startSecondProcess } from './support/second-process.ts';
import { createStockBuyer } from './support/stock-stress.ts';
import { BILLING } from './support/stress-buyer.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: TestShop;
let productId: string;
const clients: LiveClient[] = [];
before(async () => {
  shop = await startTestShop();
  productId = textAt((await shop.api('GET', '/products?limit=1')).body, 0, 'id');
});
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});
after(() => shop.stop());

let buyers = 0;
const createBuyer = (): Promise<string> => createStockBuyer(shop, `listener-${(buyers += 1)}`, productId);
async function placeOrder(token: string): Promise<string> {
  const { body, status } = await shop.api('POST', '/cart/checkout', { token, body: BILLING });
  assert.equal(status, 201, JSON.stringify(body));
  return textAt(body, 'order', 'id');
}
async function callDemoTool(path: string, body: unknown): Promise<void> {
  const response = await shop.api('POST', `/dev/${path}`, { body });
  assert.equal(response.status, 200, JSON.stringify(response.body));
}
function connect(headers: Readonly<Record<string, string>> = {}): LiveClient {
  const client = new LiveClient(shop.url, headers);
  clients.push(client);
  return client;
}
const listen = (token: string): Promise<LiveClient> => connect().signIn(token);

test('[WS-03] [PAY-08] pushes order changes to all tabs of the owner only', async () => {
  const [token, other] = [await createBuyer(), await createBuyer()];
  const [one, two, stranger] = [await listen(token), await listen(token), await listen(other)];
  const orderId = await placeOrder(token);
  const strangersOrder = await placeOrder(other);
  for (const client of [one, two]) await waitUntil(() => client.listStates(orderId).includes('awaiting'));
  await callDemoTool('pay', { order_id: orderId, amount_btc: 0.001 });
  await waitUntil(() => one.listStates(orderId).includes('underpaid'));
  await callDemoTool('pay', { order_id: orderId });
  await waitUntil(() => one.listStates(orderId).includes('seen'));
  await callDemoTool('mine', { blocks: 1 });
  // Two are needed: a confirmation without a change of state is pushed too.
  await waitUntil(() => one.listPayments(orderId).some((payment) => numberAt(payment, 'confirmations') === 1));
  await callDemoTool('mine', { blocks: 3 });
  for (const client of [one, two]) await waitUntil(() => client.listStates(orderId).at(-1) === 'paid');
  const { body } = await shop.api('GET', `/orders/${orderId}`, { token });
  const last = one.listPayments(orderId).at(-1);
  for (const key of ['address', 'amount_btc', 'received_btc', 'required_confirmations', 'state', 'bip21']) {
    assert.deepEqual(valueAt(last, key), valueAt(body, 'order', 'payment', key), key);
  }
  await waitUntil(() => stranger.listStates(strangersOrder).length > 0);
  assert.deepEqual(stranger.listStates(orderId), []);
  assert.deepEqual(one.listStates(strangersOrder), []);
  assert.doesNotMatch(JSON.stringify(stranger.frames), new RegExp(orderId));
});

test('[WS-03] pushes expiry, requote and cancellation', async () => {
  const token = await createBuyer();
  const orderId = await placeOrder(token);
  const client = await listen(token);
  await callDemoTool('clock', { offset_s: 7300 });
  await waitUntil(() => client.listStates(orderId).at(-1) === 'expired');
  await shop.api('POST', `/orders/${orderId}/requote`, { token });
  await waitUntil(() => client.listStates(orderId).at(-1) === 'awaiting');
  const updatesBefore = client.listStates(orderId).length;
  await shop.api('POST', `/orders/${orderId}/cancel`, { token });
  await waitUntil(() => client.listStates(orderId).length > updatesBefore);
  await callDemoTool('clock', { offset_s: 0 });
});

test('[WS-03] sends the present state on connect and reconnect', async () => {
  const token = await createBuyer();
  const orderId = await placeOrder(token);
  const first = await listen(token);
  await waitUntil(() => first.listStates(orderId).at(-1) === 'awaiting');
  first.close();
  await callDemoTool('pay', { order_id: orderId });
  const second = await listen(token);
  await waitUntil(() => second.listStates(orderId).at(-1) === 'seen');
  assert.equal(second.types[0], 'authenticated');
});

test('[WS-01] closes with 4401 unless the first frame authenticates', async () => {
  const token = await createBuyer();
  const wrong: readonly unknown[] = [
    { type: 'authenticate', token: 'x'.repeat(43) },
    { type: 'authenticate', token: `${token}x` },
    { type: 'authenticate', token: '' },
    { type: 'authenticate', token: [token] },
    { type: 'authenticate' },
    { type: 'join_ticket', ticketId: 'x', token },
    { token },
    [],
    'null',
    '{',
    '',
    Buffer.from(JSON.stringify({ type: 'authenticate', token })),
    token,
  ];
  for (const frame of wrong) {
    const client = await connect().open();
    client.send(frame);
    assert.equal(await client.waitForClose(), 4401, JSON.stringify(frame));
    assert.deepEqual(client.frames, []);
  }
  assert.deepEqual((await listen(token)).types[0], 'authenticated');
});

test('[WS-01] refuses a browser’s token without its cookie or from another origin', async () => {
  const account = { username: 'alice', password: 'crypto-market' };
  const headers = { 'sec-fetch-site': 'same-origin' };
  const signedIn = await shop.api('POST', '/users/login', { body: account, headers });
  const token = textAt(signedIn.body, 'tokens', 'accessToken');
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  assert.match(cookie, /^session=/);
  assert.equal(await (await listen(token)).waitForClose(), 4401);
  const origin = shop.url;
  const own = await connect({ cookie: `a=b; ${cookie}`, origin }).signIn(token);
  assert.equal(own.types[0], 'authenticated');
  for (const foreign of ['https://evil.example', 'null', `${origin}.evil.example`]) {
    const client = connect({ cookie, origin: foreign });
    assert.equal(await client.waitForClose(), 1006, foreign);
    assert.deepEqual(client.frames, []);
  }
  // Logout ends the connections of that session only.
  const bystander = await listen(await createBuyer());
  assert.equal((await shop.api('POST', '/users/logout', { token, cookie, headers: { origin } })).status, 200);
  assert.equal(await own.waitForClose(), 4401);
  assert.ok(bystander.isOpen);
});

test('[WS-01] closes clients with too many frames, bytes or connections', async () => {
  const token = await createBuyer();
  const chatty = await listen(token);
  for (let count = 0; count < 40; count += 1) chatty.send({ type: 'unknown', count });
  assert.equal(await chatty.waitForClose(), 4429);
  const big = await listen(token);
  big.send({ type: 'unknown', text: 'x'.repeat(20_000) });
  assert.equal(await big.waitForClose(), 1009);
  const polite = await listen(token);
  polite.send({ type: 'unknown' });
  polite.send('{');
  const many = await Promise.all(Array.from({ length: 9 }, () => listen(token)));
  assert.ok(many.every(({ isOpen }) => isOpen));
  assert.equal(await (await listen(token)).waitForClose(), 4429);
  many[0]?.close();
  await waitUntil(async () => {
    const next = await listen(token);
    return next.isOpen && next.types[0] === 'authenticated';
  });
  assert.ok(polite.isOpen);
  assert.equal((await fetch(`${shop.url}/readyz`)).status, 200);
});

test('[WS-03] pushes changes made by another process', async () => {
  const other = await startSecondProcess(shop);
  try {
    const token = await createBuyer();
    const client = new LiveClient(other.url);
    clients.push(await client.signIn(token));
    const orderId = await placeOrder(token);
    await waitUntil(() => client.listStates(orderId).length > 0);
    const updatesBefore = client.listStates(orderId).length;
    assert.equal((await shop.api('POST', `/orders/${orderId}/cancel`, { token })).status, 200);
    await waitUntil(() => client.listStates(orderId).length > updatesBefore);
    assert.equal((await shop.api('POST', '/users/logout', { token })).status, 200);
    assert.equal(await client.waitForClose(), 4401);
  } finally {
    await other.stop();
  }
});

test('serves other paths and protocols as usual', async () => {
  const upgrade = { connection: 'Upgrade', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQCAAAAAAIAAAAA' };
  for (const [path, status] of [
    ['/healthz', 200],
    ['/api/nothing', 404],
    ['/api/wss', 404],
  ] as const) {
    const received = await new Promise<number | undefined>((resolve, reject) => {
      const headers = path === '/api/wss' ? {} : upgrade;
      const asked = request(`${shop.url}${path}`, { headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      asked.on('error', reject).end();
    });
    assert.equal(received, status, path);
  }
});
