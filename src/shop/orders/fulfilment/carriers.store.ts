import { sql } from 'kysely';
import { isUniqueViolation } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';

export interface Carrier {
  readonly id: string;
  readonly name: string;
  /** Empty: no link. */
  readonly url_pattern: string;
}

export type CarrierFields = Omit<Carrier, 'id'>;

/** By name. */
export async function listCarriers(db: Db): Promise<readonly Carrier[]> {
  const { rows } = await sql<Carrier>`select id, name, url_pattern from carriers order by lower(name)`.execute(db);
  return rows;
}

export async function findCarrier(db: Db, id: string): Promise<Carrier | null> {
  const { rows } = await sql<Carrier>`select id, name, url_pattern from carriers where id = ${id}`.execute(db);
  return rows[0] ?? null;
}

export async function lockCarrier(tx: Db, id: string): Promise<Carrier | null> {
  const { rows } = await sql<Carrier>`
    select id, name, url_pattern from carriers where id = ${id} for update
  `.execute(tx);
  return rows[0] ?? null;
}

export async function insertCarrier(tx: Db, { id, name, url_pattern: pattern }: Carrier): Promise<void> {
  await sql`insert into carriers (id, name, url_pattern) values (${id}, ${name}, ${pattern})`.execute(tx);
}

export async function updateCarrier(tx: Db, { id, name, url_pattern: pattern }: Carrier): Promise<void> {
  await sql`update carriers set name = ${name}, url_pattern = ${pattern} where id = ${id}`.execute(tx);
}

export async function deleteCarrier(tx: Db, id: string): Promise<void> {
  await sql`delete from carriers where id = ${id}`.execute(tx);
}

/** Violation of the constraint that carriers have different names. */
export const isNameTaken = (error: unknown): boolean => isUniqueViolation(error, 'carriers_by_name');
