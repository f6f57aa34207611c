import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { EsploraProvider } from '@scure/btc-signer/net.js';
import Fastify from 'fastify';
import { AdjustableClock } from '#src/platform/process/clock.ts';
import { silentLog, createTestDatabase } from '../../../../tests/support/database.ts';
import { createSignedSpend, testKey } from '../../../../tests/support/devchain.ts';
import { getBitcoinNetwork } from '#src/platform/bitcoin/network.ts';
import { Devchain } from './devchain.ts';
import { registerEsplora } from './esplora-http.ts';

const network = getBitcoinNetwork('regtest');
const SATS = 1_000_000n;

async function startEsplora(context: TestContext) {
  const { db } = await createTestDatabase();
  const devchain = await Devchain.open({ db, clock: new AdjustableClock(), log: silentLog, network, autoMine: false });
  const app = Fastify();
  registerEsplora(app, devchain, '/dev/esplora');
  context.after(() => app.close());
  const pay = async (address: string, amountSats = SATS): Promise<string> => {
    const sent = await devchain.pay(address, amountSats);
    return sent.ok ? sent.txid : assert.fail(sent.reason);
  };
  const get = (path: string) => app.inject({ url: `/dev/esplora${path}` });
  return { devchain, app, pay, get };
}

test('works with the unchanged EsploraProvider of @scure/btc-signer', async (context) => {
  const { devchain, app, pay } = await startEsplora(context);
  const base = await app.listen({ host: '127.0.0.1', port: 0 });
  const provider = new EsploraProvider(fetch, `${base}/dev/esplora`, network.addresses);
  const key = testKey();

  assert.equal(await provider.height(), 110);
  assert.ok((await provider.fee(2)) >= 1n);
  const txid = await pay(key.address);
  assert.equal((await provider.balance(key.address)).balance, SATS);
  assert.equal((await provider.txInfo(txid)).status.confirmed, false);

  await devchain.mine(1);
  const status = await provider.waitForTx(txid, { timeoutMs: 60_000, pollIntervalMs: 10 });
  assert.equal(status.block, 111);
  assert.equal(status.blockHash, devchain.state.tip.hash);
  const block = await provider.blockInfo(111);
  assert.deepEqual(block.transactions[1], txid);
  assert.equal(block.parentHash, devchain.state.findBlockAt(110)?.hash);
  assert.equal(block.medianTime, devchain.state.computeMedianTimePast(111) * 1000);

  // A transaction that spends the listed coins can be broadcast.
  const { utxo } = await provider.unspent(key.address);
  assert.deepEqual(
    utxo.map((coin) => coin.txid),
    [txid],
  );
  const coin = { txid, vout: utxo[0]?.index ?? -1, amountSats: SATS, script: key.script };
  const raw = createSignedSpend(key, [coin], [{ script: key.script, amountSats: SATS - 1_000n }]);
  const spend = await provider.sendTx(Buffer.from(raw).toString('hex'));
  assert.deepEqual([...devchain.state.mempool.keys()], [spend]);
  const transfers = await provider.transfers(key.address);
  assert.deepEqual(
    transfers.map((transfer) => transfer.txid),
    [txid, spend],
  );
  assert.equal((await provider.balance(key.address)).balance, SATS - 1_000n);
});

test('pages through the whole history of an address', async (context) => {
  const { devchain, app, pay } = await startEsplora(context);
  const base = await app.listen({ host: '127.0.0.1', port: 0 });
  const provider = new EsploraProvider(fetch, `${base}/dev/esplora`, network.addresses);
  const { address } = testKey();
  const sent: string[] = [];
  for (let count = 0; count < 60; count += 1) {
    sent.push(await pay(address));
    if (count % 20 === 19) await devchain.mine(1);
  }
  sent.push(await pay(address));
  const transfers = await provider.transfers(address);
  assert.deepEqual(transfers.map(({ txid }) => txid).toSorted(), sent.toSorted());
  assert.equal(transfers.at(-1)?.txid, sent.at(-1));
});

test('responses have the documented shapes and types of Esplora', async (context) => {
  const { devchain, pay, get } = await startEsplora(context);
  const { address, script } = testKey();
  const mined = await pay(address);
  await devchain.mine(1);
  const waiting = await pay(address);
  const { hash, raw } = devchain.state.tip;

  for (const [path, body] of [
    ['/blocks/tip/height', '111'],
    ['/blocks/tip/hash', hash],
    ['/block-height/111', hash],
    [`/tx/${mined}/hex`, devchain.state.findTransaction(mined)?.transaction.raw.toString('hex')],
  ]) {
    const response = await get(path ?? '');
    assert.equal(response.statusCode, 200);
    assert.match(String(response.headers['content-type']), /^text\/plain/, path);
    assert.equal(response.body, body);
  }
  const blockRaw = await get(`/block/${hash}/raw`);
  assert.equal(blockRaw.headers['content-type'], 'application/octet-stream');
  assert.ok(blockRaw.rawPayload.equals(raw));

  const status = { confirmed: true, block_height: 111, block_hash: hash, block_time: devchain.state.tip.time };
  assert.deepEqual((await get(`/tx/${mined}/status`)).json(), status);
  assert.deepEqual((await get(`/tx/${waiting}/status`)).json(), { confirmed: false });
  const transaction = (await get(`/tx/${mined}`)).json<{
    vout: object[];
    vin: { prevout: object }[];
    status: object;
  }>();
  const program = Buffer.from(script).toString('hex').slice(4);
  const vout = transaction.vout.findIndex((output) => 'value' in output && output.value === Number(SATS));
  assert.deepEqual(transaction.vout[vout], {
    scriptpubkey: `0014${program}`,
    scriptpubkey_asm: `OP_0 OP_PUSHBYTES_20 ${program}`,
    scriptpubkey_type: 'v0_p2wpkh',
    scriptpubkey_address: address,
    value: Number(SATS),
  });
  assert.ok(transaction.vin[0]?.prevout !== null);
  assert.deepEqual(transaction.status, status);
  assert.deepEqual(Object.keys(transaction).toSorted(), [
    'fee',
    'locktime',
    'size',
    'status',
    'txid',
    'version',
    'vin',
    'vout',
    'weight',
  ]);

  assert.deepEqual((await get(`/address/${address}`)).json(), {
    address,
    chain_stats: { funded_txo_count: 1, funded_txo_sum: 1_000_000, spent_txo_count: 0, spent_txo_sum: 0, tx_count: 1 },
    mempool_stats: {
      funded_txo_count: 1,
      funded_txo_sum: 1_000_000,
      spent_txo_count: 0,
      spent_txo_sum: 0,
      tx_count: 1,
    },
  });
  const listTxids = async (path: string) => (await get(path)).json<{ txid: string }[]>().map(({ txid }) => txid);
  assert.deepEqual(await listTxids(`/address/${address.toUpperCase()}/txs`), [waiting, mined]);
  assert.deepEqual(await listTxids(`/address/${address}/txs/chain`), [mined]);
  assert.deepEqual(await listTxids(`/address/${address}/txs/chain/${mined}`), []);
  assert.deepEqual(await listTxids(`/address/${address}/txs/mempool`), [waiting]);
  assert.deepEqual((await get('/mempool/txids')).json(), [waiting]);
  assert.deepEqual((await get(`/block/${hash}/status`)).json(), { in_best_chain: true, height: 111 });
  assert.deepEqual((await get(`/tx/${mined}/outspend/${vout}`)).json(), { spent: false });
  const spent = devchain.state.findTransaction(mined)?.transaction.inputs[0] ?? assert.fail();
  assert.deepEqual((await get(`/tx/${spent.txid}/outspend/${spent.vout}`)).json(), {
    spent: true,
    txid: mined,
    vin: 0,
    status,
  });
});

test('responds 404 to unknown and 400 to invalid, in plain text', async (context) => {
  const { devchain, pay, get } = await startEsplora(context);
  const none = '00'.repeat(32);
  for (const path of [
    `/tx/${none}`,
    `/tx/${none}/hex`,
    `/block/${none}`,
    `/block/${none}/raw`,
    `/block/${none}/txids`,
    '/block-height/999',
  ]) {
    const { statusCode, headers, body } = await get(path);
    assert.equal(statusCode, 404, path);
    assert.match(String(headers['content-type']), /^text\/plain/);
    assert.match(body, /not found$/);
  }
  for (const path of [
    '/tx/xyz',
    '/block/xyz',
    '/block-height/-1',
    '/address/nonsense',
    '/address/bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu/txs',
  ]) {
    assert.equal((await get(path)).statusCode, 400, path);
  }
  assert.deepEqual((await get(`/block/${none}/status`)).json(), { in_best_chain: false });

  const replaced = await pay(testKey().address);
  await devchain.replace(replaced);
  assert.equal((await get(`/tx/${replaced}`)).statusCode, 404, 'a replaced transaction vanishes');
});

test('POST /tx refuses with 400 and the reason', async (context) => {
  const { devchain, app, pay } = await startEsplora(context);
  const post = (payload: string, type = 'text/plain') =>
    app.inject({ method: 'POST', url: '/dev/esplora/tx', payload, headers: { 'content-type': type } });
  const key = testKey();
  const txid = await pay(key.address);
  const vout =
    devchain.state.findTransaction(txid)?.transaction.outputs.findIndex((output) => output.script.equals(key.script)) ??
    -1;
  const coin = { txid, vout, amountSats: SATS, script: key.script };
  const spend = (amountSats: bigint) =>
    Buffer.from(createSignedSpend(key, [coin], [{ script: key.script, amountSats }])).toString('hex');

  assert.equal((await post('zz')).body, 'Invalid hex string');
  assert.match((await post('00')).body, /^sendrawtransaction RPC error: \{"code":-22,"message":"TX decode failed/);
  const refused = await post(spend(200n));
  assert.equal(refused.statusCode, 400);
  assert.equal(refused.body, 'sendrawtransaction RPC error: {"code":-26,"message":"dust"}');
  const accepted = await post(`${spend(SATS - 1_000n)}\n`, 'application/x-www-form-urlencoded');
  assert.equal(accepted.statusCode, 200);
  assert.ok(devchain.state.mempool.has(accepted.body));
});
