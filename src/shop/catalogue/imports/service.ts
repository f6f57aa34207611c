/** Imports of the catalogue: upload, dry run, apply, cancel, history. */
import { v7 as uuidv7 } from 'uuid';
import {
  isCheckViolation,
  isDatabaseUnavailable,
  isUniqueViolation,
  transact,
} from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { RevisionWatcher } from '#src/platform/database/revisions.ts';
import type { JobData, JobQueue } from '#src/platform/jobs/jobs.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { Log } from '#src/platform/process/log.ts';
import { toRowRange } from '#src/shop/list-pages.ts';
import { mayUse } from '#src/shop/permissions.ts';
import type { StockAdjustments } from '#src/shop/inventory/adjustments/service.ts';
import type { UnknownWeightRule } from '#src/shop/shipping/compute-shipping.ts';
import type { PriceGuard, PriceRefusal } from '#src/shop/price-reduction.ts';
import { WHOLE_BASIS_POINTS } from '#src/shop/price-reduction.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import { analyzeCatalogue, applyImport, describeOutdated, OutdatedImport } from './apply.service.ts';
import type { PictureSource } from './pictures.service.ts';
import { loadPictures, resolveTargets } from './pictures.service.ts';
import * as pictureStore from './pictures.store.ts';
import { exportProducts } from './export.service.ts';
import type { ExportRequest } from './export.service.ts';
import type { Change } from './list-changes.ts';
import { isCostChange } from './planned-costs.ts';
import * as store from './store.ts';
import type { ImportRow, ProblemFilter, Progress } from './store.ts';
import { CancelledImport, isRunning } from './import-state.ts';
import type { ImportState } from './import-state.ts';

export type { ImportRow as ShownImport } from './store.ts';

export const CATALOGUE_IMPORT_JOB = 'catalogue-import';
const RETENTION_MS = 30 * 86_400_000;
/** Limits retries of a file that crashes the process. */
const MAX_ATTEMPTS = 5;
/** The queue gives a job that takes fifteen minutes to another process. */
const MAX_LOADING_MS = 300_000;

export interface ImportsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly jobs: JobQueue;
  readonly revisions: Pick<RevisionWatcher, 'announce'>;
  readonly priceGuard: PriceGuard;
  readonly stockAdjustments: Pick<StockAdjustments, 'restate' | 'initialStock'>;
  /** What an unknown weight means for orders; null: no price depends on weights. */
  readonly getUnknownWeight: () => UnknownWeightRule | null;
  /** Of the shop's pages and pictures. */
  readonly origin: string;
  readonly pictures: PictureSource;
  /** Checks the file of an import and stores the result. Idempotent. */
  readonly check: (request: ImportCheck) => Promise<CheckOutcome>;
  /** Called after an import is applied. */
  readonly onApplied: () => void;
}

interface ImportCheck {
  readonly importId: string;
  readonly origin: string;
  readonly initialStock: number | null;
  readonly unknownWeight: UnknownWeightRule | null;
  readonly now: Date;
}

/** What the merchant does without. */
export interface ImportChoice {
  /** Products with errors are left out. */
  readonly isWithoutLeftOut?: boolean | undefined;
  /** Pictures of other sites that can't be loaded are left out. */
  readonly isWithoutMissing?: boolean | undefined;
}

/** Refused: the file can't be checked, and would fail again. Stopped: with the shop, and to be checked again. */
type CheckOutcome =
  | { readonly outcome: 'stored' | 'cancelled' | 'stopped' }
  | { readonly outcome: 'refused'; readonly message: string };

export type ApplyResult =
  | { readonly ok: true; readonly found: ImportRow }
  | { readonly ok: false; readonly reason: 'not-found' | 'not-checked' | 'running' | PriceRefusal }
  | { readonly ok: false; readonly reason: 'has-errors'; readonly leftOut: number }
  | { readonly ok: false; readonly reason: 'outdated'; readonly message: string };

/** The queue runs the check again. */
class StoppedCheck extends Error {
  override readonly name = 'StoppedCheck';
}

export class Imports {
  readonly #options: ImportsOptions;

  constructor(options: ImportsOptions) {
    this.#options = options;
  }

  /** Stores a file and starts its check; null while another import runs. */
  async upload(file: { filename: string; content: Uint8Array }, by: StaffActor): Promise<ImportRow | null> {
    const { db, clock, jobs } = this.#options;
    const id = uuidv7();
    const isStored = await transact(db, async (tx) => {
      if (!(await store.insertImport(tx, { id, ...file, userId: by.userId, now: clock.now() }))) return false;
      await jobs.enqueue(tx, CATALOGUE_IMPORT_JOB, { import: id });
      const { filename, content } = file;
      await recordChange(tx, {
        at: clock.now(),
        by,
        action: 'import.uploaded',
        subject: { kind: 'import', id, name: filename },
        before: null,
        after: { filename, bytes: content.byteLength },
      });
      return true;
    });
    return isStored ? store.findImport(db, id) : null;
  }

  find(id: string): Promise<ImportRow | null> {
    return store.findImport(this.#options.db, id);
  }

  list(page: number) {
    return store.listImports(this.#options.db, toRowRange(page));
  }

  listProblems(id: string, page: number, filter: ProblemFilter = {}) {
    return store.listProblems(this.#options.db, id, filter, toRowRange(page));
  }

  /** Without changes of costs for a role that may not see figures. */
  async listChangedProducts(id: string, page: number, role: string) {
    const { rows, total } = await store.listChangedProducts(this.#options.db, id, toRowRange(page));
    const hasCosts = mayUse(role, 'reports');
    const toShown = (changes: readonly Change[]) => changes.filter((change) => hasCosts || !isCostChange(change));
    return { rows: rows.map((row) => ({ ...row, changes: toShown(row.changes) })), total };
  }

  /**
   * Starts to apply a checked import: loads its pictures of other sites first. If some can't be loaded, it becomes
   * checked again, unless it is applied without them. Products with errors are left out only if that is chosen.
   */
  async apply(
    id: string,
    by: StaffActor,
    { isWithoutLeftOut = false, isWithoutMissing = false }: ImportChoice = {},
  ): Promise<ApplyResult> {
    const { db, clock, jobs } = this.#options;
    const found = await this.find(id);
    if (found === null) return { ok: false, reason: 'not-found' };
    if (found.state !== 'checked') return { ok: false, reason: 'not-checked' };
    const leftOut = found.leftOutProducts;
    if (leftOut > 0 && !isWithoutLeftOut) return { ok: false, reason: 'has-errors', leftOut };
    const message = await describeOutdated(db, id);
    if (message !== null) {
      await this.#changeState(id, ['checked'], 'outdated', message);
      return { ok: false, reason: 'outdated', message };
    }
    // A product that changed after the check makes the import outdated, so its reductions are still those of the file.
    const reducedBy = found.largestReduction ?? WHOLE_BASIS_POINTS;
    const refused = this.#options.priceGuard(by, { isChanged: true, reducedBy });
    if (refused !== null) return { ok: false, reason: refused };
    const isStarted = await transact(db, async (tx) => {
      if (!(await store.startApplying(tx, id, { by: by.userId, isWithoutMissing }))) return false;
      if (!isWithoutMissing) await pictureStore.forgetProblems(tx, id);
      await jobs.enqueue(tx, CATALOGUE_IMPORT_JOB, { import: id });
      await recordChange(tx, {
        at: clock.now(),
        by,
        action: 'import.started',
        subject: { kind: 'import', id, name: found.filename },
        before: { state: 'checked' },
        after: { state: 'applying', without_missing_pictures: isWithoutMissing, left_out_products: leftOut },
      });
      return true;
    });
    const present = await this.find(id);
    return isStarted && present ? { ok: true, found: present } : { ok: false, reason: 'running' };
  }

  /** Cancels an import that is not applied yet. False if there is none, or it has ended. */
  cancel(id: string, by: StaffActor): Promise<boolean> {
    const { db, clock } = this.#options;
    return transact(db, async (tx) => {
      const found = await store.findImport(tx, id);
      const from = ['checking', 'checked', 'applying'] as const;
      const change = { from, to: 'cancelled', message: null, now: clock.now() } as const;
      if (found === null || !(await store.changeState(tx, id, change))) return false;
      await recordChange(tx, {
        at: change.now,
        by,
        action: 'import.cancelled',
        subject: { kind: 'import', id, name: found.filename },
        before: { state: found.state },
        after: { state: 'cancelled' },
      });
      return true;
    });
  }

  /** As `exportProducts`, with costs for a role that may see figures. */
  exportProductsFor(role: string, request: Omit<ExportRequest, 'hasCosts'>, signal?: AbortSignal) {
    return this.exportProducts({ ...request, hasCosts: mayUse(role, 'reports') }, signal);
  }

  /** The catalogue as CSV, in pieces. @param signal stops it */
  exportProducts(request: ExportRequest, signal?: AbortSignal): AsyncIterable<string> {
    const { db, origin } = this.#options;
    return exportProducts(db, origin, request, signal);
  }

  /** Deletes old imports. */
  deleteOld(): Promise<void> {
    const { db, clock } = this.#options;
    return store.deleteImports(db, new Date(clock.now().getTime() - RETENTION_MS));
  }

  /** The job: continues an import from its stored state. Idempotent. */
  async run({ import: id = '' }: JobData): Promise<void> {
    const { db, log } = this.#options;
    const found = await store.findImport(db, id);
    if (found === null || !isRunning(found.state)) return;
    const attempt = await store.countAttempt(db, id);
    if (attempt > MAX_ATTEMPTS) return this.#fail(found, 'The import did not finish after several attempts');
    try {
      await (found.state === 'checking' ? this.#check(found) : this.#apply(found));
    } catch (error) {
      if (error instanceof CancelledImport) return;
      if (error instanceof StoppedCheck) {
        await store.uncountAttempt(db, id);
        throw error;
      }
      if (error instanceof OutdatedImport) {
        await this.#changeState(id, ['applying'], 'outdated', error.message);
        return;
      }
      const isFinal = attempt === MAX_ATTEMPTS || isUniqueViolation(error) || isCheckViolation(error);
      // The queue tries again.
      if (!isFinal || isDatabaseUnavailable(error)) throw error;
      log.error({ err: error, import: id }, 'an import of the catalogue failed');
      await this.#fail(found, 'An unexpected error occurred. The catalogue was not changed');
    }
  }

  async #fail({ id, state }: ImportRow, message: string): Promise<void> {
    await this.#changeState(id, [state], 'failed', message);
  }

  /** A file whose check reached a limit is not checked again. */
  async #check(found: ImportRow): Promise<void> {
    const { clock, origin, check, stockAdjustments, getUnknownWeight } = this.#options;
    const checked = await check({
      importId: found.id,
      origin,
      initialStock: stockAdjustments.initialStock,
      unknownWeight: getUnknownWeight(),
      now: clock.now(),
    });
    if (checked.outcome === 'stopped') throw new StoppedCheck('the check was stopped with the shop');
    if (checked.outcome === 'refused') await this.#fail(found, checked.message);
  }

  async #apply(found: ImportRow): Promise<void> {
    const { id, filename, createdProducts, changedProducts, unchangedProducts, leftOutProducts, appliedBy } = found;
    const { db, clock, onApplied, pictures, stockAdjustments, revisions } = this.#options;
    if (found.pictures > 0 && !(await this.#loadPictures(found))) return;
    const by = appliedBy === null ? null : await store.findActor(db, appliedBy);
    if (by === null) return this.#fail(found, 'The account that started the import was deleted');
    await resolveTargets(db, id);
    await applyImport({
      db,
      stockAdjustments,
      pictures,
      importId: id,
      filename,
      by,
      counts: { createdProducts, changedProducts, unchangedProducts, leftOutProducts },
      now: () => clock.now(),
      onProgress: (progress) => this.#setProgress(id, 'applying', progress),
    });
    await revisions.announce();
    onApplied();
    await analyzeCatalogue(db);
  }

  /** False if the import can't go on now: another job continues it, or the merchant has to decide. */
  async #loadPictures({ id, appliedBy, isWithoutMissing }: ImportRow): Promise<boolean> {
    const { db, clock, jobs, pictures } = this.#options;
    if (appliedBy === null) throw new CancelledImport();
    const isDone = await loadPictures({
      db,
      importId: id,
      pictures,
      userId: appliedBy,
      now: () => clock.now(),
      until: performance.now() + MAX_LOADING_MS,
      onProgress: (progress) => this.#setProgress(id, 'applying', progress),
    });
    if (!isDone) {
      await transact(db, (tx) => jobs.enqueue(tx, CATALOGUE_IMPORT_JOB, { import: id }));
      return false;
    }
    return transact(db, async (tx) => {
      if ((await pictureStore.countMissing(tx, id)) === 0 || isWithoutMissing) return true;
      await store.changeState(tx, id, { from: ['applying'], to: 'checked', now: clock.now() });
      return false;
    });
  }

  async #setProgress(id: string, state: ImportState, progress: Progress): Promise<void> {
    if (!(await store.setProgress(this.#options.db, id, state, progress))) throw new CancelledImport();
  }

  #changeState(id: string, from: readonly ImportState[], to: ImportState, message?: string): Promise<boolean> {
    const { db, clock } = this.#options;
    return store.changeState(db, id, { from, to, message: message ?? null, now: clock.now() });
  }
}
