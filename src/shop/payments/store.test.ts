import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { createTestDatabase } from '../../../tests/support/database.ts';
import { insertAddress, takeIndexes } from './addresses/store.ts';
import { readCoins, readRefundOutputs, watchScript } from './ledger/payouts.store.ts';
import { createLedgerStore, readLedgers } from './store.ts';

const NOW = new Date('2030-01-01T00:00:00Z');
const hash = (name: string): string => Buffer.from(name.padEnd(32)).toString('hex');
const createBlock = (height: number) => ({ height, hash: hash(`block ${height}`), time: NOW });

async function setUp() {
  const { db } = await createTestDatabase();
  const [user, orderId] = [randomUUID(), randomUUID()];
  await sql`
    insert into users (id, username, username_key, email, email_key, password_hash, created_at)
    values (${user}, 'a', 'a', 'a@example.org', 'a@example.org', '', now())
  `.execute(db);
  await insertOrder(db, orderId, user);
  await issue(db, orderId);
  const store = createLedgerStore(db);
  await store.runTransaction((ledger) => ledger.start('regtest', createBlock(10)));
  return { db, store, user, orderId };
}

async function insertOrder(db: Db, id: string, user: string): Promise<void> {
  await sql`
    insert into orders (id, user_id, payment_status, is_open, billing, total_cents, total_sats, total_after_cents,
      total_after_sats, due_sats, rate_cents_per_btc, rate_evidence, required_confirmations, created_at, expires_at)
    values (${id}, ${user}, 'pending', false, '{}', 1, 100, 1, 100, 100, 1, '{}', 1, now(), now())
  `.execute(db);
}

async function issue(db: Db, orderId: string, account = 'account'): Promise<number> {
  const index = await takeIndexes(db, account, 1);
  const script = Buffer.from(`${account} ${index}`);
  await insertAddress(db, { orderId, address: `${account} ${index}`, script, account, index, issuedAt: NOW });
  return index;
}

let shared: Awaited<ReturnType<typeof setUp>>;
before(async () => {
  shared = await setUp();
});

test('[PAY-09] rejects a second write at the same revision', async () => {
  const { store } = await setUp();
  const commitBlock = (height: number) =>
    store.runTransaction(async (ledger) => {
      const isFirst = await ledger.moveCursor(0, { height, hash: createBlock(height).hash });
      if (isFirst) await ledger.addBlocks([createBlock(height)]);
      return isFirst;
    });
  const wins = await Promise.all([commitBlock(11), commitBlock(12), commitBlock(13)]);
  assert.equal(wins.filter(Boolean).length, 1);
  const cursor = await store.readCursor();
  assert.equal(cursor?.revision, 1);
  assert.equal(await store.findHashAt(cursor.height), cursor.hash);
  assert.equal(await store.runTransaction((ledger) => ledger.start('regtest', createBlock(5))), false);
});

test('[PAY-09] a confirmed output does not leave with the mempool', async () => {
  const { db, store, orderId } = shared;
  const found = {
    txid: hash('in a block'),
    vout: 1,
    amountSats: 5n,
    isCoinbase: false,
    rawTx: Buffer.from('raw'),
    recipientId: orderId,
  };
  await store.runTransaction(async (ledger) => {
    await ledger.addBlockOutputs([found], createBlock(10), NOW);
    assert.deepEqual(await ledger.markLeft([{ txid: found.txid, because: 'dropped' }], NOW), []);
    assert.deepEqual(await ledger.addMempoolOutputs([{ ...found, rawAncestors: [] }], NOW), []);
  });
  const [output] = (await readLedgers(db, [orderId])).ledgers.get(orderId)?.outputs ?? [];
  assert.deepEqual([output?.isLive, output?.height], [true, 10]);
});

test('[PAY-09] stores the unconfirmed ancestors of a payment', async () => {
  const { store, orderId } = shared;
  const rawAncestors = [Buffer.from('grandparent'), Buffer.from('parent')];
  const arrived = { txid: hash('with ancestors'), vout: 0, amountSats: 5n, isCoinbase: false, recipientId: orderId };
  await store.runTransaction((ledger) =>
    ledger.addMempoolOutputs([{ ...arrived, rawTx: Buffer.from('raw'), rawAncestors }], NOW),
  );
  const pending = (await store.listPendingAbove(10)).find(({ txid }) => txid === arrived.txid);
  assert.deepEqual(pending?.rawAncestors, rawAncestors);
  assert.deepEqual(pending?.rawTx, Buffer.from('raw'));
});

test('[PAY-09] stores a transaction with hundreds of outputs to an address once', async () => {
  const { db, store, orderId } = await setUp();
  const rawTx = Buffer.alloc(50_000, 7);
  const rawAncestors = [Buffer.alloc(50_000, 8)];
  const template = {
    txid: hash('of many outputs'),
    amountSats: 5n,
    isCoinbase: false,
    recipientId: orderId,
    rawTx,
    rawAncestors,
  };
  // In random order: any of them may be written first.
  const arrived = Array.from({ length: 1200 }, (_, at) => ({ ...template, vout: 1199 - at }));
  await store.runTransaction((ledger) => ledger.addMempoolOutputs(arrived, NOW));
  const { rows } = await sql<{ bytes: bigint }>`
    select sum(octet_length(raw_tx) + pg_column_size(raw_ancestors)) as bytes from payment_outputs
  `.execute(db);
  assert.ok(Number(rows[0]?.bytes) < 200_000, `${rows[0]?.bytes} bytes`);
  const [pending] = await store.listPendingAbove(10);
  assert.deepEqual([pending?.rawTx, pending?.rawAncestors], [rawTx, rawAncestors]);
  await store.runTransaction((ledger) => ledger.addBlockOutputs(arrived, createBlock(10), NOW));
  const coins = await readCoins(db, 'account', orderId, 3);
  assert.deepEqual(
    coins.map(({ rawTx: raw }) => raw),
    [rawTx, rawTx, rawTx],
  );
});

test('[PAY-09] returns all scripts first, then new ones, of each account', async () => {
  const { db, store, user } = await setUp();
  const first = await store.listScriptsSince(null);
  assert.deepEqual(
    first.scripts.map(({ script }) => Buffer.from(script).toString()),
    ['account 0'],
  );
  // A running transaction in another database of the server repeats the first script.
  const listLaterScripts = async (): Promise<string[]> =>
    (await store.listScriptsSince(first.mark)).scripts
      .map(({ script }) => Buffer.from(script).toString())
      .filter((name) => name !== 'account 0');
  assert.deepEqual(await listLaterScripts(), []);
  for (const account of ['account', 'an older account']) {
    const id = randomUUID();
    await insertOrder(db, id, user);
    await issue(db, id, account);
  }
  assert.deepEqual((await listLaterScripts()).toSorted(), ['account 1', 'an older account 0']);
});

test('[PAY-09] finds an address whose lower index was committed later', async () => {
  const { db, store, user } = await setUp();
  const ids = [randomUUID(), randomUUID()] as const;
  for (const id of ids) await insertOrder(db, id, user);
  const [{ mark: start }, loadedIds] = [await store.listScriptsSince(null), new Set<string>()];
  let mark = start;
  const load = async (): Promise<void> => {
    const loaded = await store.listScriptsSince(mark);
    for (const { recipientId } of loaded.scripts) loadedIds.add(recipientId);
    ({ mark } = loaded);
  };
  const [release, hasWritten] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = db.transaction().execute(async (tx) => {
    await issue(tx, ids[0]);
    hasWritten.resolve();
    await release.promise;
  });
  await hasWritten.promise;
  // The slow transaction holds the counter row: another takes its index from elsewhere.
  const script = Buffer.from('of the quick');
  const quick = { orderId: ids[1], address: 'quick', script, account: 'account', index: 99, issuedAt: NOW };
  await insertAddress(db, quick);
  // Scripts may repeat while another database of the server has a running transaction.
  const readLoaded = (): string[] => ids.filter((id) => loadedIds.has(id));
  await load();
  assert.deepEqual(readLoaded(), [ids[1]]);
  await load();
  release.resolve();
  await slow;
  await load();
  assert.deepEqual(readLoaded(), [...ids]);
});

/** A refund with the columns that the ledger reads. */
async function insertRefund(db: Db, orderId: string, scriptId: string, amount: bigint, state = 'made'): Promise<void> {
  await sql`
    insert into refunds (id, order_id, covers, debit_sats, amount_sats, refund_script_id, made_by, made_at, state, withdrawn_at)
    select ${randomUUID()}, ${orderId}, 'whole', ${amount}, ${amount}, ${scriptId}, user_id, now(), ${state},
      case when ${state} = 'withdrawn' then now() end
    from orders where id = ${orderId}
  `.execute(db);
}

const createOutput = (name: string, recipientId: string, amountSats: bigint) => ({
  txid: hash(name),
  vout: 0,
  amountSats,
  isCoinbase: false,
  rawTx: Buffer.from('raw'),
  rawAncestors: [],
  recipientId,
});

test('[PAY-13] watches a refund address once; order addresses stay the order’s', async () => {
  const { db, store, orderId } = await setUp();
  const elsewhere = Buffer.from('elsewhere');
  const ids = await Promise.all([1, 2, 3].map(() => watchScript(db, 'elsewhere', elsewhere)));
  assert.equal(new Set(ids).size, 1);
  await watchScript(db, 'account 0', Buffer.from('account 0'));
  const { scripts, mark } = await store.listScriptsSince(null);
  assert.deepEqual(
    new Map(scripts.map(({ script, recipientId }) => [Buffer.from(script).toString(), recipientId])),
    new Map([
      ['account 0', orderId],
      ['elsewhere', ids[0]],
    ]),
  );
  assert.equal(scripts.length, 2);
  await watchScript(db, 'later', Buffer.from('later'));
  const since = await store.listScriptsSince(mark);
  assert.ok(since.scripts.some(({ script }) => Buffer.from(script).toString() === 'later'));
});

test('[PAY-13] records refund amounts only, and follows them', async () => {
  const { db, store, orderId } = await setUp();
  const to = await watchScript(db, 'elsewhere', Buffer.from('elsewhere'));
  const readRefunds = async () =>
    (await readRefundOutputs(db, [to])).map(({ txid, amountSats, isLive, height }) => [
      txid,
      amountSats,
      isLive,
      height,
    ]);
  const write = (commitBlock: Parameters<typeof store.runTransaction<readonly string[]>>[0]) =>
    store.runTransaction(commitBlock);
  const arrive = (name: string, amount: bigint) =>
    write((ledger) => ledger.addMempoolOutputs([createOutput(name, to, amount)], NOW));
  assert.deepEqual(await arrive('before any refund', 700n), []);
  await insertRefund(db, orderId, to, 700n, 'withdrawn');
  await insertRefund(db, orderId, to, 800n);
  assert.deepEqual(await arrive('something else', 799n), []);
  assert.deepEqual(await readRefunds(), []);
  assert.deepEqual(await arrive('the refund', 800n), [to]);
  assert.deepEqual(await arrive('one that was withdrawn', 700n), [to], 'a withdrawn refund still receives payments');
  const paidBoth = [createOutput('both', orderId, 5n), { ...createOutput('both', to, 800n), vout: 1 }];
  assert.deepEqual(
    (await write((ledger) => ledger.addBlockOutputs(paidBoth, createBlock(11), NOW))).toSorted(),
    [orderId, to].toSorted(),
  );

  assert.deepEqual(
    await write((ledger) => ledger.addBlockOutputs([createOutput('the refund', to, 800n)], createBlock(12), NOW)),
    [to],
  );
  assert.deepEqual(
    (await readRefunds()).find(([txid]) => txid === hash('the refund')),
    [hash('the refund'), 800n, true, 12],
  );
  assert.deepEqual(await write((ledger) => ledger.listRecipientsAbove(11)), [to]);
  assert.deepEqual((await write((ledger) => ledger.removeBlocksAbove(10, NOW))).toSorted(), [orderId, to].toSorted());
  const replaced = { txid: hash('the refund'), because: 'replaced' } as const;
  assert.deepEqual(await write((ledger) => ledger.markLeft([replaced], NOW)), [to]);
  assert.deepEqual(
    (await readRefunds()).find(([txid]) => txid === hash('the refund')),
    [hash('the refund'), 800n, false, null],
  );
  const { ledgers } = await readLedgers(db, [orderId]);
  assert.deepEqual(
    ledgers.get(orderId)?.outputs.map(({ amountSats }) => amountSats),
    [5n],
    'no order received it',
  );
});

test('stores the newest thousand blocks', async () => {
  const { db, store } = await setUp();
  await sql`insert into chain_blocks select n, decode(lpad(to_hex(n), 64, '0'), 'hex'), now() from generate_series(11, 1010) n`.execute(
    db,
  );
  await store.runTransaction((ledger) => ledger.addBlocks([createBlock(1011)]));
  assert.deepEqual([await store.findHashAt(10), (await store.findHashAt(11)) !== null], [null, true]);
});
