import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { PictureSource } from '#src/shop/catalogue/imports/pictures.service.ts';
import { isUploadPath } from '#src/shop/pictures/check-picture.ts';

const isFile = (path: string): Promise<boolean> =>
  access(join('public', path)).then(
    () => true,
    () => false,
  );

/** Finds the paths that are neither pictures of the library nor of the installation. */
export const createMissingFinder =
  (listMissingUploads: (paths: readonly string[]) => Promise<readonly string[]>): PictureSource['listMissing'] =>
  async (paths) => {
    const missing = new Set(await listMissingUploads([...paths]));
    for (const path of paths) if (!isUploadPath(path) && !(await isFile(path))) missing.add(path);
    return missing;
  };
