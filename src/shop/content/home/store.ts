import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

interface SectionsTable {
  name: string;
  body: unknown;
  is_shown: boolean;
  version: number;
  updated_at: Date;
  updated_by: string | null;
}

/** A section as stored; its body is not validated. */
export interface SectionRow {
  readonly name: string;
  readonly body: unknown;
  readonly isShown: boolean;
  readonly version: number;
  readonly updatedAt: Date;
  readonly updatedBy: string | null;
}

const tables = (db: Db) => db.$extendTables<{ content_sections: SectionsTable }>();

export function loadSections(db: Db): Promise<readonly SectionRow[]> {
  return tables(db)
    .selectFrom('content_sections')
    .select(['name', 'body', 'version', 'is_shown as isShown', 'updated_at as updatedAt', 'updated_by as updatedBy'])
    .execute();
}

export interface SectionChange {
  readonly name: string;
  readonly body: object;
  readonly isShown: boolean;
  /** The version that is changed; 0 if the section is new. */
  readonly version: number;
  readonly at: Date;
  readonly by: string;
}

/** False if the section has another version. */
export async function saveSection(tx: Db, { name, body, isShown, version, at, by }: SectionChange): Promise<boolean> {
  const json = JSON.stringify(body);
  const { rows } =
    version === 0
      ? await sql`
          insert into content_sections (name, body, is_shown, version, updated_at, updated_by)
          values (${name}, ${json}::jsonb, ${isShown}, 1, ${at}, ${by})
          on conflict (name) do nothing
          returning version
        `.execute(tx)
      : await sql`
          update content_sections
          set body = ${json}::jsonb, is_shown = ${isShown}, version = version + 1, updated_at = ${at}, updated_by = ${by}
          where name = ${name} and version = ${version}
          returning version
        `.execute(tx);
  return rows.length > 0;
}
