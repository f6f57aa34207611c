/** Limits of a picture before it is decoded. */

export const MAX_PIXELS = 40_000_000;
const MAX_SIDE = 12_000;

interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** Whether a picture of this size may be decoded, in pixels. */
export const isDecodable = ({ width, height }: PictureSize): boolean =>
  width <= MAX_SIDE && height <= MAX_SIDE && width * height <= MAX_PIXELS;
