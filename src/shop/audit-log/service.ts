/**
 * The audit log: what staff changed. An entry is written in the transaction of its change, so neither
 * exists without the other. Each entry contains the hash of the one before: a later change of an
 * entry, or its removal, is found by `verifyAuditLog`.
 */
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { unpackBigints } from '#src/platform/database/packed-ids.ts';
import type { Caller, Identity } from '#src/platform/http/call.ts';
import { getActorName, toStoredActor } from './actor.ts';
import type { Actor, StaffActor } from './actor.ts';
import type { NamedSubject } from './audit-entry.ts';
import { findChangedFields } from './changed-fields.ts';
import type { AuditFields } from './changed-fields.ts';
import * as store from './store.ts';
import type { AuditFilter } from './store.ts';

export type { AuditFilter };

export interface RecordedChange {
  readonly at: Date;
  readonly by: Actor;
  /** Verb in the past, after the kind of the subject: `promotion.edited`. */
  readonly action: string;
  readonly subject: NamedSubject;
  /** Of the document after the change. Absent: the subject has no version. */
  readonly version?: number | undefined;
  /** Fields before the change; null if the subject was created. Without secrets. */
  readonly before: AuditFields | null;
  /** Fields after the change; null if the subject was deleted. Without secrets. */
  readonly after: AuditFields | null;
  /** The fields are data of a customer, such as an address, and are erased with that customer's account. */
  readonly hasCustomerData?: boolean;
}

/** A request may have up to 16 KB of headers, and entries are kept for years. */
const MAX_USER_AGENT = 512;

/** The member of staff who makes a call. */
export const toStaffActor = ({
  identity,
  ip,
  userAgent = null,
}: Pick<Caller, 'ip' | 'userAgent'> & {
  readonly identity: Pick<Identity, 'userId' | 'username' | 'apiKey' | 'authenticatedAt'>;
}): StaffActor => ({
  kind: 'staff',
  userId: identity.userId,
  username: identity.username,
  ip,
  userAgent,
  ...(identity.apiKey && {
    apiKey: { id: identity.apiKey.id, name: identity.apiKey.name, hasScope: identity.apiKey.hasScope },
  }),
  ...(identity.authenticatedAt && { authenticatedAt: identity.authenticatedAt }),
});

/**
 * Records a change in its transaction. Call it last: all later entries wait for the commit. Fields
 * that are equal before and after are left out.
 */
export const recordChange = (tx: Db, change: RecordedChange): Promise<void> => recordChanges(tx, [change]);

/** As `recordChange`, for several changes of one transaction. */
export async function recordChanges(tx: Db, changes: readonly RecordedChange[]): Promise<void> {
  if (!tx.isTransaction) throw new Error('an audit entry belongs to the transaction of its change');
  if (changes.length === 0) return;
  await store.appendEntries(
    tx,
    changes.map(({ at, by, action, subject, version, before, after, hasCustomerData = false }) => ({
      at,
      hasCustomerData,
      ...toStoredActor(by),
      action,
      subject,
      documentVersion: version ?? null,
      details: {
        actorName: getActorName(by),
        subjectName: subject.name ?? null,
        ip: by.kind === 'staff' ? by.ip : null,
        userAgent: by.kind === 'staff' ? (by.userAgent?.slice(0, MAX_USER_AGENT) ?? null) : null,
        ...findChangedFields(before, after),
      },
    })),
  );
}

export const { listDocumentChanges } = store;

/** The newest first. */
export const listAuditEntries = (
  db: Db,
  filter: AuditFilter,
  page: { readonly limit: number; readonly offset: number },
) => store.listEntries(db, filter, page);

/** Entries read at a time: one may have 100 kB of details. */
const BATCH = 100;
/** What is read survives collections of young garbage, so it is little. */
const EXPORT_BATCH = 25;

const EXPORT_COLUMNS = [
  'id',
  'at',
  'actor_kind',
  'actor_id',
  'actor',
  'ip',
  'user_agent',
  'action',
  'subject_kind',
  'subject_id',
  'subject',
  'before',
  'after',
  'hash',
];

export interface ExportOptions {
  /** Stops it. */
  readonly signal?: AbortSignal | undefined;
  /** What the reader may see of an entry. */
  readonly mask?: (entry: store.ExportedEntry) => store.ExportedEntry;
}

/**
 * The entries that match as rows of a table, the oldest first, after a row with the names of the columns.
 * Entries that are appended meanwhile are left out.
 */
export async function* exportAuditLog(
  db: Db,
  filter: AuditFilter,
  { signal, mask = (entry) => entry }: ExportOptions = {},
): AsyncGenerator<readonly string[]> {
  yield EXPORT_COLUMNS;
  const ids = await store.listEntryIds(db, filter, signal);
  for (const batch of unpackBigints(ids, EXPORT_BATCH)) {
    for (const entry of await store.readEntries(db, batch)) yield createExportRow(mask(entry));
  }
}

function createExportRow({ details, ...entry }: store.ExportedEntry): readonly string[] {
  const { actorName = '', ip, userAgent, subjectName, before, after } = details ?? {};
  return [
    String(entry.id),
    entry.at.toISOString(),
    entry.actorKind,
    entry.actorId ?? '',
    actorName,
    ip ?? '',
    userAgent ?? '',
    entry.action,
    entry.subjectKind,
    entry.subjectId,
    subjectName ?? '',
    before === undefined ? '' : JSON.stringify(before),
    after === undefined ? '' : JSON.stringify(after),
    entry.hash,
  ];
}

export type AuditCheck =
  | {
      readonly ok: true;
      readonly entries: bigint;
      /** Entries whose details were erased, in whole or those about a customer. */
      readonly erased: number;
      /** Of the newest entry, in hex. Zeros for an empty log. */
      readonly hash: string;
    }
  | { readonly ok: false; readonly entryId: bigint; readonly problem: AuditProblem };
export type AuditProblem = 'missing' | 'changed' | 'details-changed' | 'unlinked' | 'head-differs';

/** Compares every entry with its hash, the entry before, and the recorded head. Finds the first problem. */
export async function verifyAuditLog(db: Db): Promise<AuditCheck> {
  // The head is read first: entries that are appended meanwhile come after it.
  const head = await store.readHead(db);
  let erased = 0;
  let previous: { readonly id: bigint; readonly hash: Uint8Array } = { id: 0n, hash: new Uint8Array(32) };
  while (previous.id < head.entryId) {
    const entries = await store.readCheckedEntriesAfter(db, previous.id, BATCH);
    if (entries.length === 0) return { ok: false, entryId: previous.id + 1n, problem: 'missing' };
    for (const entry of entries) {
      const problem = findProblem(entry, previous);
      if (problem !== null) return { ok: false, entryId: previous.id + 1n, problem };
      if (entry.areDetailsIntact === null) erased++;
      previous = entry;
      if (entry.id === head.entryId) break;
    }
  }
  if (!Buffer.from(head.hash).equals(previous.hash)) {
    return { ok: false, entryId: head.entryId, problem: 'head-differs' };
  }
  return { ok: true, entries: head.entryId, erased, hash: Buffer.from(head.hash).toString('hex') };
}

function findProblem(
  entry: store.CheckedEntry,
  previous: { readonly id: bigint; readonly hash: Uint8Array },
): AuditProblem | null {
  if (entry.id !== previous.id + 1n) return 'missing';
  if (!Buffer.from(entry.previousHash).equals(previous.hash)) return 'unlinked';
  if (!store.hashEntry(entry).equals(entry.hash)) return 'changed';
  return entry.areDetailsIntact === false ? 'details-changed' : null;
}

/** Whether an entry has this hash, in hex. The zeros of an empty log always count. */
export async function hasAuditHash(db: Db, hash: string): Promise<boolean> {
  return /^0+$/.test(hash) || store.hasHash(db, Buffer.from(hash, 'hex'));
}

/**
 * Erases what entries about the orders of a customer say about that person: addresses and notes. Who acted, and what a
 * member of the team did, stays for the retention period, whoever is erased. The chain stays valid.
 */
export async function eraseCustomerFromAuditLog(tx: Db, orderIds: readonly string[]): Promise<void> {
  if (orderIds.length > 0) await store.eraseCustomerDetails(tx, orderIds);
}

/** Erases the details of entries from before this moment: the interest in that evidence has ended. Called periodically. */
export const eraseOldAuditDetails = (db: Db, before: Date): Promise<void> => store.eraseDetailsBefore(db, before);

/** How many entries from before this moment have details, at most a limit. */
export const countOldAuditDetails = (db: Db, before: Date, limit: number): Promise<number> =>
  store.countDetailsBefore(db, before, limit);

export interface ReportedHash {
  /** Number of the newest entry. */
  readonly entryId: bigint;
  /** In hex. */
  readonly hash: string;
}

/**
 * Reports the newest hash once a day, if there are entries since the last report. Copies of it that are kept elsewhere
 * show a log that was rewritten. Called periodically, by any process.
 * @param onReported called in the transaction of the report
 */
export function reportNewestHash(
  db: Db,
  now: Date,
  onReported: (tx: Db, reported: ReportedHash) => Promise<void>,
): Promise<ReportedHash | null> {
  return transact(db, async (tx) => {
    const head = await store.claimReport(tx, now.toISOString().slice(0, 10));
    if (head === null) return null;
    const reported = { entryId: head.entryId, hash: Buffer.from(head.hash).toString('hex') };
    await onReported(tx, reported);
    return reported;
  });
}
