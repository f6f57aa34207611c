import type { Db } from '#src/platform/database/database.ts';
import { isUploadPath } from './check-picture.ts';
import { listMissing } from './store.ts';

/** Those of these paths that would be uploads but do not exist. */
export async function listMissingUploads(db: Db, paths: readonly string[]): Promise<readonly string[]> {
  const uploads = paths.filter(isUploadPath);
  return uploads.length === 0 ? [] : listMissing(db, uploads);
}
