/** Limits and paths of uploaded pictures. */
import { formatNumber } from '#src/shop/format-number.ts';

/** Largest upload. */
export const MAX_UPLOAD_BYTES = 20 * 1024 * 1024;
export const MAX_ALT_LENGTH = 300;

interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** As in "50,000 × 50,000". */
export const formatSize = ({ width, height }: PictureSize): string =>
  `${formatNumber(width)} × ${formatNumber(height)}`;

const UPLOADS = '/images/uploads/';
export const isUploadPath = (path: string): boolean => path.startsWith(UPLOADS);

/** Path of an uploaded picture in the catalogue. */
export const formatUploadPath = (hash: string): string => `${UPLOADS}${hash}.avif`;
