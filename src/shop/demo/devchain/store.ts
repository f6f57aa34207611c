import { sql } from 'kysely';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { parseTransaction } from '#src/platform/bitcoin/transaction.ts';
import type { ParsedTransaction } from '#src/platform/bitcoin/transaction.ts';
import type { ChainChange } from './chain-state.ts';
import { parseBlock } from './stored-block.ts';
import type { StoredBlock } from './stored-block.ts';

const ROWS_PER_STATEMENT = 500;

const tables = (db: Db) =>
  db.$extendTables<{
    devchain_blocks: { height: number; hash: Buffer; raw: Buffer };
    devchain_mempool: { txid: Buffer; raw: Buffer; position: bigint; entered_at: Date };
    devchain_wallet: { only_row: boolean; secret: Buffer };
  }>();

function* generateBatches<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += ROWS_PER_STATEMENT) {
    yield items.slice(start, start + ROWS_PER_STATEMENT);
  }
}

const hashBytes = (display: string): Buffer => Buffer.from(display, 'hex');

/** Null before the first start. */
export async function findWalletSecret(db: Db): Promise<Buffer | null> {
  return (await tables(db).selectFrom('devchain_wallet').select('secret').executeTakeFirst())?.secret ?? null;
}

/** The wallet's secret. The first call stores the proposed one; later calls return it. */
export async function getOrCreateWalletSecret(db: Db, proposed: Buffer): Promise<Buffer> {
  await tables(db)
    .insertInto('devchain_wallet')
    .values({ only_row: true, secret: proposed })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { secret } = await tables(db).selectFrom('devchain_wallet').select('secret').executeTakeFirstOrThrow();
  return secret;
}

/** Blocks from height 1 up, in order, read in batches. */
export async function* listBlocks(db: Db): AsyncGenerator<StoredBlock> {
  for (let above = 0; ;) {
    const rows = await tables(db)
      .selectFrom('devchain_blocks')
      .select(['height', 'raw'])
      .where('height', '>', above)
      .orderBy('height')
      .limit(ROWS_PER_STATEMENT)
      .execute();
    for (const { raw, height } of rows) yield parseBlock(raw, height);
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_PER_STATEMENT) return;
    above = last.height;
  }
}

/** The mempool in the order of arrival. */
export async function listMempool(
  db: Db,
): Promise<{ readonly transaction: ParsedTransaction; readonly position: bigint; readonly enteredAt: Date }[]> {
  const rows = await tables(db)
    .selectFrom('devchain_mempool')
    .select(['raw', 'position', 'entered_at'])
    .orderBy('position')
    .execute();
  return rows.map(({ raw, position, entered_at: enteredAt }) => ({
    transaction: parseTransaction(raw),
    position,
    enteredAt,
  }));
}

/** Writes a change in one transaction. */
export async function storeChange(db: Db, change: ChainChange, now: Date): Promise<void> {
  await transact(db, async (tx) => {
    const trx = tables(tx);
    await trx.deleteFrom('devchain_blocks').where('height', '>', change.forkHeight).execute();
    for (const blocks of generateBatches(change.connect)) {
      const rows = blocks.map(({ height, hash, raw }) => ({ height, hash: hashBytes(hash), raw }));
      await trx.insertInto('devchain_blocks').values(rows).execute();
    }
    const mined = change.connect.flatMap(({ transactions }) => transactions.slice(1).map(({ txid }) => txid));
    const removed = [...change.drop, ...mined].map(hashBytes);
    if (removed.length > 0) {
      await trx
        .deleteFrom('devchain_mempool')
        .where('txid', '=', sql<Buffer>`any(${removed}::bytea[])`)
        .execute();
    }
    for (const entries of generateBatches(change.add)) {
      const rows = entries.map(({ transaction: { txid, raw }, position }) => ({
        txid: hashBytes(txid),
        raw,
        position,
        entered_at: now,
      }));
      await trx.insertInto('devchain_mempool').values(rows).execute();
    }
  });
}
