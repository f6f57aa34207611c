/** Limits of a picture before it is decoded. */
import { formatNumber } from '#src/shop/format-number.ts';

/** Largest upload. */
export const MAX_UPLOAD_BYTES = 20 * 1024 * 1024;
const MAX_PIXELS = 40_000_000;
const MAX_SIDE = 12_000;
export const MAX_ALT_LENGTH = 300;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** As in "50,000 × 50,000". */
export const formatSize = ({ width, height }: Size): string => `${formatNumber(width)} × ${formatNumber(height)}`;

/** Whether a picture of this size may be decoded, in pixels. */
export const isDecodable = ({ width, height }: Size): boolean =>
  width <= MAX_SIDE && height <= MAX_SIDE && width * height <= MAX_PIXELS;

const UPLOADS = '/images/uploads/';
export const isUploadPath = (path: string): boolean => path.startsWith(UPLOADS);

/** Path of an uploaded picture in the catalogue. */
export const formatUploadPath = (hash: string): string => `${UPLOADS}${hash}.avif`;
