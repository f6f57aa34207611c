/**
 * Files of returns: pictures of a defect, which are personal data of the buyer, and labels. They are private files in the
 * storage of uploaded pictures. Rows are added after their files; the job that deletes files is enqueued with the
 * deletion of their row.
 */
import { randomUUID } from 'node:crypto';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Limit, RateLimits } from '#src/platform/http/rate-limits.ts';
import type { JobQueue } from '#src/platform/jobs/jobs.ts';
import type { PictureConverter, Uploader } from '#src/platform/pictures/converter.ts';
import {
  formatDocumentName,
  formatPrivateName,
  listPrivateNames,
  readPrivateId,
} from '#src/platform/pictures/picture-files.ts';
import { readPictureFormat } from '#src/platform/pictures/read-header.ts';
import { StorageFullError, StorageUnavailableError } from '#src/platform/pictures/storage.ts';
import type { PictureStorage } from '#src/platform/pictures/storage.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { Log } from '#src/platform/process/log.ts';
import { formatSize } from '#src/shop/pictures/check-picture.ts';
import type { RefusedUpload } from '#src/shop/pictures/service.ts';
import * as handling from '../handling.store.ts';
import { MAX_PICTURES, mayChangePictures } from '../file-limits.ts';
import { readPdf } from './read-pdf.ts';
import * as store from './store.ts';
import type { NewReturnFile } from './store.ts';

/** Deletes the files of a deleted row. */
export const RETURN_FILE_JOB = 'return-file';
const ORPHANED_AFTER_MS = 86_400_000;
const ERASED_AT_ONCE = 500;
/** Also of pictures that were removed again or refused: each costs a conversion. */
const DAILY: Limit = { points: 60, seconds: 86_400, by: 'caller', isShared: true };

export interface ReturnFilesOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: RateLimits;
  readonly jobs: Pick<JobQueue, 'enqueueAll'>;
  readonly storage: PictureStorage;
  readonly converter: Pick<PictureConverter, 'convert'>;
  /** Maximum bytes of the files of all returns. */
  readonly maxBytes: bigint;
}

interface Refused<Reason extends string> {
  readonly ok: false;
  readonly reason: Reason;
}
const refuse = <Reason extends string>(reason: Reason): Refused<Reason> => ({ ok: false, reason });

/** Why a buyer can't add or remove a picture of a return now. */
export type PictureProblem = 'not-found' | 'not-possible' | 'too-many';
export type RefusedFile = RefusedUpload | Refused<PictureProblem>;

type Prepared = { readonly ok: true; readonly file: NewReturnFile } | RefusedUpload;
type Upright = Extract<Prepared, { ok: true }>;

export type ReadFile =
  | {
      readonly ok: true;
      readonly bytes: Buffer;
      readonly type: store.ReturnFileType;
      readonly name: string;
    }
  | Refused<'not-found' | 'storage-unavailable'>;

export class ReturnFiles {
  readonly #options: ReturnFilesOptions;

  constructor(options: ReturnFilesOptions) {
    this.#options = options;
  }

  // ---- pictures of the buyer

  /** Why the buyer can't add a picture now; null: they can. */
  async findProblem(userId: string, returnId: string): Promise<PictureProblem | null> {
    const { db } = this.#options;
    const [position, count] = await Promise.all([
      handling.findPositionOfBuyer(db, returnId, userId),
      store.countPictures(db, returnId),
    ]);
    if (position === null) return 'not-found';
    if (!mayChangePictures(position)) return 'not-possible';
    return count >= MAX_PICTURES ? 'too-many' : null;
  }

  /** Converts and stores a picture, which loses its metadata. Not idempotent: each call adds one. */
  async addPicture(userId: string, returnId: string, bytes: Buffer): Promise<Upright | RefusedFile> {
    const { clock, limits, maxBytes } = this.#options;
    const problem = await this.findProblem(userId, returnId);
    if (problem !== null) return refuse(problem);
    if (readPictureFormat(bytes) === null) return refuse('unsupported');
    const full = await this.#findFull();
    if (full !== null) return refuse(full);
    const counter = ['return pictures per day', DAILY, `user:${userId}`] as const;
    const counted = await limits.consume(...counter);
    if (!counted.ok) return { ...counted, reason: 'too-many-pictures' };
    const prepared = await this.#preparePicture(bytes, { id: userId, isCustomer: true });
    // It was not converted, and is sent again.
    if (!prepared.ok && prepared.reason === 'busy') await limits.restore(...counter);
    if (!prepared.ok) return prepared;
    const added = await transact(this.#options.db, async (tx) => {
      await handling.lockReturn(tx, returnId);
      const position = await handling.findPositionOfBuyer(tx, returnId, userId);
      if (position === null) return 'not-found' as const;
      if (!mayChangePictures(position)) return 'not-possible' as const;
      return store.addPicture(tx, prepared.file, { returnId, at: clock.now(), maxBytes });
    });
    if (added === 'added') return prepared;
    await this.discard(prepared.file.id);
    return refuse(added);
  }

  async removePicture(
    userId: string,
    returnId: string,
    id: string,
  ): Promise<Exclude<PictureProblem, 'too-many'> | null> {
    return transact(this.#options.db, async (tx) => {
      await handling.lockReturn(tx, returnId);
      const position = await handling.findPositionOfBuyer(tx, returnId, userId);
      if (position === null) return 'not-found';
      if (!mayChangePictures(position)) return 'not-possible';
      if (!(await store.removePicture(tx, returnId, id))) return 'not-found';
      await this.#enqueueRemovals(tx, [id]);
      return null;
    });
  }

  // ---- labels of staff

  /** Checks a PDF, or converts a PNG or JPEG, and stores the file, which `replaceLabel` needs. */
  async prepareLabel(bytes: Buffer, userId: string): Promise<Prepared> {
    const document = readPdf(bytes);
    if (document === 'cut') return refuse('damaged');
    const full = await this.#findFull();
    if (full !== null) return refuse(full);
    if (document === null) {
      const format = readPictureFormat(bytes);
      if (format !== 'png' && format !== 'jpeg') return refuse('unsupported');
      return this.#preparePicture(bytes, { id: userId, isCustomer: false });
    }
    const id = randomUUID();
    const file = { id, type: 'application/pdf', width: null, height: null, bytes: bytes.length } as const;
    return this.#put(file, [[formatDocumentName(id), bytes]]);
  }

  /** Replaces or removes the label of a locked return. @param file null: none */
  async replaceLabel(tx: Db, returnId: string, file: NewReturnFile | null): Promise<'storage-full' | null> {
    const { clock, maxBytes } = this.#options;
    await this.#enqueueRemovals(tx, await store.removeLabel(tx, returnId));
    if (file === null) return null;
    const added = await store.addLabel(tx, file, { returnId, at: clock.now(), maxBytes });
    return added === 'storage-full' ? added : null;
  }

  // ---- reading

  /** @param userId the buyer; null: staff */
  async readPicture(
    returnId: string,
    id: string,
    { size, userId }: { readonly size: 'large' | 'small'; readonly userId: string | null },
  ): Promise<ReadFile> {
    const found = await store.findFile(this.#options.db, returnId, id, userId);
    if (found === null) return refuse('not-found');
    return this.#read(formatPrivateName(found.id, size), found, `${found.reference}-${found.id.slice(0, 8)}`);
  }

  /** @param userId the buyer; null: staff */
  async readLabel(returnId: string, userId: string | null): Promise<ReadFile> {
    const found = await store.findFile(this.#options.db, returnId, null, userId);
    if (found === null) return refuse('not-found');
    const isDocument = found.type === 'application/pdf';
    const name = isDocument ? formatDocumentName(found.id) : formatPrivateName(found.id, 'large');
    return this.#read(name, found, `${found.reference}-label`);
  }

  async #read(name: string, { type }: { readonly type: store.ReturnFileType }, title: string): Promise<ReadFile> {
    try {
      const bytes = await this.#options.storage.read(name);
      if (bytes === null) return refuse('not-found');
      return { ok: true, bytes, type, name: `${title}.${type === 'application/pdf' ? 'pdf' : 'jpg'}` };
    } catch (error) {
      if (!(error instanceof StorageUnavailableError)) throw error;
      return refuse('storage-unavailable');
    }
  }

  // ---- storing

  async #preparePicture(bytes: Buffer, uploader: Uploader): Promise<Prepared> {
    const { converter } = this.#options;
    const converted = await converter.convert(bytes, 'private', uploader);
    if (!converted.ok)
      return converted.reason === 'too-many-pixels' ? { ...converted, size: formatSize(converted) } : converted;
    const { files, height, width } = converted.picture;
    const id = randomUUID();
    const sum = files.reduce((total, { length }) => total + length, 0);
    const [large = Buffer.alloc(0), small = large] = files;
    return this.#put({ id, type: 'image/jpeg', width, height, bytes: sum }, [
      [formatPrivateName(id, 'large'), large],
      [formatPrivateName(id, 'small'), small],
    ]);
  }

  /** Before the conversion. The sum is checked again when the row is added. */
  async #findFull(): Promise<'storage-full' | 'disk-full' | null> {
    const { db, maxBytes, storage } = this.#options;
    if ((await store.readTotalBytes(db)) >= maxBytes) return 'storage-full';
    return (await storage.hasSpace()) ? null : 'disk-full';
  }

  async #put(file: NewReturnFile, files: readonly (readonly [name: string, bytes: Buffer])[]): Promise<Prepared> {
    const { log, storage } = this.#options;
    try {
      for (const [name, bytes] of files) await storage.put(name, bytes);
      return { ok: true, file };
    } catch (error) {
      if (error instanceof StorageFullError) return refuse('disk-full');
      if (!(error instanceof StorageUnavailableError)) throw error;
      log.warn({ err: error }, 'a file of a return could not be stored');
      return refuse('storage-unavailable');
    }
  }

  /** Deletes files whose row was refused. What is left over, `removeOrphans` deletes. */
  async discard(id: string): Promise<void> {
    try {
      await this.remove(id);
    } catch (error) {
      this.#options.log.warn({ err: error }, 'files of a refused upload are left over');
    }
  }

  // ---- removing

  async #enqueueRemovals(tx: Db, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const removals = ids.map((id) => ({ data: { id }, deduplicationKey: id }));
    await this.#options.jobs.enqueueAll(tx, RETURN_FILE_JOB, removals);
  }

  /** Deletes the files of an id that has no row. Idempotent. @throws StorageUnavailableError */
  async remove(id: string): Promise<void> {
    const { db, storage } = this.#options;
    if ((await store.listExisting(db, [id])).has(id)) return;
    for (const name of listPrivateNames(id)) await storage.remove(name);
  }

  /** Deletes files older than a day that have no row, of interrupted uploads. Called periodically. */
  async removeOrphans(): Promise<void> {
    const { clock, db, storage } = this.#options;
    const before = clock.now().getTime() - ORPHANED_AFTER_MS;
    const ids = new Set<string>();
    for await (const { changedAt, name } of storage.list()) {
      const id = changedAt.getTime() > before ? null : readPrivateId(name);
      if (id !== null) ids.add(id);
    }
    const existing = await store.listExisting(db, [...ids]);
    for (const id of ids) if (!existing.has(id)) await this.remove(id);
  }

  // ---- personal data

  /** Removes the files of returns of these orders. */
  async erasePersonalData(tx: Db, orderIds: readonly string[]): Promise<void> {
    await this.#enqueueRemovals(tx, await store.removeOfOrders(tx, orderIds));
  }

  /** Removes files of returns that ended before this moment. Called periodically. */
  async deleteOld(before: Date): Promise<void> {
    for (;;) {
      const count = await transact(this.#options.db, async (tx) => {
        const ids = await store.removeEndedBefore(tx, before, ERASED_AT_ONCE);
        await this.#enqueueRemovals(tx, ids);
        return ids.length;
      });
      if (count < ERASED_AT_ONCE) return;
    }
  }
}
