/**
 * Modifies the store's statements on their way to the database: the simulations must detect each
 * bug.
 */
import assert from 'node:assert/strict';
import type { Pool } from 'pg';

export interface SqlBug {
  readonly name: string;
  /** Of the statements that are meant. */
  readonly statement: RegExp;
  readonly part: string | RegExp;
  readonly instead: string;
}

const OUTPUTS_UPSERT = /insert into "payment_outputs"/;

export const sqlBugs: readonly SqlBug[] = [
  {
    name: 'an output that leaves takes one in a block along',
    statement: /update payment_outputs output/,
    part: 'where output.txid = gone.txid and output.is_live and output.height is null',
    instead: 'where output.is_live and output.height is null',
  },
  {
    name: 'an output that comes back stays gone',
    statement: OUTPUTS_UPSERT,
    part: /"is_live" = (\$\d+)/,
    instead: '"is_live" = ($1 and "payment_outputs"."is_live")',
  },
  {
    name: 'an output seen again counts twice',
    statement: OUTPUTS_UPSERT,
    part: 'do update set',
    instead: 'do update set "amount_sats" = "payment_outputs"."amount_sats" * 2,',
  },
  {
    name: 'first seen is overwritten by the block',
    statement: OUTPUTS_UPSERT,
    part: 'do update set',
    instead: 'do update set "first_seen" = "excluded"."first_seen",',
  },
  {
    name: 'what a block holds is not news of what the mempool held',
    statement: /insert into "payment_outputs"(?!.* where )/,
    part: ' returning ',
    instead: ' where "payment_outputs"."height" is not null returning ',
  },
  {
    name: 'the cursor is moved without comparing',
    statement: /update chain_cursor/,
    part: /where revision = (\$\d+)/,
    instead: 'where revision >= 0 * $1::integer',
  },
  {
    name: 'a reorganisation leaves its lowest block',
    statement: /update payment_outputs\s+set height = null/,
    part: /where height > (\$\d+)/,
    instead: 'where height > 1 + $1::integer',
  },
  {
    name: 'a reorganised reward of a miner stays',
    statement: /update payment_outputs\s+set height = null/,
    part: 'is_live = not is_coinbase',
    instead: 'is_live = true',
  },
  {
    name: 'an order without news is not settled by a block',
    statement: /select order_id, refund_script_id from payment_outputs where is_live/,
    part: /$/,
    instead: ' where false',
  },
  {
    name: 'of several orders one is settled',
    statement: /from "orders" where "id" in .* order by "id" for no key update/,
    part: 'for no key update',
    instead: 'limit 1 for no key update',
  },
  {
    name: 'the address issued last is not watched',
    statement: /pg_snapshot_xmin/,
    part: 'order_addresses where issued_in >= ',
    instead: 'order_addresses where issued_in > ',
  },
  {
    name: 'where a refund goes is not watched',
    statement: /pg_snapshot_xmin/,
    part: 'and not exists',
    instead: 'and exists',
  },
  {
    name: 'of what a refund asks for nothing is recorded',
    statement: /from refund_scripts script where id = any/,
    part: 'array(select amount_sats from',
    instead: 'array(select amount_sats + 1 from',
  },
  {
    name: 'what an expired order held is not there for others',
    statement: /update product_stock stock set available = stock.available \+/,
    part: '+ requested.quantity',
    instead: '+ 0 * requested.quantity',
  },
  {
    name: 'an order expires though its window is open',
    statement: /from "orders" where "is_open" = .* and "expires_at" <=/,
    part: 'and "expires_at" <=',
    instead: 'and "expires_at" >=',
  },
];

/** Installs the bug in new connections of the pool. Returns whether a statement was changed. */
export function injectBug(pool: Pool, { statement, part, instead }: SqlBug): () => boolean {
  let isPlanted = false;
  const bend = (text: string): string => {
    if (!statement.test(text)) return text;
    const bent = text.replace(part, instead);
    assert.notEqual(bent, text, 'the statement has changed: plant the bug anew');
    isPlanted = true;
    return bent;
  };
  pool.on('connect', (client) => {
    const send = client.query.bind(client);
    const bent = (text: unknown, ...more: readonly unknown[]): unknown =>
      Reflect.apply(send, client, [typeof text === 'string' ? bend(text) : text, ...more]);
    Object.assign(client, { query: bent });
  });
  return () => isPlanted;
}
