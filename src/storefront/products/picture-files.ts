import { isUploadPath, toPictureUrl, UPLOAD_WIDTHS } from '#src/shop/pictures/picture-url.ts';

const CATALOGUE_WIDTHS: readonly number[] = [320, 640, 1024];

/** Widths in px of the files of a product's picture: of the picture library, or of the demo catalogue. */
export const listPictureWidths = (path: string): readonly number[] =>
  isUploadPath(path) ? UPLOAD_WIDTHS : CATALOGUE_WIDTHS;

/** The largest file of a product's picture. */
export const toLargestPictureUrl = (path: string): string =>
  toPictureUrl(isUploadPath(path) ? path.replace(/\.avif$/, `-${Math.max(...UPLOAD_WIDTHS)}.avif`) : path);
