/** Counts and checksums of all tables, and the sequences, to compare a database with its copy. */
import { sql } from 'kysely';
import type { Db } from './database.ts';

/** A line of text for each table and sequence, by name. */
export type DatabaseSummary = ReadonlyMap<string, string>;

/**
 * The order of rows does not matter. Transaction ids are left out: they are valid in one database only.
 * @param tx a transaction
 */
export async function summarizeDatabase(tx: Db): Promise<DatabaseSummary> {
  // The text of a value depends on these settings.
  await sql`
    select set_config('statement_timeout', '0', true), set_config('timezone', 'UTC', true),
      set_config('bytea_output', 'hex', true), set_config('intervalstyle', 'postgres', true),
      set_config('extra_float_digits', '1', true)
  `.execute(tx);
  const summary = new Map<string, string>();
  const { rows: tables } = await sql<{ name: string; left: string[] }>`
    select c.relname::text as name, array(
      select attname::text from pg_attribute
      where attrelid = c.oid and attnum > 0 and atttypid = 'xid8'::regtype) as left
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind = 'r' and c.relname <> 'schema_migrations'
    order by 1
  `.execute(tx);
  for (const { name, left } of tables) {
    const { rows } = await sql<{ line: string }>`
      select count(*) || ' rows, checksum ' ||
        coalesce(sum(('x' || substr(md5(line), 1, 15))::bit(60)::bigint), 0) as line
      from (select (to_jsonb(stored) - ${left}::text[])::text as line from ${sql.id('public', name)} stored) one
    `.execute(tx);
    summary.set(`table ${name}`, rows[0]?.line ?? '');
  }
  const { rows: sequences } = await sql<{ name: string }>`
    select sequencename::text as name from pg_sequences where schemaname = 'public' order by 1
  `.execute(tx);
  for (const { name } of sequences) {
    const { rows } = await sql<{ line: string }>`
      select last_value || ' ' || is_called as line from ${sql.id('public', name)}
    `.execute(tx);
    summary.set(`sequence ${name}`, rows[0]?.line ?? '');
  }
  return summary;
}

/** The names of tables and sequences that differ. */
export const findDifferences = (one: DatabaseSummary, other: DatabaseSummary): string[] =>
  [...new Set([...one.keys(), ...other.keys()])].filter((name) => one.get(name) !== other.get(name));
