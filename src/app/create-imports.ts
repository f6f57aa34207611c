import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseConnection } from '#src/platform/database/database-url.ts';
import { DownloadError, Downloads } from '#src/platform/pictures/download.ts';
import { Imports } from '#src/shop/catalogue/imports/service.ts';
import type { LoadedPicture, PictureSource } from '#src/shop/catalogue/imports/pictures.service.ts';
import { MAX_UPLOAD_BYTES } from '#src/shop/pictures/check-picture.ts';
import { describeUploadProblem } from '#src/shop/pictures/service.ts';
import type { Pictures } from '#src/shop/pictures/service.ts';
import type { StockAdjustments } from '#src/shop/inventory/adjustments/service.ts';
import { createImportChecker } from './import-checker.ts';
import { createMissingFinder } from './missing-pictures.ts';
import type { Foundation } from './open-foundation.ts';
import { resolveShopUrl } from './settings.ts';
import type { Settings } from './settings.ts';
import { hasWeightPrices } from '#src/shop/shipping/compute-shipping.ts';

const BUSY_MS = 1_000;

/** Pictures of the library and of the installation, and downloads of those of other sites. */
export function createPictureSource(
  pictures: Pick<Pictures, 'findMissingUploads' | 'listMissing' | 'uploadForImport'>,
  downloads = new Downloads(),
): PictureSource {
  const load = async (url: string, userId: string): Promise<LoadedPicture> => {
    const bytes = await downloads.download(url, MAX_UPLOAD_BYTES);
    for (;;) {
      const uploaded = await pictures.uploadForImport(bytes, userId);
      if (uploaded.ok) return { ok: true, path: uploaded.picture.path };
      if (uploaded.reason !== 'busy') return { ok: false, problem: describeUploadProblem(uploaded) };
      await sleep(BUSY_MS);
    }
  };
  return {
    listMissing: createMissingFinder((paths) => pictures.listMissing(paths)),
    lock: async (tx, paths) => new Set(await pictures.findMissingUploads(tx, paths)),
    load: async (url, userId) => {
      try {
        return await load(url, userId);
      } catch (error) {
        if (error instanceof DownloadError) return { ok: false, problem: error.message };
        throw error;
      }
    },
  };
}

export interface Importing {
  readonly imports: Imports;
  /** Ends running checks of files, which continue after the next start. */
  readonly importChecks: AbortController;
}

export function createImports(
  settings: Settings,
  { clock, db, jobs, log, pictures, priceGuard, revisions, shipping }: Foundation,
  connection: DatabaseConnection,
  stockAdjustments: StockAdjustments,
  onApplied: () => void,
): Importing {
  const importChecks = new AbortController();
  const imports = new Imports({
    db,
    clock,
    log,
    jobs,
    revisions,
    priceGuard,
    getUnknownWeight: () => (hasWeightPrices(shipping.current) ? shipping.current.unknownWeight : null),
    stockAdjustments,
    onApplied,
    check: createImportChecker(connection, importChecks.signal),
    origin: new URL(resolveShopUrl(settings)).origin,
    pictures: createPictureSource(pictures),
  });
  return { imports, importChecks };
}
