import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { executeCancellable } from '#src/platform/database/cancellable.ts';
import type { Db } from '#src/platform/database/database.ts';
import { createWordQuery } from '#src/platform/database/word-query.ts';
import { MAX_COUNTED } from '#src/shop/counted-list.ts';
import type { ActorKind } from './actor.ts';
import { auditSubjectKinds, toHashedText } from './audit-entry.ts';
import type { ChangedFields } from './changed-fields.ts';
import type { AuditDetails, AuditEntry, AuditSubject, AuditSubjectKind, HashedEntry } from './audit-entry.ts';
import { foldText } from '#src/shop/fold-text.ts';

export interface NewEntry {
  readonly at: Date;
  readonly actorKind: ActorKind;
  readonly actorId: string | null;
  readonly action: string;
  readonly subject: AuditSubject;
  /** Of the document after the change. */
  readonly documentVersion: number | null;
  readonly details: AuditDetails;
  /** The changed fields are data of a customer, who may have them erased. */
  readonly hasCustomerData: boolean;
}

/** Somebody whose version is older than that many changes is not shown all of them. */
const MAX_DOCUMENT_CHANGES = 100;

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
  const entries = added.map(({ details: whole, hasCustomerData, ...entry }) => {
    const customer = hasCustomerData ? sealFields(whole) : null;
    const details = customer ? { ...whole, before: null, after: null, customerHash: customer.hash } : whole;
    const [salt, text] = [randomBytes(16), JSON.stringify(details)];
    const hashed = {
      ...entry,
      id: (head?.entry_id ?? 0n) + 1n,
      detailsHash: sha256(salt, text),
      previousHash: head?.hash ?? new Uint8Array(32),
    } satisfies HashedEntry;
    head = { entry_id: hashed.id, hash: hashEntry(hashed) };
    return { ...hashed, hash: head.hash, salt, text, customer };
  });
  await sql`
    insert into audit_entries
      (id, at, actor_kind, actor_id, action, subject_kind, subject_id, details_hash, previous_hash, hash,
        document_version)
    select * from unnest(
      ${entries.map(({ id }) => id)}::bigint[], ${entries.map(({ at }) => at)}::timestamptz[],
      ${entries.map(({ actorKind }) => actorKind)}::text[], ${entries.map(({ actorId }) => actorId)}::uuid[],
      ${entries.map(({ action }) => action)}::text[], ${entries.map(({ subject }) => subject.kind)}::text[],
      ${entries.map(({ subject }) => subject.id)}::text[], ${entries.map(({ detailsHash }) => detailsHash)}::bytea[],
      ${entries.map(({ previousHash }) => previousHash)}::bytea[], ${entries.map(({ hash }) => hash)}::bytea[],
      ${entries.map(({ documentVersion }) => documentVersion)}::integer[]
    )
  `.execute(tx);
  await sql`
    insert into audit_details (entry_id, salt, details)
    select * from unnest(
      ${entries.map(({ id }) => id)}::bigint[], ${entries.map(({ salt }) => salt)}::bytea[],
      ${entries.map(({ text }) => text)}::text[]
    )
  `.execute(tx);
  const ofCustomers = entries.flatMap(({ id, customer }) => (customer === null ? [] : [{ id, ...customer }]));
  if (ofCustomers.length > 0) {
    await sql`
      insert into audit_customer_details (entry_id, salt, details)
      select * from unnest(
        ${ofCustomers.map(({ id }) => id)}::bigint[], ${ofCustomers.map(({ salt }) => salt)}::bytea[],
        ${ofCustomers.map(({ text }) => text)}::text[]
      )
    `.execute(tx);
  }
  await sql`update audit_head set entry_id = ${head.entry_id}, hash = ${head.hash}`.execute(tx);
}

/** The changed fields with a salt and their hash. */
function sealFields({ before, after }: ChangedFields): { salt: Buffer; text: string; hash: string } {
  const [salt, text] = [randomBytes(16), JSON.stringify({ before, after })];
  return { salt, text, hash: sha256(salt, text).toString('hex') };
}

/** The details with the fields that are stored apart. */
const join = (details: AuditDetails | null, fields: ChangedFields | null): AuditDetails | null =>
  details && { ...details, ...fields };

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
  /** Fields about a customer. */
  readonly fields: ChangedFields | null;
}

interface CheckedRow extends EntryRow {
  readonly salt: Uint8Array | null;
  readonly details: string | null;
  readonly customer_salt: Uint8Array | null;
  readonly customer_details: string | null;
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
  details: join(row.parsed, row.fields),
  areFieldsErased: row.parsed?.customerHash !== undefined && row.fields === null,
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
  /** Kinds of subjects whose details are not searched: the reader may not see them whole. */
  readonly unsearchedKinds?: readonly AuditSubjectKind[] | undefined;
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
  const words = createWordQuery(foldText(filter.text));
  const hidden = filter.unsearchedKinds ?? [];
  const isSearched = hidden.length === 0 ? sql`true` : sql`e.subject_kind <> all(${hidden}::text[])`;
  const prefix = `${filter.text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const numberedIds = filter.numberedIds ?? [];
  const byNumber = sql`
    (select e.id from audit_entries e where lower(e.subject_id) = any(${numberedIds}::text[]) and ${all} ${end})`;
  const byPrefix = sql`(select e.id from audit_entries e where lower(e.subject_id) like ${prefix} and ${all} ${end})`;
  const bySubject = numberedIds.length === 0 ? byPrefix : sql`${byPrefix} union ${byNumber}`;
  if (words === null) return bySubject;
  return sql`
    (select e.id from audit_details d join audit_entries e on e.id = d.entry_id
      where d.search_words @@ to_tsquery('simple', ${words}) and ${isSearched} and ${all} ${end})
    union (select e.id from audit_customer_details d join audit_entries e on e.id = d.entry_id
      where d.search_words @@ to_tsquery('simple', ${words}) and ${isSearched} and ${all} ${end})
    union ${bySubject}`;
}

/** A change of a document; its details are null once they are erased. */
export interface DocumentChange {
  readonly at: Date;
  readonly details: AuditDetails | null;
}

/**
 * The newest changes of a document after a version, the oldest first.
 * @param version null: any
 */
export async function listDocumentChanges(
  db: Db,
  { kind, id }: AuditSubject,
  version: number | null,
): Promise<readonly DocumentChange[]> {
  const isLater = version === null ? sql`true` : sql`e.document_version > ${version}`;
  const { rows } = await sql<DocumentChange>`
    select e.at, d.details::json as details from audit_entries e left join audit_details d on d.entry_id = e.id
    where e.subject_kind = ${kind} and e.subject_id = ${id} and ${isLater}
    order by e.id desc limit ${MAX_DOCUMENT_CHANGES}
  `.execute(db);
  return rows.toReversed();
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
    with found as materialized (${found}),
    page as (
      select id from (select id from found order by id desc limit ${max - 1}) listed
      order by id desc limit ${page.limit} offset ${page.offset})
    select counted.matching, e.*, d.details::json as parsed, c.details::json as fields
    from (select count(*)::integer as matching from found) counted
    left join (page join audit_entries e on e.id = page.id left join audit_details d on d.entry_id = e.id
      left join audit_customer_details c on c.entry_id = e.id) on true
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
    select string_agg(int8send(id), ''::bytea order by id) as ids from (${found}) found`;
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
  const { rows } = await sql<ExportedEntry & { readonly fields: ChangedFields | null }>`
    select e.id, e.at, e.actor_kind as "actorKind", e.actor_id as "actorId", e.action, e.subject_kind as "subjectKind",
      e.subject_id as "subjectId", encode(e.hash, 'hex') as hash, d.details::json as details, c.details::json as fields
    from audit_entries e left join audit_details d on d.entry_id = e.id
      left join audit_customer_details c on c.entry_id = e.id
    where e.id = any(${ids}::bigint[]) order by e.id
  `.execute(db);
  return rows.map(({ fields, ...row }) => ({ ...row, details: join(row.details, fields) }));
}

/** An entry with the hashes that a check compares. */
export interface CheckedEntry extends HashedEntry {
  readonly hash: Uint8Array;
  /** Whether the details, and those about a customer, have the recorded hash; null: erased. */
  readonly areDetailsIntact: boolean | null;
}

export async function readCheckedEntriesAfter(db: Db, after: bigint, limit: number): Promise<readonly CheckedEntry[]> {
  const { rows } = await sql<CheckedRow>`
    select e.*, null as parsed, null as fields, d.salt, d.details, c.salt as customer_salt,
      c.details as customer_details
    from audit_entries e left join audit_details d on d.entry_id = e.id
      left join audit_customer_details c on c.entry_id = e.id
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
    areDetailsIntact: checkDetails(row),
  }));
}

/** Of details that are intact: forged ones may be no JSON. */
function readCustomerHash(text: string): unknown {
  const details: unknown = JSON.parse(text);
  return typeof details === 'object' && details !== null && 'customerHash' in details
    ? details.customerHash
    : undefined;
}

function checkDetails(row: CheckedRow): boolean | null {
  if (row.salt === null || row.details === null) return null;
  if (!sha256(row.salt, row.details).equals(row.details_hash)) return false;
  const customerHash = readCustomerHash(row.details);
  const isApart = row.customer_salt !== null && row.customer_details !== null;
  if (customerHash === undefined) return !isApart;
  return isApart ? sha256(row.customer_salt, row.customer_details).toString('hex') === customerHash : null;
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

/** Actions of which entries of earlier releases contain data of a customer among the other details. */
const WITH_CUSTOMER_DATA = ['order.address_changed', 'order.note_added', 'order.note_deleted', 'order.shipped'];

/** Erases what entries about these orders say about their buyer. */
export async function eraseCustomerDetails(tx: Db, orderIds: readonly string[]): Promise<void> {
  const isAbout = sql`entry_id = e.id and e.subject_kind = 'order' and e.subject_id = any(${orderIds}::text[])`;
  await sql`delete from audit_customer_details using audit_entries e where ${isAbout}`.execute(tx);
  await sql`
    delete from audit_details using audit_entries e
    where ${isAbout} and e.action = any(${WITH_CUSTOMER_DATA}::text[]) and details::jsonb ->> 'customerHash' is null
  `.execute(tx);
}

export async function countDetailsBefore(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from (
      select from audit_details join audit_entries e on e.id = entry_id where e.at < ${before} limit ${limit}
    ) old
  `.execute(db);
  return rows[0]?.total ?? 0;
}

/** Erases the details of entries from before this time. The entries stay. */
export async function eraseDetailsBefore(db: Db, time: Date): Promise<void> {
  await sql`
    delete from audit_details using audit_entries e where entry_id = e.id and e.at < ${time}
  `.execute(db);
}

/** Marks the newest entry as reported, once a day and entry. Null: it was before, or the log is empty. */
export async function claimReport(
  tx: Db,
  day: string,
): Promise<{ readonly entryId: bigint; readonly hash: Uint8Array } | null> {
  const { rows } = await sql<Head>`
    update audit_head set reported_entry_id = entry_id, reported_on = ${day}::date
    where entry_id > coalesce(reported_entry_id, 0) and (reported_on is null or reported_on < ${day}::date)
    returning entry_id, hash
  `.execute(tx);
  const head = rows[0];
  return head ? { entryId: head.entry_id, hash: head.hash } : null;
}
