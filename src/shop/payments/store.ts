/** The payment ledger and the position of chain sync. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { transact } from '#src/platform/database/database.ts';
import { compileOnce } from '#src/platform/database/compile-once.ts';
import type { Db } from '#src/platform/database/database.ts';
import { sats } from '#src/shop/money.ts';
import { MAX_LEFT } from './ledger/ledger-store.ts';
import type {
  FirstSeenRange,
  MempoolOutput,
  ChainBlock,
  ChainCursor,
  FoundOutput,
  LedgerStore,
  LedgerTransaction,
} from './ledger/ledger-store.ts';
import type { LeftBecause, LedgerOutput } from './ledger/payment-state.ts';
import { selectRelevantOutputs } from './ledger/payouts.store.ts';

interface OutputsTable {
  txid: Uint8Array;
  vout: number;
  order_id: string | null;
  refund_script_id: string | null;
  amount_sats: bigint;
  is_coinbase: boolean;
  is_live: boolean;
  height: number | null;
  block_hash: Uint8Array | null;
  first_seen: Date;
  arrived_after: Date | null;
  confirmed_at: Date | null;
  fee_per_kvb: bigint | null;
  left_because: LeftBecause | null;
  left_at: Date | null;
  raw_tx: Uint8Array;
  raw_ancestors: readonly Uint8Array[];
  conflict_txid: Uint8Array | null;
  conflict_height: number | null;
  credit_refund_id: string | null;
}

type Tables = Record<'payment_outputs', OutputsTable>;

/** Maximum rows per statement: PostgreSQL takes 65,535 parameters. */
const ROWS_AT_ONCE = 1000;
/** Blocks stored to find the fork of a reorganization. */
const BLOCKS_KEPT = 1000;

/** Placeholder if another row already stores the raw transaction. */
const EMPTY_RAW = { raw_tx: Buffer.alloc(0), raw_ancestors: [] };

const GAINS_ANCESTORS = sql<boolean>`(payment_outputs.raw_ancestors = '{}' and excluded.raw_ancestors <> '{}')`;
const ANCESTORS = sql<
  Uint8Array[]
>`case when ${GAINS_ANCESTORS} then excluded.raw_ancestors else payment_outputs.raw_ancestors end`;
const HOLDS_RAW = sql<boolean>`(payment_outputs.height is null and octet_length(payment_outputs.raw_tx) > 0)`;
const IS_CHANGED = sql<boolean>`(not payment_outputs.is_live or (${HOLDS_RAW} and ${GAINS_ANCESTORS}))`;

const decodeHex = (hex: string): Buffer => Buffer.from(hex, 'hex');

interface OrderLedgerRow {
  readonly address: string;
  readonly outputs: LedgerOutput[];
}

interface JoinedRow extends Omit<
  OutputsTable,
  | 'txid'
  | 'order_id'
  | 'refund_script_id'
  | 'block_hash'
  | 'raw_tx'
  | 'raw_ancestors'
  | 'conflict_txid'
  | 'credit_refund_id'
> {
  is_credit: boolean;
  order_id: string;
  address: string;
  tip: number | null;
  txid: string | null;
  day_fee_per_kvb: bigint | null;
}

interface LedgersRead {
  readonly tip: { readonly height: number } | null;
  readonly ledgers: Map<string, OrderLedgerRow>;
  readonly dayFeePerKvb: bigint | null;
}

const NO_ROW = { tip: null, day_fee_per_kvb: null };

const selectLedgers = compileOnce(
  (_db, { orderIds }: { readonly orderIds: readonly string[] }) => sql<JoinedRow>`
    select issued.order_id, issued.address, (select height from chain_cursor) as tip, encode(output.txid, 'hex') as txid,
      output.vout, output.amount_sats, output.is_coinbase, output.is_live, output.height, output.first_seen,
      output.arrived_after, output.confirmed_at, output.fee_per_kvb, output.left_because, output.left_at,
      output.conflict_height, output.credit_refund_id is not null as is_credit, (select day_per_kvb from recent_day_fee) as day_fee_per_kvb
    from order_addresses issued
    left join payment_outputs output on output.order_id = issued.order_id
    where issued.order_id = any(${orderIds}::uuid[])
    order by output.first_seen, output.txid, output.vout
  `,
);

/**
 * Reads addresses, outputs, tip and fees of several orders in one statement, so in one snapshot.
 */
export async function readLedgers(db: Db, orderIds: readonly string[]): Promise<LedgersRead> {
  const { rows } = await selectLedgers(db, { orderIds });
  const ledgers = new Map<string, OrderLedgerRow>();
  for (const row of rows) {
    const ledger = ledgers.get(row.order_id) ?? { address: row.address, outputs: [] };
    ledgers.set(row.order_id, ledger);
    if (row.txid === null) continue;
    ledger.outputs.push({
      txid: row.txid,
      vout: row.vout,
      amountSats: sats(row.amount_sats),
      isCoinbase: row.is_coinbase,
      isLive: row.is_live,
      height: row.height,
      firstSeen: row.first_seen,
      arrivedAfter: row.arrived_after,
      confirmedAt: row.confirmed_at,
      feePerKvb: row.fee_per_kvb,
      leftBecause: row.left_because,
      leftAt: row.left_at,
      conflictHeight: row.conflict_height,
      isCredit: row.is_credit,
    });
  }
  const [{ tip, day_fee_per_kvb: dayFeePerKvb } = NO_ROW] = rows;
  return { tip: tip === null ? null : { height: tip }, ledgers, dayFeePerKvb };
}

/** The newest block, its timestamp, and when the ledger last equalled the source. */
export async function readChainTip(db: Db) {
  const { rows } = await sql<{ height: number; revision: number; tipAt: Date | null; reconciledAt: Date | null }>`
    select cursor.height, cursor.revision, block.time as "tipAt", cursor.reconciled_at as "reconciledAt"
    from chain_cursor cursor left join chain_blocks block on block.height = cursor.height
  `.execute(db);
  return rows[0] ?? null;
}

/** The ledger in PostgreSQL, for chain sync. */
export function createLedgerStore(db: Db): LedgerStore<Db> {
  return {
    runTransaction: (work) => transact(db, (tx) => work(createLedgerTransaction(tx), tx)),
    async readCursor() {
      const { rows } = await sql<ChainCursor>`
        select network, height, encode(hash, 'hex') as hash, revision, reconciled_at as "reconciledAt" from chain_cursor
      `.execute(db);
      return rows[0] ?? null;
    },
    async findHashAt(height) {
      const { rows } = await sql<{ hash: string }>`
        select encode(hash, 'hex') as hash from chain_blocks where height = ${height}
      `.execute(db);
      return rows[0]?.hash ?? null;
    },
    async listScriptsSince(mark) {
      // Rows older than every running transaction are already visible or never will be.
      const since = sql`${mark ?? '0'}::xid8`;
      const { rows } = await sql<{ horizon: string; script: Buffer | null; recipientId: string }>`
        select pg_snapshot_xmin(pg_current_snapshot())::text as horizon, issued.script, issued.id as "recipientId"
        from (select) one left join (
          select script, order_id as id from order_addresses where issued_in >= ${since}
          union all
          -- A refund to an order's address does not change the outputs of that order.
          select script, id from refund_scripts refund
          where issued_in >= ${since} and not exists (select from order_addresses own where own.script = refund.script)
        ) issued on true
      `.execute(db);
      const scripts = rows.flatMap(({ script, recipientId }) =>
        script === null ? [] : { script, scriptHex: script.toString('hex'), recipientId },
      );
      return { scripts, mark: rows[0]?.horizon ?? mark };
    },
    async findOldestIssue() {
      const { rows } = await sql<{ at: Date | null }>`select min(issued_at) as at from order_addresses`.execute(db);
      return rows[0]?.at ?? null;
    },
    isQuietAbove: async (height) => (await listRecipientsAbove(db, height)).length === 0,
    async listPendingAbove(height) {
      const { rows } = await sql<{ txid: string; rawTx: Buffer; rawAncestors: Buffer[] }>`
        select distinct on (txid) encode(txid, 'hex') as txid, raw_tx as "rawTx", raw_ancestors as "rawAncestors"
        from payment_outputs
        where is_live and not is_coinbase and (height is null or height > ${height})
        order by txid, octet_length(raw_tx) desc
      `.execute(db);
      return rows;
    },
    async listLeftAbove(height) {
      const { rows } = await sql<{ txid: string; rawTx: Buffer; rawAncestors: Buffer[] }>`
        select encode(txid, 'hex') as txid, raw_tx as "rawTx", raw_ancestors as "rawAncestors"
        from payment_outputs
        where not is_live and not is_coinbase and octet_length(raw_tx) > 0
          and (conflict_height is null or conflict_height > ${height})
        order by left_at desc limit ${MAX_LEFT}
      `.execute(db);
      return rows;
    },
  };
}

/** Runs a statement that returns outputs; returns their distinct recipients. */
async function listChangedRecipients(db: Db, statement: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with touched as (${statement}) select distinct coalesce(order_id, refund_script_id) as id from touched
  `.execute(db);
  return rows.map(({ id }) => id);
}

function listRecipientsAbove(db: Db, height: number): Promise<string[]> {
  return listChangedRecipients(
    db,
    sql`
      select order_id, refund_script_id from payment_outputs where is_live and (height is null or height > ${height})
      union all
      select order_id, refund_script_id from payment_outputs where conflict_height > ${height}
    `,
  );
}

const toFirstSeenColumns = ({ firstSeen, arrivedAfter }: FirstSeenRange) => ({
  first_seen: firstSeen,
  arrived_after: arrivedAfter,
});

/** Writes found outputs, confirmed or not. Returns the recipients of new or changed ones. */
async function upsertOutputs(
  tx: Db,
  outputs: readonly (FoundOutput & Partial<MempoolOutput>)[],
  block: ChainBlock | null,
  arrival: FirstSeenRange,
): Promise<string[]> {
  const live = {
    is_live: true,
    left_because: null,
    left_at: null,
    conflict_txid: null,
    conflict_height: null,
  } as const;
  const place = { height: block?.height ?? null, block_hash: block === null ? null : decodeHex(block.hash) };
  // The first block counts even if a reorganization removed it.
  const confirmed = sql<Date | null>`coalesce(payment_outputs.confirmed_at, excluded.confirmed_at)`;
  // A transaction may pay an address thousands of times as an attack: store its raw bytes once.
  const written = new Set<string>();
  const takeBytes = ({ txid, rawTx, rawAncestors = [] }: (typeof outputs)[number]) => {
    if (written.has(txid)) return EMPTY_RAW;
    written.add(txid);
    return { raw_tx: Buffer.from(rawTx), raw_ancestors: rawAncestors.map((raw) => Buffer.from(raw)) };
  };
  const rows = (await selectRelevantOutputs(tx, outputs)).map((output) => ({
    txid: decodeHex(output.txid),
    vout: output.vout,
    order_id: output.order_id,
    refund_script_id: output.refund_script_id,
    amount_sats: output.amountSats,
    is_coinbase: output.isCoinbase,
    ...live,
    ...place,
    ...toFirstSeenColumns(output.firstSeenRange ?? arrival),
    confirmed_at: block?.time ?? null,
    fee_per_kvb: output.feePerKvb ?? null,
    ...takeBytes(output),
  }));
  const recipientIds: string[] = [];
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const changed = await tx
      .$extendTables<Tables>()
      .insertInto('payment_outputs')
      .values(rows.slice(start, start + ROWS_AT_ONCE))
      .onConflict((known) => {
        const columns = known.columns(['txid', 'vout']);
        const found = { ...live, ...place, confirmed_at: confirmed };
        if (block !== null) return columns.doUpdateSet(found);
        // A live output in the mempool is unchanged, unless its ancestors are unconfirmed again.
        return columns.doUpdateSet({ ...found, raw_ancestors: ANCESTORS }).where(IS_CHANGED);
      })
      .returning(sql<string>`coalesce(order_id, refund_script_id)`.as('id'))
      .execute();
    recipientIds.push(...changed.map(({ id }) => id));
  }
  return recipientIds;
}

function createLedgerTransaction(tx: Db): LedgerTransaction {
  return {
    async start(network, { height, hash, time }) {
      const { rows } = await sql`
        insert into chain_cursor (network, height, hash) values (${network}, ${height}, ${decodeHex(hash)})
        on conflict do nothing returning height
      `.execute(tx);
      if (rows.length === 0) return false;
      const block = sql`insert into chain_blocks (height, hash, time) values (${height}, ${decodeHex(hash)}, ${time})`;
      await block.execute(tx);
      return true;
    },
    async moveCursor(revision, { height, hash, reconciledAt }) {
      const { rows } = await sql`
        update chain_cursor
        set height = ${height}, hash = ${decodeHex(hash)}, revision = revision + 1,
          reconciled_at = coalesce(${reconciledAt ?? null}, reconciled_at)
        where revision = ${revision}
        returning height
      `.execute(tx);
      return rows.length > 0;
    },
    async removeBlocksAbove(height, at) {
      await sql`delete from chain_blocks where height > ${height}`.execute(tx);
      const freed = await listChangedRecipients(
        tx,
        sql`
          update payment_outputs lost set conflict_txid = null, conflict_height = null
          where conflict_height > ${height} returning order_id, refund_script_id
        `,
      );
      const undone = await listChangedRecipients(
        tx,
        sql`
          update payment_outputs
          set height = null, block_hash = null, is_live = not is_coinbase,
            left_because = case when is_coinbase then 'dropped' end, left_at = case when is_coinbase then ${at}::timestamptz end
          where height > ${height}
          returning order_id, refund_script_id
        `,
      );
      return [...freed, ...undone];
    },
    async addBlocks(blocks) {
      await sql`
        insert into chain_blocks (height, hash, time)
        select * from unnest(${blocks.map(({ height }) => height)}::integer[],
          ${blocks.map(({ hash }) => decodeHex(hash))}::bytea[], ${blocks.map(({ time }) => time)}::timestamptz[])
        on conflict (height) do update set hash = excluded.hash, time = excluded.time
      `.execute(tx);
      await sql`delete from chain_blocks where height < ${(blocks.at(-1)?.height ?? 0) - BLOCKS_KEPT}`.execute(tx);
    },
    addBlockOutputs: (outputs, block, firstSeen, arrivedAfter = null) =>
      upsertOutputs(tx, outputs, block, { firstSeen, arrivedAfter }),
    addMempoolOutputs: (outputs, firstSeen) => upsertOutputs(tx, outputs, null, { firstSeen, arrivedAfter: null }),
    markLeft: (left, at) =>
      listChangedRecipients(
        tx,
        sql`
          update payment_outputs output
          set is_live = false, left_because = removed.because, left_at = ${at}
          from unnest(${left.map(({ txid }) => decodeHex(txid))}::bytea[], ${left.map(({ because }) => because)}::text[])
            removed (txid, because)
          where output.txid = removed.txid and output.is_live and output.height is null
          returning output.order_id, output.refund_script_id
        `,
      ),
    markConflicts: (conflicts, height) =>
      listChangedRecipients(
        tx,
        sql`
          update payment_outputs lost set conflict_txid = other.txid, conflict_height = ${height}
          from unnest(${conflicts.map(({ txid }) => decodeHex(txid))}::bytea[], ${conflicts.map(({ by }) => decodeHex(by))}::bytea[])
            other (payment, txid)
          where lost.txid = other.payment and not lost.is_live
          returning lost.order_id, lost.refund_script_id
        `,
      ),
    listRecipientsAbove: (height) => listRecipientsAbove(tx, height),
  };
}

/**
 * Whether a payment or refund in the ledger has fewer confirmations than this. Ignores mining
 * rewards.
 */
export async function hasShallowOutputs(db: Db, confirmations: number): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from payment_outputs
      where is_live and not is_coinbase
        and (height is null or height > (select height from chain_cursor) - ${confirmations}::integer)
    ) as found
  `.execute(db);
  return rows[0]?.found === true;
}
