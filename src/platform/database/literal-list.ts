import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/**
 * Constants for `in (…)`, written into the statement. As parameters they would hide from the planner
 * that a partial index fits.
 */
export const createLiteralList = <Value extends string>(values: readonly Value[]): RawBuilder<Value> =>
  sql.join<Value>(values.map((value) => sql.lit(value)));
