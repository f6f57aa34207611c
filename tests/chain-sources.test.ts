/** Contract that chain sync requires of every chain source. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scanBlock } from '#src/platform/bitcoin/block.ts';
import { ChainSourceError } from '#src/platform/bitcoin/chain-source.ts';
import { parseTransaction, computeVirtualSize } from '#src/platform/bitcoin/transaction.ts';
import { regtest, sourceKinds } from './support/chain-sources.ts';
import type { TestedSource } from './support/chain-sources.ts';
import { createSignedSpend, testKey } from './support/devchain.ts';
import type { Coin, TestKey } from './support/devchain.ts';

const SATS = 1_000_000n;
const NOWHERE = 'ab'.repeat(32);

async function payAddress({ devchain, follow }: TestedSource, address: string, sats = SATS): Promise<string> {
  const sent = await devchain.pay(address, sats);
  assert.ok(sent.ok);
  await follow();
  return sent.txid;
}

/** Creates an unconfirmed output of the devchain wallet to a key. */
async function createCoin(tested: TestedSource, key: TestKey): Promise<Coin> {
  const txid = await payAddress(tested, key.address);
  const { outputs } = tested.devchain.state.findTransaction(txid)?.transaction ?? assert.fail();
  const vout = outputs.findIndex(({ script }) => script.equals(key.script));
  return { txid, vout, amountSats: SATS, script: key.script };
}

type Contract = (tested: TestedSource) => Promise<void>;

const contract: Readonly<Record<string, Contract>> = {
  'returns tip and hashes of the best chain, none above it': async ({ source, devchain }) => {
    const tip = await source.readTip();
    assert.deepEqual(tip, { height: devchain.state.tip.height, hash: devchain.state.tip.hash });
    assert.equal(await source.readBlockHash(tip.height), tip.hash);
    assert.equal(await source.readBlockHash(0), regtest.genesisHash);
    assert.equal(await source.readBlockHash(tip.height + 1), null);
  },
  'returns every block completely': async ({ source, devchain }) => {
    let previous = regtest.genesisHash;
    for (let height = 1; height <= 5; height += 1) {
      const hash = (await source.readBlockHash(height)) ?? assert.fail();
      const raw = await source.readRawBlock(hash);
      assert.deepEqual(Buffer.from(raw), devchain.state.findBlockAt(height)?.raw);
      const block = scanBlock(raw, new Map(), regtest);
      assert.deepEqual([block.hash, block.prevHash], [hash, previous]);
      previous = hash;
    }
  },
  'throws for a missing block': async ({ source }) => {
    await assert.rejects(source.readRawBlock(NOWHERE), ChainSourceError);
  },
  'returns a payment in the mempool, then in a block': async (tested) => {
    const { source, devchain, follow } = tested;
    const key = testKey();
    const txid = await payAddress(tested, key.address);
    assert.ok((await source.listMempoolTxids(async () => [key.script])).has(txid));
    const raw = (await source.readRawTransaction(txid)) ?? assert.fail();
    assert.equal(parseTransaction(raw).txid, txid);
    assert.equal(await source.readRawTransaction(NOWHERE), null);
    await devchain.mine(1);
    await follow();
    const { hash } = await source.readTip();
    const { matches } = scanBlock(await source.readRawBlock(hash), new Map([[toHex(key.script), 'it']]), regtest);
    assert.deepEqual(
      matches.map((match) => [match.txid, match.amountSats]),
      [[txid, SATS]],
    );
    // The first read after a block may still contain the transactions of that block.
    await source.listMempoolTxids(async () => [key.script]);
    assert.ok(!(await source.listMempoolTxids(async () => [key.script])).has(txid));
  },
  'reports the replacement of a payment': async (tested) => {
    const { source, devchain, follow } = tested;
    const key = testKey();
    const txid = await payAddress(tested, key.address);
    assert.ok((await source.listMempoolTxids(async () => [key.script])).has(txid));
    const replaced = await devchain.replace(txid);
    assert.ok(replaced.ok);
    await follow();
    const mempool = await source.listMempoolTxids(async () => [key.script]);
    assert.deepEqual([mempool.has(txid), mempool.has(replaced.txid)], [false, true]);
    assert.equal(await source.readRawTransaction(txid), null);
  },
  'reports unconfirmed parents and their replacement': async (tested) => {
    const { source, devchain, follow } = tested;
    const [stranger, key] = [testKey(), testKey()];
    const coin = await createCoin(tested, stranger);
    const parent = coin.txid;
    const spend = createSignedSpend(stranger, [coin], [{ script: key.script, amountSats: SATS - 1_000n }]);
    const child = await source.broadcast(spend);
    if (devchain.state.findTransaction(child) === undefined) assert.ok((await devchain.submit(spend)).ok);
    const before = await source.listMempoolTxids(async () => [key.script]);
    assert.deepEqual([before.has(parent), before.has(child)], [true, true]);
    const replaced = await devchain.replace(parent);
    assert.ok(replaced.ok);
    await follow();
    const after = await source.listMempoolTxids(async () => [key.script]);
    assert.deepEqual([after.has(parent), after.has(child), after.has(replaced.txid)], [false, false, true]);
  },
  'reports an output as unspent from its block to any spend': async (tested) => {
    const { source, devchain, follow } = tested;
    const key = testKey();
    const coin = await createCoin(tested, key);
    const isUnspent = () => source.isUnspent({ txid: coin.txid, vout: coin.vout });
    assert.equal(await isUnspent(), false, 'in the mempool');
    await devchain.mine(1);
    await follow();
    assert.equal(await isUnspent(), true, 'in a block');
    const spend = createSignedSpend(key, [coin], [{ script: testKey().script, amountSats: SATS - 1_000n }]);
    const spender = await source.broadcast(spend);
    if (devchain.state.findTransaction(spender) === undefined) assert.ok((await devchain.submit(spend)).ok);
    assert.equal(await isUnspent(), false, 'spent in the mempool');
    await devchain.mine(1);
    await follow();
    assert.equal(await isUnspent(), false, 'spent in a block');
    assert.ok((await devchain.reorganise(2)).ok);
    await follow();
    assert.equal(await isUnspent(), false, 'back in the mempool');
    assert.equal(await source.isUnspent({ txid: NOWHERE, vout: 0 }), false, 'never there');
  },
  'reports arrival time, if known, and fee of a payment': async (tested) => {
    const { source, devchain, follow } = tested;
    const startedAt = Date.now();
    const txid = await payAddress(tested, testKey().address);
    const entries = await source.readMempoolEntries([txid, NOWHERE]);
    assert.deepEqual([...entries.keys()], [txid]);
    const { arrivedAt, feePerKvb } = entries.get(txid) ?? assert.fail();
    if (arrivedAt !== null) {
      assert.ok(
        arrivedAt.getTime() >= startedAt - 1000 && arrivedAt.getTime() <= Date.now() + 1000,
        arrivedAt.toISOString(),
      );
    } else assert.equal(source.name, 'esplora');
    const { feeSats = 0n, transaction } = devchain.state.mempool.get(txid) ?? {};
    const exact = (feeSats * 1000n) / BigInt(computeVirtualSize(transaction?.weight ?? 0));
    assert.ok(feePerKvb !== null && feePerKvb >= exact - 1n && feePerKvb <= exact + 1n, `${feePerKvb} of ${exact}`);
    const time = await source.readTime();
    assert.ok(time && Math.abs(time.getTime() - Date.now()) < 5000, time?.toISOString());
    await devchain.mine(1);
    await follow();
    assert.equal((await source.readMempoolEntries([txid])).size, 0, 'in a block');
  },
  'reports a plausible fee rate, if known': async ({ source }) => {
    const rate = await source.estimateFeeRate();
    if (rate !== null) assert.ok(rate > 0 && rate < 1000, `${rate} sat/vB`);
    // A real node with only the blocks of a test has no estimate.
    else assert.equal(source.name, 'core');
  },
  'finds transactions in mempool and blocks, not unknown ones': async (tested) => {
    const { source, devchain, follow } = tested;
    const key = testKey();
    const txid = await payAddress(tested, key.address);
    const waiting = (await source.findTransaction(txid)) ?? assert.fail();
    assert.deepEqual([waiting.confirmations, waiting.height, waiting.isComplete], [0, null, true]);
    await devchain.mine(2);
    await follow();
    const mined = (await source.findTransaction(txid)) ?? assert.fail();
    assert.deepEqual([mined.confirmations, mined.height], [2, devchain.state.tip.height - 1]);
    for (const { outputs } of [waiting, mined]) {
      const own = outputs.filter(({ scriptHex }) => scriptHex === toHex(key.script));
      assert.deepEqual(
        own.map(({ amountSats }) => amountSats),
        [SATS],
      );
    }
    assert.equal(await source.findTransaction(NOWHERE), null);
  },
  'reports readable blocks and no limitations': async ({ source }) => {
    assert.equal(await source.findOldestBlock(), 0);
    assert.deepEqual(await source.listLimitations(), []);
  },
  'follows a reorganisation': async (tested) => {
    const { source, devchain, follow } = tested;
    const key = testKey();
    const txid = await payAddress(tested, key.address);
    await devchain.mine(2);
    await follow();
    const before = await source.readTip();
    assert.ok((await devchain.reorganise(2)).ok);
    await follow();
    const after = await source.readTip();
    assert.equal(after.height, before.height + 1);
    assert.notEqual(await source.readBlockHash(before.height), before.hash);
    assert.ok((await source.listMempoolTxids(async () => [key.script])).has(txid), 'it is in the mempool again');
  },
  'rejects an invalid transaction': async (tested) => {
    const { source } = tested;
    const key = testKey();
    const coin = await createCoin(tested, key);
    const good = createSignedSpend(key, [coin], [{ script: key.script, amountSats: SATS - 1_000n }]);
    const damaged = Buffer.from(good);
    damaged[damaged.length - 20] = (damaged[damaged.length - 20] ?? 0) ^ 1;
    await assert.rejects(source.broadcast(damaged), ChainSourceError);
    assert.equal(await source.broadcast(good), parseTransaction(good).txid);
    assert.equal(await source.broadcast(good), parseTransaction(good).txid, 'a second broadcast succeeds');
  },
};

const toHex = (script: Uint8Array): string => Buffer.from(script).toString('hex');

for (const { name, open } of sourceKinds) {
  test(
    `[PAY-09] chain source: ${name}`,
    { skip: open === null && 'no bitcoind found: set BITCOIND' },
    async (context) => {
      const tested = (await open?.()) ?? assert.fail();
      context.after(() => tested.stop());
      for (const [clause, holds] of Object.entries(contract)) await context.test(clause, () => holds(tested));
    },
  );
}
