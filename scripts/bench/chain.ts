/**
 * `npm run bench -- chain [--blocks N --rounds N]`: measures chain sync. (1) CPU time to scan a full
 * block for ten thousand addresses, compared with parsing it by @scure/btc-signer. (2) Time to catch
 * up a thousand blocks, with the source alone and with the ledger. (3) The payment check: its statement
 * and plan are in tests/payment-check.test.ts. With BITCOIND, a real node is one of the sources.
 */
import { parseArgs } from 'node:util';
import { RawTx } from '@scure/btc-signer';
import Fastify from 'fastify';
import { sql } from 'kysely';
import { readAccountKey } from '#src/platform/bitcoin/account-key.ts';
import { scanBlock } from '#src/platform/bitcoin/block.ts';
import type { ChainSource } from '#src/platform/bitcoin/chain-source.ts';
import { createCoreSource } from '#src/platform/bitcoin/core/core-source.ts';
import { DEMO_ACCOUNT_KEY } from '#src/platform/bitcoin/demo-account-key.ts';
import { Devchain } from '#src/shop/demo/devchain/devchain.ts';
import { createDevchainSource } from '#src/shop/demo/devchain/devchain-source.ts';
import { registerEsplora } from '#src/shop/demo/devchain/esplora-http.ts';
import { createEsploraSource } from '#src/platform/bitcoin/esplora/esplora-source.ts';
import { getBitcoinNetwork } from '#src/platform/bitcoin/network.ts';
import { AdjustableClock } from '#src/platform/process/clock.ts';
import { openDatabase } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { BlockPrefetcher } from '#src/shop/payments/chain-sync/block-prefetcher.ts';
import { Payments } from '#src/shop/payments/service.ts';
import { findBitcoind, startBitcoind } from '../../tests/support/bitcoind.ts';
import { silentLog, startServer, TEMPLATES } from '../../tests/support/database-server.ts';
import { createFullBlock, OUTPUTS, createScript, TRANSACTIONS } from '../../tests/support/full-block.ts';

const ADDRESSES = 10_000;
const SCAN_GOAL_MS = 25;
const PAID = 10;

const { values } = parseArgs({
  options: { blocks: { type: 'string', default: '1000' }, rounds: { type: 'string', default: '25' } },
});
const [blocks, rounds] = [Number(values.blocks), Number(values.rounds)];
if (![blocks, rounds].every((count) => Number.isInteger(count) && count > 0)) {
  console.error('--blocks and --rounds must be whole numbers above 0.');
  process.exit(1);
}

const computeMedian = (list: readonly number[]): number =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
const network = getBitcoinNetwork('regtest');

/** Median CPU time in ms of each function. Runs them alternately, so that other load affects all. */
function measureCpu(works: readonly (() => void)[]): number[] {
  const times: number[][] = works.map(() => []);
  for (let round = -5; round < rounds; round += 1) {
    for (const [index, work] of works.entries()) {
      const before = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) times[index]?.push((user + system) / 1000);
    }
  }
  return times.map(computeMedian);
}

function benchScan(): boolean {
  const watched = new Map(
    Array.from({ length: ADDRESSES }, (_, index) => [createScript(index).toString('hex'), `order ${index}`] as const),
  );
  const block = createFullBlock(Array.from({ length: PAID }, (_, index) => createScript(index * 7)));
  const transactions = block.transactions.map(({ raw }) => raw);
  let matchCount = 0;
  const scan = (scripts: Map<string, string>) => () => {
    matchCount = scanBlock(block.raw, scripts, network).matches.length;
  };
  const parse = (): void => {
    for (const raw of transactions) RawTx.decode(raw);
  };
  const [many = 0, none = 0, plain = 0] = measureCpu([scan(watched), scan(new Map()), parse]);
  scan(watched)();
  console.log(
    `a block of ${block.raw.length} bytes, ${TRANSACTIONS} transactions, ${OUTPUTS} outputs, ${matchCount} to watched addresses:\n` +
      `  ${ADDRESSES} addresses watched: ${many.toFixed(1)} ms of CPU; none watched: ${none.toFixed(1)} ms; ` +
      `parsed by @scure/btc-signer: ${plain.toFixed(1)} ms\n` +
      `  ${(many / plain).toFixed(2)} of the parse time, ${(many / none).toFixed(2)} of the time with none watched; ` +
      `goal: ${SCAN_GOAL_MS} ms: ${many <= SCAN_GOAL_MS ? 'met' : 'MISSED'}`,
  );
  return many <= SCAN_GOAL_MS && matchCount === PAID;
}

interface Stoppable {
  readonly name: string;
  readonly source: ChainSource;
  stop(): Promise<void>;
}

const doNothing = async (): Promise<void> => {};

/** A source without latency, so that only the time of the shop is measured. */
function createMemorySource(devchain: Devchain): Stoppable {
  const source = createDevchainSource(devchain);
  const raw = new Map<string, Uint8Array>();
  const hashes: string[] = [];
  for (let height = 0; height <= devchain.state.tip.height; height += 1) {
    const block = devchain.state.findBlockAt(height);
    if (block === undefined) throw new Error('a block is missing');
    raw.set(block.hash, block.raw);
    hashes.push(block.hash);
  }
  const read = async (hash: string): Promise<Uint8Array> => raw.get(hash) ?? new Uint8Array();
  const memory = { ...source, blockHash: async (height: number) => hashes[height] ?? null, rawBlock: read };
  return { name: 'memory', source: memory, stop: async () => {} };
}

async function createHttpSource(devchain: Devchain): Promise<Stoppable> {
  const app = Fastify();
  registerEsplora(app, devchain, '/api');
  const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/api`;
  return { name: 'Esplora, over HTTP', source: createEsploraSource({ network, url }), stop: () => app.close() };
}

async function createNodeSource(devchain: Devchain, program: string): Promise<Stoppable> {
  const node = await startBitcoind(program);
  for (let height = 1; height <= devchain.state.tip.height; height += 1) {
    await node.call('submitblock', devchain.state.findBlockAt(height)?.raw.toString('hex'));
  }
  const source = createCoreSource({ network, url: node.rpcUrl, cookieFile: node.cookieFile });
  return { name: 'a real node', source, stop: () => node.stop() };
}

async function fillWithOrders(db: Db): Promise<void> {
  const user = '00000000-0000-4000-8000-000000000001';
  await sql`insert into users (id, username, username_key, email, email_key, password_hash, created_at)
    values (${user}, 'a', 'a', 'a@example.org', 'a@example.org', '', now())`.execute(db);
  await sql`insert into wallets (account) values ('account')`.execute(db);
  await sql`
    with made as (
      insert into orders (id, user_id, payment_status, is_open, billing, total_cents, total_sats, total_after_cents,
        total_after_sats, due_sats, rate_cents_per_btc, rate_evidence, required_confirmations, created_at, expires_at)
      select gen_random_uuid(), ${user}, 'expired', false, '{}', 100, 1000, 100, 1000, 1000, 10000000, '{}', 1, now(), now()
      from generate_series(1, ${ADDRESSES}::integer) returning id, number
    )
    insert into order_addresses (script, address, order_id, account, derivation_index, issued_at)
    select decode(md5(number::text), 'hex'), number::text, id, 'account', number::integer, now() from made
  `.execute(db);
}

async function measureSource(source: ChainSource, from: number): Promise<number> {
  const began = performance.now();
  const { height: tip } = await source.readTip();
  const ahead = new BlockPrefetcher(source, tip);
  for (let height = from; height <= tip; height += 1) {
    if ((await ahead.take(height, height)) === null) throw new Error('a block is missing');
    ahead.release(height);
  }
  return performance.now() - began;
}

/** Deletes all stored blocks except one and syncs again. */
async function measureCatchUp(db: Db, source: ChainSource, from: { height: number; hash: string }): Promise<number> {
  const hash = Buffer.from(from.hash, 'hex');
  await sql`delete from chain_blocks`.execute(db);
  await sql`delete from chain_cursor`.execute(db);
  await sql`insert into chain_cursor (network, height, hash) values ('regtest', ${from.height}, ${hash})`.execute(db);
  await sql`insert into chain_blocks (height, hash, time) values (${from.height}, ${hash}, now())`.execute(db);
  const account = readAccountKey(DEMO_ACCOUNT_KEY, 'regtest');
  if (!account.ok) throw new Error(account.message);
  const payments = new Payments({
    db,
    indexDb: db,
    clock: new AdjustableClock(),
    log: silentLog,
    source,
    accountKey: account.account,
    listWaitingRecipients: async () => [],
    onLedgerChanged: doNothing,
    onReconciled: doNothing,
  });
  const began = performance.now();
  await payments.sync();
  return performance.now() - began;
}

async function benchCatchUp(): Promise<boolean> {
  const server = await startServer();
  const maker = openDatabase({ connection: server.admin, log: silentLog, poolSize: 1 });
  await sql`create database bench owner ${sql.id(server.shop.user)} template ${sql.id(TEMPLATES.migrated)}`.execute(
    maker.db,
  );
  await maker.close();
  const database = openDatabase({ connection: { ...server.shop, database: 'bench' }, log: silentLog });
  const { db } = database;
  try {
    await fillWithOrders(db);
    const parts = { db, clock: new AdjustableClock(), log: silentLog, network, autoMine: false };
    const devchain = await Devchain.open(parts);
    const { height, hash } = devchain.state.tip;
    for (let mined = 0; mined < blocks; mined += 500) await devchain.mine(Math.min(500, blocks - mined));
    const program = findBitcoind();
    const sources = [createMemorySource(devchain), await createHttpSource(devchain)];
    if (program !== undefined) sources.push(await createNodeSource(devchain, program));
    console.log(`catching up ${blocks} blocks with ${ADDRESSES} addresses watched:`);
    let shopMs = 0;
    let isGoalMet = true;
    for (const stoppable of sources) {
      const { name, source } = stoppable;
      const times = { alone: [] as number[], whole: [] as number[] };
      for (let round = 0; round < 5; round += 1) {
        times.alone.push(await measureSource(source, height + 1));
        times.whole.push(await measureCatchUp(db, source, { height, hash }));
      }
      await stoppable.stop();
      const [alone, whole] = [computeMedian(times.alone), computeMedian(times.whole)];
      if (name === 'memory') shopMs = whole;
      else isGoalMet &&= shopMs < alone;
      console.log(
        `  ${name}: the source alone ${alone.toFixed(0)} ms, with the ledger ${whole.toFixed(0)} ms` +
          (name === 'memory' ? ' (the shop itself)' : `; the shop itself: ${((shopMs / whole) * 100).toFixed(0)} %`),
      );
    }
    if (program === undefined) console.log('  no bitcoind found: set BITCOIND to measure a real node');
    await devchain.stop();
    return isGoalMet;
  } finally {
    await database.close();
    await server.stop();
  }
}

const isGoalMet = [benchScan(), await benchCatchUp()];
console.log(isGoalMet.every(Boolean) ? 'all goals met' : 'goals MISSED');
process.exitCode = isGoalMet.every(Boolean) ? 0 : 1;
