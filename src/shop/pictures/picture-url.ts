/** URLs of pictures, from the paths that texts, settings and the catalogue store. */

const UPLOAD = /^\/images\/uploads\/[0-9a-f]{40}\.avif$/;
/** A picture of the demo catalogue. */
const CATALOGUE = /^\/images\/products\/.+\.avif$/;
/** Widths of the files of an uploaded picture. */
export const UPLOAD_WIDTHS: readonly number[] = [320, 640, 1024, 2048];

/** Whether the path is that of a picture of the library. */
export const isUploadPath = (path: string): boolean => UPLOAD.test(path);

/** Pictures of the catalogue and of texts are served below `/api`, other files as they are. */
export const toPictureUrl = (path: string): string => (path.startsWith('/images/') ? `/api${path}` : path);

const replaceEnd = (path: string, end: string): string =>
  toPictureUrl(isUploadPath(path) ? path.replace(/\.avif$/, end) : path);

/** A file of 320 pixels, for logos. */
export const toSmallPictureUrl = (path: string): string => replaceEnd(path, '-320.avif');

/** A JPEG, which link previews and search engines can read. */
export const toPreviewUrl = (path: string): string => replaceEnd(path, '.jpg');

/** @param side one of the sides that icons have: 16, 32, 180, 192, 512 */
export const toIconUrl = (path: string, side: number): string => replaceEnd(path, `-icon-${side}.png`);

/**
 * A JPEG of the first picture of a product or of one of its colours, which mail programs can show; null if there is none.
 */
export const findMailPictureUrl = (path: string): string | null =>
  isUploadPath(path) || CATALOGUE.test(path) ? toPictureUrl(path.replace(/\.avif$/, '.jpg')) : null;
