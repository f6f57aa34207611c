/** Loads the pictures of other sites that an import needs, before it is applied. */
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { TimeSlice } from '#src/platform/process/time-slice.ts';
import * as store from './pictures.store.ts';
import type { ImportPicture } from './pictures.store.ts';
import { resolveTarget } from './resolve-pictures.ts';
import type { TargetPictures } from './resolve-pictures.ts';
import type { Progress } from './store.ts';

export type LoadedPicture =
  | { readonly ok: true; readonly path: string }
  /** Why it was not loaded, for staff. */
  | { readonly ok: false; readonly problem: string };

/** The pictures of the shop, and how it gets those of other sites. */
export interface PictureSource {
  /** Those of these paths that the shop does not have. */
  listMissing(paths: ReadonlySet<string>): Promise<ReadonlySet<string>>;
  /** Those of these paths that are missing. The others can't be deleted until the transaction ends. */
  lock(tx: Db, paths: readonly string[]): Promise<ReadonlySet<string>>;
  /** Downloads a picture of another site and stores it, after the checks of an upload. */
  load(url: string, userId: string): Promise<LoadedPicture>;
}

/** Downloads at once. */
const CONCURRENCY = 3;

export interface LoadRequest {
  readonly db: Db;
  readonly importId: string;
  readonly pictures: Pick<PictureSource, 'load' | 'listMissing'>;
  readonly userId: string;
  readonly now: () => Date;
  /** The job ends then, and another one continues. */
  readonly until: number;
  /** Rejects if the import was cancelled. */
  readonly onProgress: (progress: Progress) => Promise<void>;
}

/** Loads what is not loaded yet, so that it continues after a crash. False: there was not enough time. */
export async function loadPictures({ db, importId, pictures, userId, now, until, onProgress }: LoadRequest) {
  const listed = await store.listImportPictures(db, importId);
  const missing = await pictures.listMissing(new Set(listed.flatMap(({ path }) => path ?? [])));
  const isOpen = ({ path, problem }: ImportPicture): boolean =>
    problem === null && (path === null || missing.has(path));
  const open = listed.filter(isOpen);
  let done = listed.length - open.length;
  const load = async ({ position, url }: ImportPicture): Promise<void> => {
    const loaded = await pictures.load(url, userId);
    if (loaded.ok) {
      await transact(db, (tx) => store.recordLoaded(tx, importId, { position, url, path: loaded.path, now: now() }));
    } else await store.recordProblem(db, importId, position, loaded.problem);
    done += 1;
  };
  const queue = open.values();
  let hasFailed = false;
  const work = async (): Promise<void> => {
    for (const picture of queue) {
      if (hasFailed) return;
      await onProgress({ phase: 'pictures', done, total: listed.length });
      await load(picture);
      if (performance.now() > until) return;
    }
  };
  const stop = (error: unknown): never => {
    hasFailed = true;
    throw error;
  };
  // The job does not end before its last download.
  const ended = await Promise.allSettled(Array.from({ length: CONCURRENCY }, () => work().catch(stop)));
  for (const outcome of ended) if (outcome.status === 'rejected') throw outcome.reason;
  return done === listed.length;
}

/** Puts the loaded pictures into the planned products, and leaves out the others. Idempotent. */
export async function resolveTargets(db: Db, importId: string): Promise<void> {
  const listed = await store.listImportPictures(db, importId);
  if (listed.length === 0) return;
  const known = new Map(
    listed.flatMap(({ url, path, problem }) => (path === null || problem !== null ? [] : [[url, path] as const])),
  );
  const slice = new TimeSlice();
  let after = 0;
  for (;;) {
    const batch = await store.listTargets(db, importId, after);
    const changed = [];
    for (const { target, ...staged } of batch) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `createTarget`
      const resolved = resolveTarget(JSON.parse(target) as TargetPictures, known, staged.isNew);
      changed.push({ ...staged, target: JSON.stringify(resolved) });
      await slice.pause();
    }
    const last = batch.at(-1);
    if (last === undefined) return;
    await store.replaceTargets(db, importId, changed);
    after = last.position;
  }
}
