import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DownloadError, Downloads } from '#src/platform/pictures/download.ts';
import { Imports } from '#src/shop/catalogue/imports/service.ts';
import type { ImportsOptions } from '#src/shop/catalogue/imports/service.ts';
import type { LoadedPicture, PictureSource } from '#src/shop/catalogue/imports/pictures.service.ts';
import { isUploadPath, MAX_UPLOAD_BYTES } from '#src/shop/pictures/check-picture.ts';
import { describeUploadProblem } from '#src/shop/pictures/service.ts';
import type { Pictures } from '#src/shop/pictures/service.ts';
import { resolveShopUrl } from './settings.ts';
import type { Settings } from './settings.ts';

const BUSY_MS = 1_000;

const isFile = (path: string): Promise<boolean> =>
  access(join('public', path)).then(
    () => true,
    () => false,
  );

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
    listMissing: async (paths) => {
      const missing = new Set(await pictures.listMissing([...paths]));
      for (const path of paths) if (!isUploadPath(path) && !(await isFile(path))) missing.add(path);
      return missing;
    },
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

export const createImports = (
  settings: Settings,
  foundation: Pick<ImportsOptions, 'db' | 'clock' | 'log' | 'jobs' | 'revisions' | 'priceGuard'> & {
    readonly pictures: Pictures;
  },
  { onApplied, stockAdjustments }: Pick<ImportsOptions, 'onApplied' | 'stockAdjustments'>,
): Imports =>
  new Imports({
    ...foundation,
    stockAdjustments,
    onApplied,
    origin: new URL(resolveShopUrl(settings)).origin,
    pictures: createPictureSource(foundation.pictures),
  });
