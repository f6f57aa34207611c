import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
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
}

/** Entries whose details have words that begin with these, or the id of whose subject begins with the text. */
function toTextCondition(text: string) {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const prefix = `${text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const query = words.map((word) => `'${word}':*`).join(' & ');
  return sql`e.id in (
    select entry_id from audit_details where to_audit_words(details) @@ to_tsquery('simple', ${query})
    union all select id from audit_entries where lower(subject_id) like ${prefix}
  )`;
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
    and ${filter.text === undefined ? sql`true` : toTextCondition(filter.text)}
  `;
}

/** The newest first. */
export async function listEntries(
  db: Db,
  filter: AuditFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly entries: readonly AuditEntry[]; readonly total: number }> {
  const condition = toCondition(filter);
  const [found, counted] = await Promise.all([
    sql<EntryRow>`
      select e.*, d.details::json as parsed
      from (
        select * from audit_entries e where ${condition} order by e.id desc limit ${page.limit} offset ${page.offset}
      ) e left join audit_details d on d.entry_id = e.id
      order by e.id desc
    `.execute(db),
    sql<{ total: number }>`select count(*)::integer as total from audit_entries e where ${condition}`.execute(db),
  ]);
  return { entries: found.rows.map(toEntry), total: counted.rows[0]?.total ?? 0 };
}

/** Entries that match, the oldest first, after an id. For exports and timelines. */
export async function readEntriesAfter(
  db: Db,
  filter: AuditFilter,
  after: bigint,
  limit: number,
): Promise<readonly AuditEntry[]> {
  const { rows } = await sql<EntryRow>`
    select e.*, d.details::json as parsed from audit_entries e left join audit_details d on d.entry_id = e.id
    where e.id > ${after} and ${toCondition(filter)} order by e.id limit ${limit}
  `.execute(db);
  return rows.map(toEntry);
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
