/** Uploaded pictures: where they are stored, and which slices show them. */
import { join } from 'node:path';
import { BucketStorage } from '#src/platform/pictures/bucket-storage.ts';
import { PictureConverter } from '#src/platform/pictures/converter.ts';
import { DiskStorage } from '#src/platform/pictures/disk-storage.ts';
import { findPictureUses } from '#src/shop/catalogue/pictures/service.ts';
import { findUsesInOrders } from '#src/shop/orders/ordered-pictures.service.ts';
import { findTextUses } from '#src/shop/content/home/pictures.service.ts';
import { Pictures } from '#src/shop/pictures/service.ts';
import type { PicturesOptions } from '#src/shop/pictures/service.ts';
import { findSettingUses } from '#src/shop/shop-settings/pictures.service.ts';
import type { Settings } from './settings.ts';

type Parts = Pick<PicturesOptions, 'db' | 'clock' | 'log' | 'limits'>;

const FINDERS: readonly PicturesOptions['findUses'][] = [
  findPictureUses,
  findUsesInOrders,
  findTextUses,
  findSettingUses,
];

/** What shows each of these pictures. */
const findUses: PicturesOptions['findUses'] = async (db, paths) => {
  const found: Awaited<ReturnType<(typeof FINDERS)[number]>>[] = [];
  for (const find of FINDERS) found.push(await find(db, paths));
  const uses = paths.map((path) => [path, found.flatMap((byPath) => byPath.get(path) ?? [])] as const);
  return new Map(uses.filter(([, ofPath]) => ofPath.length > 0));
};

/** Files of returns, which customers upload, can't fill the storage of the library. */
const RETURN_FILES_DIVISOR = 4n;

/** Pictures in a bucket or in the data directory. */
export function createPictures({ uploads, dataDir }: Pick<Settings, 'uploads' | 'dataDir'>, parts: Parts) {
  const { bucket, maxBytes } = uploads;
  const storage = bucket === null ? new DiskStorage(join(dataDir, 'uploads')) : new BucketStorage(bucket);
  /** One for all pictures, so that accounts take turns. */
  const pictureConverter = new PictureConverter(parts.log);
  return {
    pictureConverter,
    pictures: new Pictures({ ...parts, storage, converter: pictureConverter, maxBytes, findUses }),
    /** Besides those of the library. */
    returnFilesMaxBytes: maxBytes / RETURN_FILES_DIVISOR,
  };
}
