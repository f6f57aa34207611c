/** The ledger in PostgreSQL lives through the same histories as the one in memory, row by row. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { writeBooks } from '#src/shop/books/service.ts';
import { ChainWalk } from '#src/shop/payments/chain-walk.ts';
import { insertAddress, takeIndexes } from '#src/shop/payments/addresses.store.ts';
import { ledgerStore, readLedgers } from '#src/shop/payments/store.ts';
import { testDatabase } from './support/database.ts';
import { LedgerHistory, QUIET_KINDS } from './support/ledger-history.ts';
import type { Companion, Step } from './support/ledger-history.ts';
import type { StoredRow } from './support/memory-ledger.ts';
import { GENESIS } from './support/simulated-chain.ts';
import type { SimulatedChain } from './support/simulated-chain.ts';

const RUNS = Number(process.env.LEDGER_HISTORIES_POSTGRES ?? 30);

const number = fc.nat(0xffff);
const kind = fc.constantFrom(...QUIET_KINDS.filter((one) => one !== 'mature'));
const step: fc.Arbitrary<Step> = fc.record({ kind, a: number, b: number, c: number });

const USER = '00000000-0000-4000-8000-0000000000ff';
let db: Db;

before(async () => {
  ({ db } = await testDatabase());
  await sql`
    insert into users (id, username, username_key, email, email_key, password_hash, created_at)
    values (${USER}, 'a', 'a', 'a@example.org', 'a@example.org', '', now())
  `.execute(db);
});

class Fault extends Error {}

/** Two walks over one database, one of which fails in mid-transaction now and then. */
class InPostgres implements Companion {
  #walks: readonly ChainWalk<Db>[] = [];
  #passes = 0;

  async issued({ id, script, dueSats }: { id: string; script: string; dueSats: bigint }): Promise<void> {
    await sql`
      insert into orders (id, user_id, payment_status, is_open, billing, total_cents, total_sats, total_after_cents,
        total_after_sats, due_sats, rate_cents_per_btc, rate_evidence, required_confirmations, created_at, expires_at)
      values (${id}, ${USER}, 'pending', false, '{}', 1, ${dueSats}, 1, ${dueSats}, ${dueSats}, 1, '{}', 1, now(), now())
    `.execute(db);
    await db.transaction().execute(async (tx) => {
      const index = await takeIndexes(tx, 'account', 1);
      const issued = {
        orderId: id,
        address: `address of ${id}`,
        script: Buffer.from(script, 'hex'),
        issuedAt: new Date(),
      };
      await insertAddress(tx, { ...issued, account: 'account', index });
    });
  }

  async passed(chain: SimulatedChain, rows: readonly StoredRow[]): Promise<void> {
    let faults = 0;
    if (this.#walks.length === 0) {
      this.#walks = [0, 1].map(
        () =>
          new ChainWalk<Db>({
            source: chain.source(() => {}),
            store: ledgerStore(db),
            reader: chain.reader,
            clock: { now: () => new Date(chain.now) },
            network: { name: 'regtest', genesisHash: GENESIS },
            waitingPayees: async () => [],
            longestSilenceMs: null,
            onChanged: async (tx, payeeIds) => {
              assert.ok((await readLedgers(tx, payeeIds)).ledgers.size === payeeIds.length);
              if ((faults += 1) === 1 && this.#passes % 3 === 0) throw new Fault();
            },
            onReconciled: async () => {},
          }),
      );
    }
    this.#passes += 1;
    const passes = await Promise.allSettled(this.#walks.map((walk) => walk.pass()));
    for (const result of passes)
      if (result.status === 'rejected' && !(result.reason instanceof Fault)) throw result.reason;
    await this.#walks[0]?.pass();
    assert.deepEqual(await this.#rows(), rows.map(told).toSorted(byOutpoint));
    await this.#compareBooks(rows);
    const cursor = await ledgerStore(db).cursor();
    assert.equal(cursor?.hash, chain.chain.at(-1)?.hash);
    assert.equal(cursor?.reconciledAt?.getTime(), chain.now);
  }

  /** The books have a line for each live output, and its satoshis. */
  async #compareBooks(rows: readonly StoredRow[]): Promise<void> {
    let csv = '';
    const { sats, lines } = await writeBooks(db, { from: null, to: null }, (text) => void (csv += text));
    const live = rows.filter(({ isLive }) => isLive);
    const booked = csv
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',').slice(3, 6).join());
    const expected = live.map(({ txid, vout, amountSats }) => `${txid},${vout},${amountSats}`);
    assert.deepEqual(booked.toSorted(), expected.toSorted());
    const sum = live.reduce((total, { amountSats }) => total + amountSats, 0n);
    assert.deepEqual([sats, lines], [sum, live.length]);
  }

  async #rows() {
    const { rows: ids } = await sql<{ id: string }>`select id from orders`.execute(db);
    const { ledgers } = await readLedgers(
      db,
      ids.map(({ id }) => id),
    );
    return [...ledgers]
      .flatMap(([payeeId, { outputs }]) => outputs.map((output) => told({ ...output, payeeId })))
      .toSorted(byOutpoint);
  }
}

type Told = Omit<StoredRow, 'rawTx' | 'rawAncestors'>;
const told = ({
  txid,
  vout,
  payeeId,
  amountSats,
  isCoinbase,
  isLive,
  height,
  firstSeen,
  leftBecause,
  leftAt,
}: Told): Told => {
  return { txid, vout, payeeId, amountSats, isCoinbase, isLive, height, firstSeen, leftBecause, leftAt };
};
const byOutpoint = (a: Told, b: Told): number => a.txid.localeCompare(b.txid) || a.vout - b.vout;

test('[PAY-09] the ledger in PostgreSQL, and the books made of it, equal the one in memory after any history', async () => {
  const steps = fc.array(step, { minLength: 4, maxLength: 20, size: 'max' });
  const property = fc.asyncProperty(steps, async (played) => {
    await sql`truncate payment_outputs, order_addresses, orders, wallets, chain_blocks, chain_cursor cascade`.execute(
      db,
    );
    await new LedgerHistory(null, new Map(), new InPostgres()).play(played);
  });
  await fc.assert(property, { numRuns: RUNS });
});
