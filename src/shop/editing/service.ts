/**
 * The one way in which staff change a document: something with a version that several of them may edit. A change is one
 * transaction with its revisions and its audit entry. A change of an older version is refused, with who changed what.
 */
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { incrementRevision } from '#src/platform/database/revisions.ts';
import type { RevisionWatcher } from '#src/platform/database/revisions.ts';
import { createConflict, createConflictMessage, createNotFound, Refusal } from '#src/platform/http/call.ts';
import type { Conflict } from '#src/platform/http/call.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { Actor } from '#src/shop/audit-log/actor.ts';
import type { AuditSubject, NamedSubject } from '#src/shop/audit-log/audit-entry.ts';
import { findNetChanges } from '#src/shop/audit-log/changed-fields.ts';
import { describeField, toSnakeCase } from '#src/shop/audit-log/describe-field.ts';
import { listDocumentChanges, recordChanges } from '#src/shop/audit-log/service.ts';
import type { RecordedChange } from '#src/shop/audit-log/service.ts';

/** Refusals of changes that are based on older versions of several documents. */
export { createConflict as refuseOutdated, createConflictMessage as refuseOutdatedWith };

export interface EditingOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly revisions: Pick<RevisionWatcher, 'announce'>;
}
/** For documents that no process holds in memory. */
type UnwatchedOptions = Omit<EditingOptions, 'revisions'> & { readonly revisions?: never };

/** The version of the document is not the one that the caller saw. */
export const OUTDATED = Symbol('outdated');

/** 0: not stored yet. Undefined: the document has no version. */
const getVersion = (stored: object): number | undefined =>
  'version' in stored && typeof stored.version === 'number' ? stored.version : undefined;

/** What an audit entry says about a change. Without a version: the next one. */
type Recorded = Pick<RecordedChange, 'action' | 'before' | 'after' | 'version'> & {
  /** Of a change of several documents; default: that of the change. */
  readonly subject?: NamedSubject;
  /** Names the document, if its name is known from the change. */
  readonly name?: string | undefined;
};

export interface Written<Saved> {
  readonly saved: Saved;
  /** Null: nothing was changed. A list: a change of several documents. */
  readonly recorded: Recorded | readonly Recorded[] | null;
}

export interface DocumentChange<Stored extends object, Saved> {
  /** The document in the refusal, such as 'this promotion'. */
  readonly what: string;
  /** The document in the audit log. */
  readonly subject: NamedSubject;
  readonly by: Actor;
  /** The version that the caller saw. Absent: any. */
  readonly version?: number | undefined;
  /** Topics whose revision the change increments, in this order. */
  readonly topics?: readonly string[];
  /** Reads the document and locks it until the transaction ends; null: there is none. */
  readonly lock: (tx: Db) => Promise<Stored | null>;
  /** Checks and writes. After a refusal nothing is stored. */
  readonly write: (tx: Db, stored: Stored, at: Date) => Promise<Written<Saved> | Refusal | typeof OUTDATED>;
  /** Who changed what since the version that the caller saw, if not the audit log has it. */
  readonly readConflict?: (db: Db) => Promise<Conflict>;
  /** The refusal that an error of the database means; null: none. */
  readonly explain?: (error: unknown) => Refusal | null;
}

const isList = <Item>(value: Item | readonly Item[] | null): value is readonly Item[] => Array.isArray(value);

function listRecorded(recorded: Written<unknown>['recorded']): readonly Recorded[] {
  if (recorded === null) return [];
  return isList(recorded) ? recorded : [recorded];
}

/** The lock of a document that the change creates. */
export const newDocument = (): Promise<{ readonly version: 0 }> => Promise.resolve({ version: 0 });

/** Rolls the transaction back. */
class Refused extends Error {
  readonly reason: Refusal | typeof OUTDATED;
  constructor(reason: Refusal | typeof OUTDATED) {
    super('the change was refused');
    this.reason = reason;
  }
}

/**
 * Changes a document, or nothing. This process shows the change when the promise resolves, others soon.
 * @returns what `write` saved, or a refusal
 */
export async function changeDocument<Stored extends object, Saved>(
  { db, clock, revisions }: EditingOptions | UnwatchedOptions,
  { by, what, subject, version: seen, topics = [], ...steps }: DocumentChange<Stored, Saved>,
): Promise<Saved | Refusal> {
  let saved: Saved;
  try {
    saved = await transact(db, async (tx) => {
      const stored = await steps.lock(tx);
      if (stored === null) throw new Refused(createNotFound());
      const current = getVersion(stored);
      if (seen !== undefined && current !== seen) throw new Refused(OUTDATED);
      const at = clock.now();
      const written = await steps.write(tx, stored, at);
      if (written instanceof Refusal || written === OUTDATED) throw new Refused(written);
      for (const topic of topics) await incrementRevision(tx, topic);
      const version = current === undefined ? undefined : current + 1;
      const changes = listRecorded(written.recorded).map(
        ({ name = subject.name, subject: own = subject, ...change }) => ({
          at,
          by,
          version,
          ...change,
          subject: { ...own, ...(name !== undefined && { name }) },
        }),
      );
      if (changes.length > 0) await recordChanges(tx, changes);
      return written.saved;
    });
  } catch (error) {
    if (!(error instanceof Refused)) {
      const refusal = steps.explain?.(error) ?? null;
      if (refusal !== null) return refusal;
      throw error;
    }
    if (error.reason !== OUTDATED) return error.reason;
    if (steps.readConflict !== undefined) return createConflict(what, await steps.readConflict(db));
    return seen === undefined ? createConflict(what) : createConflict(what, await readConflict(db, subject, seen));
  }
  await revisions?.announce();
  return saved;
}

/** What the audit log has of the changes of a document since a version. */
export async function readConflict(db: Db, subject: AuditSubject, seen: number): Promise<Conflict> {
  const changes = await listDocumentChanges(db, subject, seen);
  const fields = findNetChanges(changes.flatMap(({ details }) => (details === null ? [] : [details])));
  return {
    by: changes.at(-1)?.details?.actorName ?? null,
    at: changes.at(-1)?.at.toISOString() ?? null,
    fields: fields
      .filter((name) => name !== 'version')
      .map((name) => ({ path: toSnakeCase(name), label: describeField(name) })),
  };
}
