/**
 * Modifies the store's statements on their way to the database: the simulations must detect each
 * bug.
 */
import assert from 'node:assert/strict';
import type { Pool } from 'pg';

export interface SqlBug {
  readonly name: string;
  /** Matches the statements to change. */
  readonly statement: RegExp;
  readonly part: string | RegExp;
  readonly instead: string;
}

const OUTPUTS_UPSERT = /insert into "payment_outputs"/;

export const sqlBugs: readonly SqlBug[] = [
  {
    name: 'an output that leaves the mempool removes a confirmed one',
    statement: /update payment_outputs output/,
    part: 'where output.txid = removed.txid and output.is_live and output.height is null',
    instead: 'where output.is_live and output.height is null',
  },
  {
    name: 'an output that returns stays removed',
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
    name: 'the block overwrites the time first seen',
    statement: OUTPUTS_UPSERT,
    part: 'do update set',
    instead: 'do update set "first_seen" = "excluded"."first_seen",',
  },
  {
    name: 'a confirmation is not reported as a change',
    statement: /insert into "payment_outputs"(?!.* where )/,
    part: ' returning ',
    instead: ' where "payment_outputs"."height" is not null returning ',
  },
  {
    name: 'the cursor moves without a revision check',
    statement: /update chain_cursor/,
    part: /where revision = (\$\d+)/,
    instead: 'where revision >= 0 * $1::integer',
  },
  {
    name: 'a reorganisation keeps its lowest block',
    statement: /update payment_outputs\s+set height = null/,
    part: /where height > (\$\d+)/,
    instead: 'where height > 1 + $1::integer',
  },
  {
    name: 'a reorganised coinbase output stays live',
    statement: /update payment_outputs\s+set height = null/,
    part: 'is_live = not is_coinbase',
    instead: 'is_live = true',
  },
  {
    name: 'a block does not reconcile orders without new payments',
    statement: /select order_id, refund_script_id from payment_outputs where is_live/,
    part: /$/,
    instead: ' where false',
  },
  {
    name: 'only one of several orders is reconciled',
    statement: /from "orders" where id = any\(.* order by "id" for no key update/,
    part: 'for no key update',
    instead: 'limit 1 for no key update',
  },
  {
    name: 'the last issued address is not watched',
    statement: /pg_snapshot_xmin[\s\S]*order_addresses/,
    part: 'order_addresses where issued_in >= ',
    instead: 'order_addresses where issued_in > ',
  },
  {
    name: 'refund addresses are not watched',
    statement: /pg_snapshot_xmin[\s\S]*order_addresses/,
    part: 'and not exists',
    instead: 'and exists',
  },
  {
    name: 'outputs of a refund are not recorded',
    statement: /from refund_scripts script where id = any/,
    part: 'array(select amount_sats from',
    instead: 'array(select amount_sats + 1 from',
  },
  {
    name: 'stock of an expired order is not released',
    statement: /update variant_stock stock set available = stock.available \+/,
    part: '+ requested.quantity',
    instead: '+ 0 * requested.quantity',
  },
  {
    name: 'an order expires within its payment window',
    statement: /from "orders" where "is_open" = .* and "expires_at" <=/,
    part: 'and "expires_at" <=',
    instead: 'and "expires_at" >=',
  },
];

/** Installs the bug in new connections of the pool. Returns whether a statement was changed. */
export function injectBug(pool: Pool, { statement, part, instead }: SqlBug): () => boolean {
  let isInjected = false;
  const inject = (text: string): string => {
    if (!statement.test(text)) return text;
    const changed = text.replace(part, instead);
    assert.notEqual(changed, text, 'the statement has changed: update the bug');
    isInjected = true;
    return changed;
  };
  /** A statement is a text, or a prepared one with its name. */
  const change = (sent: unknown): unknown => {
    if (typeof sent === 'string') return inject(sent);
    const isPrepared = typeof sent === 'object' && sent !== null && 'text' in sent && typeof sent.text === 'string';
    return isPrepared ? { ...sent, text: inject(String(sent.text)) } : sent;
  };
  pool.on('connect', (client) => {
    const send = client.query.bind(client);
    const query = (sent: unknown, ...more: readonly unknown[]): unknown =>
      Reflect.apply(send, client, [change(sent), ...more]);
    Object.assign(client, { query });
  });
  return () => isInjected;
}
