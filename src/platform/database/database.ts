import type { Kysely } from 'kysely';

/**
 * A connection pool or one transaction on it; what the stores take. Each store names its own tables with
 * `db.withTables<…>()`. int8 arrives as bigint, timestamptz as Date, bytea as Buffer.
 */
export type Db = Kysely<Record<never, never>>;
