/** Numbers of units that arrived with a return. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

/** @param numbers that are not counted in this return yet */
export async function insertArrived(tx: Db, id: string, position: number, numbers: readonly string[]): Promise<void> {
  await sql`
    insert into return_serials (return_id, position, number)
    select ${id}::uuid, ${position}::integer, number from unnest(${numbers}::text[]) as arrived (number)
  `.execute(tx);
}

export async function deleteArrived(tx: Db, id: string, position: number, numbers: readonly string[]): Promise<void> {
  await sql`
    delete from return_serials
    where return_id = ${id} and position = ${position} and number = any(${numbers}::text[])
  `.execute(tx);
}

/** Records which units of a line the buyer gets back. */
export async function writeSentBack(tx: Db, id: string, position: number, numbers: readonly string[]): Promise<void> {
  await sql`
    update return_serials set is_sent_back = number = any(${numbers}::text[])
    where return_id = ${id} and position = ${position}
  `.execute(tx);
}
