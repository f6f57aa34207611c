import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import Fastify from 'fastify';
import { openDevchain, regtest } from '../../../../tests/support/chain-sources.ts';
import { createSignedSpend, testKey } from '../../../../tests/support/devchain.ts';
import { FaultProxy } from '../../../../tests/support/fault-proxy.ts';
import { ChainSourceError } from '../chain-source.ts';
import { registerEsplora } from '#src/shop/demo/devchain/esplora-http.ts';
import { EsploraClient } from './esplora-client.ts';
import { createEsploraSource } from './esplora-source.ts';

async function setUp(context: TestContext) {
  const devchain = await openDevchain();
  const app = Fastify();
  const requests: string[] = [];
  app.addHook('onRequest', async ({ url }) => void requests.push(url.replace('/api', '')));
  registerEsplora(app, devchain, '/api');
  const proxy = new FaultProxy(await app.listen({ host: '127.0.0.1', port: 0 }));
  const url = `${await proxy.listen()}/api`;
  context.after(async () => {
    await proxy.close();
    await app.close();
  });
  const pauses: number[] = [];
  const options = { url, timeoutMs: 30_000, pause: async (ms: number) => void pauses.push(ms) };
  const source = createEsploraSource({ network: regtest, ...options });
  return { devchain, proxy, requests, pauses, source, options, client: new EsploraClient(options) };
}

test('[PAY-09] an unchanged tip costs one request', async (context) => {
  const { source, requests, devchain } = await setUp(context);
  await source.readTip();
  requests.length = 0;
  await source.readTip();
  assert.deepEqual(requests, ['/blocks/tip/hash']);
  await devchain.mine(1);
  assert.equal((await source.readTip()).height, devchain.state.tip.height);
});

test('[PAY-09] limits concurrent requests', async (context) => {
  const { source, proxy } = await setUp(context);
  await Promise.all(Array.from({ length: 30 }, (_, height) => source.readBlockHash(height)));
  assert.ok(proxy.maxConcurrent <= 4, `${proxy.maxConcurrent} at once`);
  assert.equal(proxy.requests, 30);
});

test('[PAY-09] backs off for as long as a busy server asks', async (context) => {
  const { source, proxy, pauses } = await setUp(context);
  proxy.fault = 'busy';
  await assert.rejects(source.readTip(), /status 429/);
  assert.equal(proxy.requests, 3, 'tried three times');
  // The rest of the requested second, and a random pause.
  assert.ok(
    pauses.some((ms) => ms > 500 && ms <= 1000),
    pauses.join(' '),
  );
  proxy.fault = null;
  assert.ok((await source.readTip()).height > 0);
});

test('[PAY-09] sends nothing during a long back-off', async (context) => {
  const { client } = await setUp(context);
  const rest = Fastify();
  let requests = 0;
  rest.get('/x', (_, reply) => {
    requests += 1;
    return reply.code(429).header('retry-after', '120').send('');
  });
  const url = await rest.listen({ host: '127.0.0.1', port: 0 });
  context.after(() => rest.close());
  const patient = new EsploraClient({ url, pause: async () => {} });
  await assert.rejects(patient.readText('/x'), /limits requests: the next one is possible in \d+ s/);
  await assert.rejects(patient.readText('/x'), /limits requests: the next one is possible in \d+ s/);
  assert.equal(requests, 1);
  assert.ok((await client.readText('/blocks/tip/hash')) !== null, 'each server has its own back-off');
});

test('[PAY-09] timeouts, endless responses and redirects are errors without the URL', async (context) => {
  const { proxy, options, client } = await setUp(context);
  proxy.fault = 'silent';
  const hasty = new EsploraClient({ ...options, timeoutMs: 50 });
  await assert.rejects(hasty.readText('/blocks/tip/hash'), (error) => {
    assert.ok(error instanceof ChainSourceError);
    assert.equal(error.message, 'the Esplora server could not be reached: no response in time');
    return true;
  });
  proxy.fault = () => Buffer.alloc(3_000_000);
  await assert.rejects(client.readText('/blocks/tip/hash'), /more than 1000000 bytes/);
  const elsewhere = Fastify();
  elsewhere.get('/x', (_, reply) => reply.redirect('http://127.0.0.1:1/'));
  const url = await elsewhere.listen({ host: '127.0.0.1', port: 0 });
  context.after(() => elsewhere.close());
  await assert.rejects(new EsploraClient({ url }).readText('/x'), /status 302/);
});

test('[PAY-09] rejects another transaction than the requested one', async (context) => {
  const { source, devchain, proxy } = await setUp(context);
  const sent = await devchain.pay(testKey().address, 50_000n);
  assert.ok(sent.ok);
  const other = devchain.state.findBlockAt(3)?.transactions[0]?.raw ?? assert.fail();
  proxy.fault = () => other;
  await assert.rejects(source.readRawTransaction(sent.txid), /returned transaction [0-9a-f]{64} instead of/);
});

test('[PAY-09] looks up unlisted transactions singly', async (context) => {
  const { source, devchain, proxy } = await setUp(context);
  const key = testKey();
  const sent = await devchain.pay(key.address, 50_000n);
  assert.ok(sent.ok);
  const look = () => source.listMempoolTxids(async () => [key.script]);
  assert.ok((await look()).has(sent.txid));
  // Another server behind the same name without the transaction, or a full page.
  proxy.fault = ({ path, body }) => (path.endsWith('/txs/mempool') ? '[]' : body);
  assert.ok((await look()).has(sent.txid));
  proxy.fault = null;
  await devchain.replace(sent.txid);
  assert.ok(!(await look()).has(sent.txid));
});

test('[PAY-09] reports replacements of payments that another process saw', async (context) => {
  const { devchain, options } = await setUp(context);
  const [stranger, key] = [testKey(), testKey()];
  const parent = await devchain.pay(stranger.address, 50_000n);
  assert.ok(parent.ok);
  const vout = devchain.state
    .findTransaction(parent.txid)
    ?.transaction.outputs.findIndex(({ script }) => script.equals(stranger.script));
  const coin = { txid: parent.txid, vout: vout ?? -1, amountSats: 50_000n, script: stranger.script };
  const sent = await devchain.submit(
    createSignedSpend(stranger, [coin], [{ script: key.script, amountSats: 49_000n }]),
  );
  assert.ok(sent.ok);
  const raws = [sent.txid, parent.txid].map(
    (txid) => devchain.state.findTransaction(txid)?.transaction ?? assert.fail(),
  );
  const outpoints = raws.flatMap(({ inputs }) => inputs.map((input) => `${input.txid}:${input.vout}`));
  const look = () =>
    createEsploraSource({ network: regtest, ...options }).listMempoolTxids(
      async () => [],
      () => [{ txid: sent.txid, outpoints }],
    );
  assert.deepEqual(await look(), new Set([sent.txid]), 'it is still in the mempool');
  const replaced = await devchain.replace(parent.txid);
  assert.ok(replaced.ok);
  assert.deepEqual(await look(), new Set([replaced.txid]));
});

test('[PAY-13] malformed outputs and fees are errors; missing fees are not', async (context) => {
  const { source, devchain, proxy } = await setUp(context);
  const txid = devchain.state.findBlockAt(3)?.transactions[0]?.txid ?? assert.fail();
  assert.equal(await source.isUnspent({ txid, vout: 0 }), true);
  for (const wrong of ['', '[]', '{"spent":1}', '{"confirmed":"yes"}', 'null']) {
    proxy.fault = () => wrong;
    await assert.rejects(source.isUnspent({ txid, vout: 0 }), ChainSourceError, wrong);
    proxy.fault = ({ path, body }) => (path.includes('/outspend/') ? wrong : body);
    await assert.rejects(source.isUnspent({ txid, vout: 0 }), ChainSourceError, wrong);
  }
  for (const wrong of ['{"6":-1}', '{"6":"1"}', '{"6":1000001}', '7', '']) {
    proxy.fault = () => wrong;
    await assert.rejects(source.estimateFeeRate(), ChainSourceError, wrong);
  }
  proxy.fault = () => '{}';
  assert.equal(await source.estimateFeeRate(), null);
  proxy.fault = () => '{"2":9.5,"6":4.25}';
  assert.equal(await source.estimateFeeRate(), 4.25);
});

test('[PAY-09] compares a mainnet block with its parent', async (context) => {
  const { devchain, options, requests } = await setUp(context);
  // Devchain blocks have constant work; the parent's header is read once.
  const steady = createEsploraSource({ ...options, network: { ...regtest, hasSteadyWork: true } });
  for (let height = 5; height <= 7; height += 1) {
    const hash = (await steady.readBlockHash(height)) ?? assert.fail();
    await steady.readRawBlock(hash);
  }
  assert.deepEqual(
    requests.filter((path) => path.endsWith('/header')),
    [`/block/${devchain.state.findBlockAt(4)?.hash ?? ''}/header`],
  );
});
