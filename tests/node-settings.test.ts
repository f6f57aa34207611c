/** Settings of a real node that the shop depends on. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createCoreSource } from '#src/platform/bitcoin/core/core-source.ts';
import { findBitcoind, startBitcoind } from './support/bitcoind.ts';
import { regtest } from './support/chain-sources.ts';

const program = findBitcoind() ?? '';
const skip = program === '' && 'no bitcoind found: set BITCOIND';
const SALT = 'f7efda5c189b999524f151318c0c86d5';

test('[PAY-09] a real node with the manual’s rpcwhitelist serves every call', { skip }, async (context) => {
  const node = await startBitcoind(program);
  context.after(() => node.stop());
  const [, whitelist = ''] = /^ *(rpcwhitelist=shop:\S+)$/m.exec(readFileSync('docs/operating.md', 'utf8')) ?? [];
  const hash = createHmac('sha256', SALT).update('secret').digest('hex');
  await node.halt();
  await node.resume(`-rpcauth=shop:${SALT}$${hash}`, `-${whitelist}`, '-rpcwhitelistdefault=0');
  const url = node.rpcUrl.replace('//', '//shop:secret@');
  const source = createCoreSource({ network: regtest, url, cookieFile: null });
  const { hash: tip } = await source.readTip();
  assert.equal(await source.readBlockHash(0), tip);
  assert.ok((await source.readRawBlock(tip)).length > 0);
  assert.equal((await source.listMempoolTxids(async () => [])).size, 0);
  assert.equal(await source.readRawTransaction('ab'.repeat(32)), null);
  assert.equal(await source.findTransaction('ab'.repeat(32)), null);
  assert.equal(await source.isUnspent({ txid: 'ab'.repeat(32), vout: 0 }), false);
  assert.equal(await source.estimateFeeRate(), null);
  assert.equal(await source.findOldestBlock(), 0);
  assert.deepEqual(await source.listLimitations(), []);
  await assert.rejects(source.broadcast(Buffer.from('00', 'hex')), /rejected sendrawtransaction: TX decode failed/);

  await node.halt();
  const shorter = whitelist.replace('getmempoolinfo,', '');
  await node.resume(`-rpcauth=shop:${SALT}$${hash}`, `-${shorter}`, '-rpcwhitelistdefault=0');
  await assert.rejects(
    source.listMempoolTxids(async () => []),
    /rejected getmempoolinfo \(403\): add it to rpcwhitelist$/,
  );
});

test('[PAY-09] detects blocksonly and a small mempool of a real node', { skip }, async (context) => {
  const node = await startBitcoind(program);
  context.after(() => node.stop());
  const source = createCoreSource({ network: regtest, url: node.rpcUrl, cookieFile: node.cookieFile });
  assert.deepEqual(await source.listLimitations(), []);
  await node.halt();
  await node.resume('-blocksonly=1');
  assert.deepEqual(await source.listLimitations(), ['blocks-only', 'small-mempool']);
  await node.halt();
  await node.resume('-maxmempool=20');
  assert.deepEqual(await source.listLimitations(), ['small-mempool']);
});
