import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { executeCancellable } from '#src/platform/database/cancellable.ts';
import type { Db } from '#src/platform/database/database.ts';
import { PLANNED_EACH_TIME } from '#src/platform/database/prepared-statements.ts';
import { createWordQuery } from '#src/platform/database/word-query.ts';
import { MAX_COUNTED } from '#src/shop/counted-list.ts';
import type { ActorKind } from './actor.ts';
import { auditSubjectKinds, toHashedText } from './audit-entry.ts';
import type { AuditDetails, AuditEntry, AuditSubject, AuditSubjectKind, HashedEntry } from './audit-entry.ts';

export interface NewEntry {
  readonly at: Date;
  readonly actorKind: ActorKind;
  readonly actorId: string | null;
  readonly action: string;
  readonly subject: AuditSubject;
  readonly details: AuditDetails;
}

interface Head {
  readonly entry_id: bigint;
  readonly hash: Uint8Array;
}

const sha256 = (...parts: readonly (string | Uint8Array)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** Hash of an entry, from the fields that it covers. */
export const hashEntry = (entry: HashedEntry): Buffer => sha256(toHashedText(entry));

/** Appends entries in the order given. Locks the head until the transaction ends. */
export async function appendEntries(tx: Db, added: readonly NewEntry[]): Promise<void> {
  const { rows } = await sql<Head>`select entry_id, hash from audit_head for update`.execute(tx);
  let head = rows[0];
  if (head === undefined) throw new Error('the audit log has no head');
  const entries = added.map(({ details, ...entry }) => {
    const [salt, text] = [randomBytes(16), JSON.stringify(details)];
    const hashed: HashedEntry = {
      ...entry,
      id: (head?.entry_id ?? 0n) + 1n,
      detailsHash: sha256(salt, text),
      previousHash: head?.hash ?? new Uint8Array(32),
    };
    head = { entry_id: hashed.id, hash: hashEntry(hashed) };
    return { ...hashed, hash: head.hash, salt, text };
  });
  await sql`
    insert into audit_entries
      (id, at, actor_kind, actor_id, action, subject_kind, subject_id, details_hash, previous_hash, hash)
    select * from unnest(
      ${entries.map(({ id }) => id)}::bigint[], ${entries.map(({ at }) => at)}::timestamptz[],
      ${entries.map(({ actorKind }) => actorKind)}::text[], ${entries.map(({ actorId }) => actorId)}::uuid[],
      ${entries.map(({ action }) => action)}::text[], ${entries.map(({ subject }) => subject.kind)}::text[],
      ${entries.map(({ subject }) => subject.id)}::text[], ${entries.map(({ detailsHash }) => detailsHash)}::bytea[],
      ${entries.map(({ previousHash }) => previousHash)}::bytea[], ${entries.map(({ hash }) => hash)}::bytea[]
    )
  `.execute(tx);
  await sql`
    insert into audit_details (entry_id, salt, details)
    select * from unnest(
      ${entries.map(({ id }) => id)}::bigint[], ${entries.map(({ salt }) => salt)}::bytea[],
      ${entries.map(({ text }) => text)}::text[]
    )
  `.execute(tx);
  await sql`update audit_head set entry_id = ${head.entry_id}, hash = ${head.hash}`.execute(tx);
}

interface EntryRow {
  readonly id: bigint;
  readonly at: Date;
  readonly actor_kind: ActorKind;
  readonly actor_id: string | null;
  readonly action: string;
  readonly subject_kind: string;
  readonly subject_id: string;
  readonly details_hash: Uint8Array;
  readonly previous_hash: Uint8Array;
  readonly hash: Uint8Array;
  readonly parsed: AuditDetails | null;
}

interface CheckedRow extends EntryRow {
  readonly salt: Uint8Array | null;
  readonly details: string | null;
}

const isSubjectKind = (text: string): text is AuditSubjectKind => auditSubjectKinds.some((kind) => kind === text);

function toSubject({ subject_kind: kind, subject_id: id }: EntryRow): AuditSubject {
  if (!isSubjectKind(kind)) throw new Error(`unknown subject of an audit entry: ${kind}`);
  return { kind, id };
}

const toEntry = (row: EntryRow): AuditEntry => ({
  id: row.id,
  at: row.at,
  actorKind: row.actor_kind,
  actorId: row.actor_id,
  action: row.action,
  subject: toSubject(row),
  hash: row.hash,
  details: row.parsed,
});

export interface AuditFilter {
  readonly actorId?: string | undefined;
  readonly actorKind?: ActorKind | undefined;
  readonly action?: string | undefined;
  readonly subjectKind?: AuditSubjectKind | undefined;
  readonly subjectId?: string | undefined;
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly to?: Date | undefined;
  /** Beginnings of words of the details, or the beginning of the id of the subject. */
  readonly text?: string | undefined;
  /** Ids of subjects that the text names in another way, such as by number. Entries about them match too. */
  readonly numberedIds?: readonly string[] | undefined;
}

function toCondition(filter: AuditFilter) {
  return sql`
    ${filter.actorId === undefined ? sql`true` : sql`e.actor_id = ${filter.actorId}::uuid`}
    and ${filter.actorKind === undefined ? sql`true` : sql`e.actor_kind = ${filter.actorKind}`}
    and ${filter.action === undefined ? sql`true` : sql`e.action = ${filter.action}`}
    and ${filter.subjectKind === undefined ? sql`true` : sql`e.subject_kind = ${filter.subjectKind}`}
    and ${filter.subjectId === undefined ? sql`true` : sql`e.subject_id = ${filter.subjectId}`}
    and ${filter.from === undefined ? sql`true` : sql`e.at >= ${filter.from}`}
    and ${filter.to === undefined ? sql`true` : sql`e.at < ${filter.to}`}
  `;
}

/** Which entries of a filter, in which order. */
interface Window {
  readonly condition: RawBuilder<unknown>;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

/**
 * Selects the ids of the first entries of a filter. Those with a text have words that begin with its words, or
 * a subject whose id begins with it or is among the numbered ones: each by its own index.
 */
function selectIds(filter: AuditFilter, { condition, order, limit }: Window): RawBuilder<unknown> {
  const all = sql`${toCondition(filter)} and ${condition}`;
  const end = sql`order by e.id ${sql.raw(order)} limit ${limit}`;
  if (filter.text === undefined) return sql`select e.id from audit_entries e where ${all} ${end}`;
  const words = createWordQuery(filter.text);
  const prefix = `${filter.text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const numberedIds = filter.numberedIds ?? [];
  const byNumber = sql`
    (select e.id from audit_entries e where lower(e.subject_id) = any(${numberedIds}::text[]) and ${all} ${end})`;
  const byPrefix = sql`(select e.id from audit_entries e where lower(e.subject_id) like ${prefix} and ${all} ${end})`;
  const bySubject = numberedIds.length === 0 ? byPrefix : sql`${byPrefix} union ${byNumber}`;
  if (words === null) return bySubject;
  return sql`
    (select e.id from audit_details d join audit_entries e on e.id = d.entry_id
      where d.words @@ to_tsquery('simple', ${words}) and ${all} ${end})
    union ${bySubject}`;
}

/** The newest first. Of a filtered list at most `MAX_COUNTED` are counted and listed. */
export async function listEntries(
  db: Db,
  filter: AuditFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly entries: readonly AuditEntry[]; readonly total: number; readonly hasMore: boolean }> {
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const max = isFiltered ? MAX_COUNTED + 1 : Number.MAX_SAFE_INTEGER;
  const found = selectIds(filter, { condition: sql`true`, order: 'desc', limit: max });
  const { rows } = await sql<Omit<EntryRow, 'id'> & { readonly id: bigint | null; readonly matching: number }>`
    ${sql.raw(PLANNED_EACH_TIME)}
    with found as materialized (${found}),
    page as (
      select id from (select id from found order by id desc limit ${max - 1}) listed
      order by id desc limit ${page.limit} offset ${page.offset})
    select counted.matching, e.*, d.details::json as parsed
    from (select count(*)::integer as matching from found) counted
    left join (page join audit_entries e on e.id = page.id left join audit_details d on d.entry_id = e.id) on true
    order by e.id desc
  `.execute(db);
  const matching = rows[0]?.matching ?? 0;
  return {
    entries: rows.flatMap(({ id, ...row }) => (id === null ? [] : [toEntry({ ...row, id })])),
    total: Math.min(matching, max - 1),
    hasMore: matching >= max,
  };
}

/** The ids of all entries that match, the oldest first, packed (`int8send`). @param signal stops the query */
export async function listEntryIds(db: Db, filter: AuditFilter, signal?: AbortSignal): Promise<Buffer | null> {
  const found = selectIds(filter, { condition: sql`true`, order: 'asc', limit: Number.MAX_SAFE_INTEGER });
  const statement = sql<{ ids: Buffer | null }>`
    ${sql.raw(PLANNED_EACH_TIME)} select string_agg(int8send(id), ''::bytea order by id) as ids from (${found}) found`;
  return (await executeCancellable(db, statement, signal))[0]?.ids ?? null;
}

/** An entry as exports write it. */
export interface ExportedEntry {
  readonly id: bigint;
  readonly at: Date;
  readonly actorKind: ActorKind;
  readonly actorId: string | null;
  readonly action: string;
  readonly subjectKind: string;
  readonly subjectId: string;
  /** Hexadecimal. */
  readonly hash: string;
  /** Null: erased. */
  readonly details: AuditDetails | null;
}

/** The oldest first. */
export async function readEntries(db: Db, ids: readonly bigint[]): Promise<readonly ExportedEntry[]> {
  const { rows } = await sql<ExportedEntry>`
    select e.id, e.at, e.actor_kind as "actorKind", e.actor_id as "actorId", e.action, e.subject_kind as "subjectKind",
      e.subject_id as "subjectId", encode(e.hash, 'hex') as hash, d.details::json as details
    from audit_entries e left join audit_details d on d.entry_id = e.id
    where e.id = any(${ids}::bigint[]) order by e.id
  `.execute(db);
  return rows;
}

/** An entry with the hashes that a check compares. */
export interface CheckedEntry extends HashedEntry {
  readonly hash: Uint8Array;
  /** Whether the details have the recorded hash; null: erased. */
  readonly areDetailsIntact: boolean | null;
}

export async function readCheckedEntriesAfter(db: Db, after: bigint, limit: number): Promise<readonly CheckedEntry[]> {
  const { rows } = await sql<CheckedRow>`
    select e.*, null as parsed, d.salt, d.details from audit_entries e left join audit_details d on d.entry_id = e.id
    where e.id > ${after} order by e.id limit ${limit}
  `.execute(db);
  return rows.map((row) => ({
    id: row.id,
    at: row.at,
    actorKind: row.actor_kind,
    actorId: row.actor_id,
    action: row.action,
    subject: toSubject(row),
    detailsHash: row.details_hash,
    previousHash: row.previous_hash,
    hash: row.hash,
    areDetailsIntact:
      row.salt === null || row.details === null ? null : sha256(row.salt, row.details).equals(row.details_hash),
  }));
}

export async function readHead(db: Db): Promise<{ readonly entryId: bigint; readonly hash: Uint8Array }> {
  const { rows } = await sql<Head>`select entry_id, hash from audit_head`.execute(db);
  const head = rows[0];
  if (head === undefined) throw new Error('the audit log has no head');
  return { entryId: head.entry_id, hash: head.hash };
}

export async function hasHash(db: Db, hash: Uint8Array): Promise<boolean> {
  const { rows } = await sql`select from audit_entries where hash = ${hash}`.execute(db);
  return rows.length > 0;
}

/** Erases the details of entries by an account, and about it. */
export async function eraseDetailsOf(tx: Db, userId: string): Promise<void> {
  await sql`
    delete from audit_details using audit_entries e
    where entry_id = e.id and (e.actor_id = ${userId}::uuid or (e.subject_kind = 'account' and e.subject_id = ${userId}))
  `.execute(tx);
}

/** Erases the details of entries about subjects of one kind. */
export async function eraseDetailsAbout(tx: Db, kind: AuditSubjectKind, ids: readonly string[]): Promise<void> {
  await sql`
    delete from audit_details using audit_entries e
    where entry_id = e.id and e.subject_kind = ${kind} and e.subject_id = any(${ids}::text[])
  `.execute(tx);
}
