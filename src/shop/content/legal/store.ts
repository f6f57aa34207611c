import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { LegalKind } from './legal-kind.ts';

export interface DraftRow {
  readonly summary: string;
  readonly markdown: string;
  readonly version: number;
  readonly updatedAt: Date;
  readonly updatedBy: string | null;
}

export interface VersionRow {
  readonly number: number;
  readonly summary: string;
  readonly markdown: string;
  readonly publishedAt: Date;
  readonly publishedBy: string | null;
}

interface DraftsTable {
  kind: LegalKind;
  summary: string;
  markdown: string;
  version: number;
  updated_at: Date;
  updated_by: string | null;
}

interface VersionsTable {
  kind: LegalKind;
  number: number;
  summary: string;
  markdown: string;
  published_at: Date;
  published_by: string | null;
}

const tables = (db: Db) => db.$extendTables<{ legal_drafts: DraftsTable; legal_versions: VersionsTable }>();
const VERSION = [
  'number',
  'summary',
  'markdown',
  'published_at as publishedAt',
  'published_by as publishedBy',
] as const;

/** The newest version of each text. */
export function loadPublished(db: Db): Promise<readonly (VersionRow & { readonly kind: LegalKind })[]> {
  return tables(db)
    .selectFrom('legal_versions')
    .distinctOn('kind')
    .select(['kind', ...VERSION])
    .orderBy('kind')
    .orderBy('number', 'desc')
    .execute();
}

/** Without their texts, newest first. */
export function listVersions(
  db: Db,
  kind: LegalKind,
): Promise<readonly Pick<VersionRow, 'number' | 'publishedAt' | 'publishedBy'>[]> {
  return tables(db)
    .selectFrom('legal_versions')
    .select(['number', 'published_at as publishedAt', 'published_by as publishedBy'])
    .where('kind', '=', kind)
    .orderBy('number', 'desc')
    .limit(200)
    .execute();
}

export async function findVersion(db: Db, kind: LegalKind, number: number): Promise<VersionRow | null> {
  const found = tables(db).selectFrom('legal_versions').select(VERSION).where('kind', '=', kind);
  return (await found.where('number', '=', number).executeTakeFirst()) ?? null;
}

export async function findNewest(db: Db, kind: LegalKind): Promise<VersionRow | null> {
  const found = tables(db).selectFrom('legal_versions').select(VERSION).where('kind', '=', kind);
  return (await found.orderBy('number', 'desc').limit(1).executeTakeFirst()) ?? null;
}

export async function findNewestNumber(db: Db, kind: LegalKind): Promise<number | null> {
  const newest = tables(db).selectFrom('legal_versions').select('number').where('kind', '=', kind);
  return (await newest.orderBy('number', 'desc').limit(1).executeTakeFirst())?.number ?? null;
}

const selectDraft = (db: Db, kind: LegalKind) =>
  tables(db)
    .selectFrom('legal_drafts')
    .select(['summary', 'markdown', 'version', 'updated_at as updatedAt', 'updated_by as updatedBy'])
    .where('kind', '=', kind);

export async function findDraft(db: Db, kind: LegalKind): Promise<DraftRow | null> {
  return (await selectDraft(db, kind).executeTakeFirst()) ?? null;
}

/** The draft, locked until the transaction ends. */
export async function lockDraft(tx: Db, kind: LegalKind): Promise<DraftRow | null> {
  return (await selectDraft(tx, kind).forUpdate().executeTakeFirst()) ?? null;
}

export interface DraftChange {
  readonly kind: LegalKind;
  readonly summary: string;
  readonly markdown: string;
  /** The version that is changed; 0 if there is no draft. */
  readonly version: number;
  readonly at: Date;
  readonly by: string;
}

/** False if the draft has another version. */
export async function saveDraft(tx: Db, change: DraftChange): Promise<boolean> {
  const { kind, summary, markdown, version, at, by } = change;
  const { rows } =
    version === 0
      ? await sql`
          insert into legal_drafts (kind, summary, markdown, version, updated_at, updated_by)
          values (${kind}, ${summary}, ${markdown}, 1, ${at}, ${by})
          on conflict (kind) do nothing
          returning version
        `.execute(tx)
      : await sql`
          update legal_drafts
          set summary = ${summary}, markdown = ${markdown}, version = version + 1, updated_at = ${at}, updated_by = ${by}
          where kind = ${kind} and version = ${version}
          returning version
        `.execute(tx);
  return rows.length > 0;
}

/** Call with the draft locked, so that numbers are consecutive. */
export async function insertVersion(
  tx: Db,
  kind: LegalKind,
  { summary, markdown }: Pick<DraftRow, 'summary' | 'markdown'>,
  published: { readonly at: Date; readonly by: string },
): Promise<void> {
  await sql`
    insert into legal_versions (kind, number, summary, markdown, published_at, published_by)
    select ${kind}, coalesce(max(number), 0) + 1, ${summary}, ${markdown}, ${published.at}, ${published.by}
    from legal_versions where kind = ${kind}
  `.execute(tx);
}
