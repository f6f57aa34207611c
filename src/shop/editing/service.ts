/**
 * The one way in which staff change a document: something with a version that several of them may edit. A change is one
 * transaction with its revisions and its audit entry. A change of an older version is refused, with who changed what.
 */
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { incrementRevision } from '#src/platform/database/revisions.ts';
import type { RevisionWatcher } from '#src/platform/database/revisions.ts';
import { createConflict, createNotFound, Refusal } from '#src/platform/http/call.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { Actor } from '#src/shop/audit-log/actor.ts';
import type { NamedSubject } from '#src/shop/audit-log/audit-entry.ts';
import { findNetChanges } from '#src/shop/audit-log/changed-fields.ts';
import { describeField, toSnakeCase } from '#src/shop/audit-log/describe-field.ts';
import { listDocumentChanges, recordChanges } from '#src/shop/audit-log/service.ts';
import type { RecordedChange } from '#src/shop/audit-log/service.ts';

export interface EditingOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly revisions: Pick<RevisionWatcher, 'announce'>;
}
/** For documents that no process holds in memory. */
type UnwatchedOptions = Omit<EditingOptions, 'revisions'> & { readonly revisions?: never };

/** The version of the document is not the one that the caller saw. */
export const OUTDATED = Symbol('outdated');

interface Versioned {
  /** 0: not stored yet. Absent: the document has no version. */
  readonly version?: number;
}

/** What an audit entry says about a change. Without a version: the next one. */
type Recorded = Pick<RecordedChange, 'action' | 'before' | 'after' | 'version'> & {
  /** Names the document, if its name is known from the change. */
  readonly name?: string | undefined;
};

export interface Written<Saved> {
  readonly saved: Saved;
  /** Null: nothing was changed. */
  readonly recorded: Recorded | null;
}

/** A document in the refusal and in the audit log. */
interface EditedDocument {
  /** Such as 'this promotion'. */
  readonly what: string;
  readonly subject: NamedSubject;
}

export interface DocumentChange<Stored extends Versioned, Saved> extends EditedDocument {
  readonly by: Actor;
  /** The version that the caller saw. Absent: any. */
  readonly version?: number | undefined;
  /** Topics whose revision the change increments, in this order. */
  readonly topics?: readonly string[];
  /** Reads the document and locks it until the transaction ends; null: there is none. */
  readonly lock: (tx: Db) => Promise<Stored | null>;
  /** Checks and writes. After a refusal nothing is stored. */
  readonly write: (tx: Db, stored: Stored, at: Date) => Promise<Written<Saved> | Refusal | typeof OUTDATED>;
  /** The refusal that an error of the database means; null: none. */
  readonly explain?: (error: unknown) => Refusal | null;
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
export async function changeDocument<Stored extends Versioned, Saved>(
  { db, clock, revisions }: EditingOptions | UnwatchedOptions,
  { by, what, subject, version: seen, topics = [], lock, write, explain }: DocumentChange<Stored, Saved>,
): Promise<Saved | Refusal> {
  const at = clock.now();
  let saved: Saved;
  try {
    saved = await transact(db, async (tx) => {
      const stored = await lock(tx);
      if (stored === null) throw new Refused(createNotFound());
      if (seen !== undefined && stored.version !== seen) throw new Refused(OUTDATED);
      const written = await write(tx, stored, at);
      if (written instanceof Refusal || written === OUTDATED) throw new Refused(written);
      for (const topic of topics) await incrementRevision(tx, topic);
      if (written.recorded !== null) {
        const { name = subject.name, ...recorded } = written.recorded;
        const version = stored.version === undefined ? undefined : stored.version + 1;
        const named = { ...subject, ...(name !== undefined && { name }) };
        await recordChanges(tx, [{ at, by, subject: named, version, ...recorded }]);
      }
      return written.saved;
    });
  } catch (error) {
    if (!(error instanceof Refused)) {
      const refusal = explain?.(error) ?? null;
      if (refusal !== null) return refusal;
      throw error;
    }
    return error.reason === OUTDATED ? refuseOutdated(db, { what, subject }, seen ?? null) : error.reason;
  }
  await revisions?.announce();
  return saved;
}

/**
 * The refusal of a change that is based on an older version, with who changed what since then.
 * @param seen the version that the caller saw; null: the document has none, so its newest change counts
 */
export async function refuseOutdated(db: Db, { what, subject }: EditedDocument, seen: number | null): Promise<Refusal> {
  const changes = await listDocumentChanges(db, subject, seen);
  const known = changes.flatMap(({ details }) => (details === null ? [] : [details]));
  const fields = findNetChanges(known).filter((name) => name !== 'version');
  return createConflict(what, {
    by: changes.at(-1)?.details?.actorName ?? null,
    at: changes.at(-1)?.at.toISOString() ?? null,
    fields: fields.map((name) => ({ path: toSnakeCase(name), label: describeField(name) })),
  });
}
