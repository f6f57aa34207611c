/** Pictures that staff upload. A row is added after its files and removed before them. */
import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Refusal } from '#src/platform/http/call.ts';
import type { Limit, RateLimits } from '#src/platform/http/rate-limits.ts';
import type { PictureConverter } from '#src/platform/pictures/converter.ts';
import {
  listAllNames,
  listIconNames,
  listNames,
  readHash,
  TEMPORARY_SUFFIX,
} from '#src/platform/pictures/picture-files.ts';
import type { ConvertedPicture } from '#src/platform/pictures/picture-files.ts';
import { readPictureFormat } from '#src/platform/pictures/read-header.ts';
import { StorageFullError, StorageUnavailableError } from '#src/platform/pictures/storage.ts';
import type { PictureStorage } from '#src/platform/pictures/storage.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { Log } from '#src/platform/process/log.ts';
import { TimeSlice } from '#src/platform/process/time-slice.ts';
import { toRowRange } from '#src/shop/list-pages.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import type { RecordedChange } from '#src/shop/audit-log/service.ts';
import { changeDocument } from '#src/shop/editing/service.ts';
import { formatSize, formatUploadPath, isUploadPath } from './check-picture.ts';
import { listMissingUploads } from './missing.service.ts';
import * as store from './store.ts';
import type { LibraryRow, PictureRow } from './store.ts';
import type { RefusedUpload } from './upload-problems.ts';

/** Part of the hash: a change of the conversion must change the names, since browsers never ask again. */
const CONVERSION = 'picture 2\n';
const HASH_LENGTH = 40;
const HASHED_AT_ONCE = 1024 * 1024;
const MAX_LISTED_USES = 5;
const ORPHANED_AFTER_MS = 86_400_000;
const DAILY: Limit = { points: 2_000, seconds: 86_400, by: 'caller', isShared: true };

export interface PictureUse {
  readonly kind: 'product' | 'orders' | 'text' | 'setting';
  readonly name: string;
  readonly url: string | null;
}

export interface PicturesOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: RateLimits;
  readonly storage: PictureStorage;
  readonly converter: Pick<PictureConverter, 'convert'>;
  /** Maximum bytes of all pictures. */
  readonly maxBytes: bigint;
  /** What uses each of these paths. */
  readonly findUses: (db: Db, paths: readonly string[]) => Promise<ReadonlyMap<string, readonly PictureUse[]>>;
}

export type UploadResult = { readonly ok: true; readonly picture: PictureRow } | RefusedUpload;

export { describeUploadProblem, UPLOAD_PROBLEMS } from './upload-problems.ts';
export type { RefusedUpload } from './upload-problems.ts';

/** Why a picture has no icons. */
export type IconProblem = 'not-found' | 'damaged' | 'too-slow' | 'busy' | 'storage-full' | 'storage-unavailable';

export type DeletionResult = 'deleted' | 'not-found' | 'in-use';

interface LibraryPage {
  readonly pictures: readonly (LibraryRow & { readonly uses: readonly PictureUse[]; readonly useCount: number })[];
  readonly totals: store.Totals;
  readonly maxBytes: bigint;
}

/** Who uploads a picture. `by` is null for an import. */
interface Uploader {
  readonly userId: string;
  readonly by: StaffActor | null;
}

/** A picture as audit entries show it. */
const toAuditFields = ({ path, width, height, bytes, alt }: PictureRow) => ({ path, width, height, bytes, alt });

const getFileName = ({ path }: Pick<PictureRow, 'path'>): string => path.slice(path.lastIndexOf('/') + 1);

/** In slices, so that a large upload does not hold up other requests. */
async function hashUpload(bytes: Buffer): Promise<string> {
  const hash = createHash('sha256').update(CONVERSION);
  const slice = new TimeSlice();
  for (let at = 0; at < bytes.length; at += HASHED_AT_ONCE) {
    hash.update(bytes.subarray(at, at + HASHED_AT_ONCE));
    await slice.pause();
  }
  return hash.digest('hex').slice(0, HASH_LENGTH);
}

export class Pictures {
  readonly #options: PicturesOptions;

  constructor(options: PicturesOptions) {
    this.#options = options;
  }

  /** The storage that serves the files. */
  get storage(): PictureStorage {
    return this.#options.storage;
  }

  /**
   * Converts and stores a picture, within the daily limit of the account. Idempotent: the same bytes
   * give the same picture.
   */
  async upload(bytes: Buffer, by: StaffActor): Promise<UploadResult> {
    return this.#upload(bytes, { userId: by.userId, by });
  }

  /** Like `upload`, for an import, which has its own audit entry. Not counted. */
  uploadForImport(bytes: Buffer, userId: string): Promise<UploadResult> {
    return this.#upload(bytes, { userId, by: null });
  }

  async #upload(bytes: Buffer, uploader: Uploader): Promise<UploadResult> {
    const { db, converter, limits, maxBytes, storage } = this.#options;
    // The converting process reads the rest of the header, which can take long.
    if (readPictureFormat(bytes) === null) return { ok: false, reason: 'unsupported' };
    const hash = await hashUpload(bytes);
    const known = await store.findByHash(db, hash);
    if (known !== null) return { ok: true, picture: known };
    if ((await store.readTotals(db)).bytes >= maxBytes) return { ok: false, reason: 'storage-full' };
    if (!(await storage.hasSpace())) return { ok: false, reason: 'disk-full' };
    if (uploader.by !== null) {
      const counted = await limits.consume('pictures per day', DAILY, `user:${uploader.userId}`);
      if (!counted.ok) return { ...counted, reason: 'too-many-pictures' };
    }
    const converted = await converter.convert(bytes, 'picture', { id: uploader.userId, isCustomer: false });
    if (!converted.ok) {
      return converted.reason === 'too-many-pixels' ? { ...converted, size: formatSize(converted) } : converted;
    }
    return this.#storeOrRefuse(hash, converted.picture, uploader);
  }

  async #storeOrRefuse(hash: string, converted: ConvertedPicture, uploader: Uploader): Promise<UploadResult> {
    try {
      const picture = await this.#store(hash, converted, uploader);
      return picture === null ? { ok: false, reason: 'storage-full' } : { ok: true, picture };
    } catch (error) {
      if (error instanceof StorageFullError) return { ok: false, reason: 'disk-full' };
      if (!(error instanceof StorageUnavailableError)) throw error;
      this.#options.log.warn({ err: error }, 'a picture could not be stored');
      return { ok: false, reason: 'storage-unavailable' };
    }
  }

  /** Files first, then the row. Null if there is no room for it. */
  async #store(
    hash: string,
    { width, height, files }: ConvertedPicture,
    { userId, by }: Uploader,
  ): Promise<PictureRow | null> {
    const { db, clock, maxBytes, storage } = this.#options;
    const names = listNames(hash);
    const bytes = BigInt(files.reduce((sum, { length }) => sum + length, 0));
    const picture = { id: uuidv7(), hash, path: formatUploadPath(hash), width, height, bytes, userId };
    for (;;) {
      for (const [index, name] of names.entries()) await storage.put(name, files[index] ?? Buffer.alloc(0));
      const stored = await transact(db, async (tx) => {
        await store.lockChanges(tx);
        const known = await store.findByHash(tx, hash);
        if (known !== null) return known;
        // The hourly task may have removed them as orphans of an earlier upload.
        const isThere = await Promise.all(names.map((name) => storage.has(name)));
        if (isThere.includes(false)) return 'removed';
        const inserted = await store.insertPicture(tx, { ...picture, createdAt: clock.now() }, maxBytes);
        if (inserted !== null && by !== null) {
          await this.#record(tx, inserted, {
            by,
            action: 'picture.uploaded',
            before: null,
            after: toAuditFields(inserted),
          });
        }
        return inserted;
      });
      if (stored !== 'removed') return stored;
    }
  }

  async list(page: number): Promise<LibraryPage> {
    const { db, findUses, maxBytes } = this.#options;
    const [rows, totals] = await Promise.all([store.listPictures(db, toRowRange(page)), store.readTotals(db)]);
    const uses = await findUses(
      db,
      rows.map(({ path }) => path),
    );
    const pictures = rows.map((row) => {
      const found = uses.get(row.path) ?? [];
      return { ...row, uses: found.slice(0, MAX_LISTED_USES), useCount: found.length };
    });
    return { pictures, totals, maxBytes };
  }

  changeAlt(id: string, alt: string, version: number, by: StaffActor): Promise<PictureRow | Refusal> {
    return changeDocument(this.#options, {
      by,
      version,
      what: 'this picture',
      subject: { kind: 'picture', id },
      lock: (tx) => store.lockPicture(tx, id),
      write: async (tx, stored) => {
        const saved = await store.updateAlt(tx, id, alt.trim());
        const [before, after] = [toAuditFields(stored), toAuditFields(saved)];
        return { saved, recorded: { action: 'picture.edited', before, after, name: getFileName(stored) } };
      },
    });
  }

  #record(
    tx: Db,
    { id, path }: PictureRow,
    change: Pick<RecordedChange, 'by' | 'action' | 'before' | 'after'>,
  ): Promise<void> {
    const subject = { kind: 'picture', id, name: getFileName({ path }) } as const;
    return recordChange(tx, { at: this.#options.clock.now(), subject, ...change });
  }

  /** Those of these paths that would be uploads but do not exist. */
  listMissing(paths: readonly string[]): Promise<readonly string[]> {
    return listMissingUploads(this.#options.db, paths);
  }

  /** Deletes the row, then the files. */
  async delete(id: string, by: StaffActor): Promise<DeletionResult> {
    const { db, findUses } = this.#options;
    const deleted = await transact(db, async (tx) => {
      await store.lockChanges(tx);
      const picture = await store.findById(tx, id);
      if (picture === null) return 'not-found';
      if ((await findUses(tx, [picture.path])).has(picture.path)) return 'in-use';
      await store.deletePicture(tx, id);
      await this.#record(tx, picture, { by, action: 'picture.deleted', before: toAuditFields(picture), after: null });
      return picture;
    });
    if (typeof deleted === 'string') return deleted;
    await this.#removeFiles(deleted.hash);
    return 'deleted';
  }

  /** The paths that no picture has. Until the transaction ends, the pictures of the others are not deleted. */
  async findMissing(tx: Db, paths: readonly string[]): Promise<readonly string[]> {
    if (paths.length === 0) return [];
    await store.lockRemovals(tx);
    return store.listMissing(tx, paths);
  }

  /** Like `findMissing`, but other paths than those of uploads, such as demo pictures, are never missing. */
  findMissingUploads(tx: Db, paths: readonly string[]): Promise<readonly string[]> {
    return this.findMissing(tx, [...new Set(paths.filter(isUploadPath))]);
  }

  /** Makes the PNG icons of a picture. Idempotent. Null if it has them. */
  async makeIcons(path: string): Promise<IconProblem | null> {
    const { db, converter, storage, log } = this.#options;
    const picture = await store.findByPath(db, path);
    if (picture === null) return 'not-found';
    if (picture.hasIcons) return null;
    try {
      const main = listNames(picture.hash).find((name) => path.endsWith(name)) ?? '';
      const bytes = await storage.read(main);
      if (bytes === null) return 'not-found';
      const converted = await converter.convert(bytes, 'icons');
      if (!converted.ok) {
        const { reason } = converted;
        return reason === 'unsupported' || reason === 'too-many-pixels' ? 'damaged' : reason;
      }
      const { files } = converted.picture;
      for (const [index, name] of listIconNames(picture.hash).entries()) {
        await storage.put(name, files[index] ?? Buffer.alloc(0));
      }
      await store.recordIcons(
        db,
        picture.id,
        files.reduce((sum, { length }) => sum + length, 0),
      );
      return null;
    } catch (error) {
      if (error instanceof StorageFullError) return 'storage-full';
      if (!(error instanceof StorageUnavailableError)) throw error;
      log.warn({ err: error }, 'icons could not be stored');
      return 'storage-unavailable';
    }
  }

  /** Removes files older than a day that have no row: of interrupted uploads and deletions. */
  async removeOrphans(): Promise<void> {
    const { clock, storage } = this.#options;
    const before = clock.now().getTime() - ORPHANED_AFTER_MS;
    const hashes = new Set<string>();
    for await (const { name, changedAt } of storage.list()) {
      if (changedAt.getTime() > before) continue;
      const hash = readHash(name);
      if (hash !== null) hashes.add(hash);
      else if (name.endsWith(TEMPORARY_SUFFIX)) await storage.remove(name);
    }
    for (const hash of hashes) await this.#removeFiles(hash);
  }

  /** Removes the files unless they have a row. */
  async #removeFiles(hash: string): Promise<void> {
    const { db, storage } = this.#options;
    // Most files have a row, which needs no lock.
    if ((await store.findByHash(db, hash)) !== null) return;
    await transact(db, async (tx) => {
      await store.lockChanges(tx);
      if ((await store.findByHash(tx, hash)) !== null) return;
      await Promise.all(listAllNames(hash).map((name) => storage.remove(name)));
    });
  }
}
