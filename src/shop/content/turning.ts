/** Pictures in which a device can be turned: the frames of a full turn. See art/README.md. */

/** Each shows the device 15 degrees further; the first is the still picture itself. */
export const FRAME_COUNT = 24;
const DEGREES = 360 / FRAME_COUNT;

export interface TurningPicture {
  /** What turns. */
  readonly name: string;
  /** The part of the picture that the frames replace, in 80ths of its width. */
  readonly region: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  /** URLs by frame; the first frame has none. */
  readonly frames: readonly string[];
}

/** Same as in art/brand.py. */
const HERO_REGION = { x: 49, y: 29, width: 30, height: 45 };

/** What the picture with this path can show; null if it only has one view, such as an uploaded picture. */
export function findTurningPicture(path: string): TurningPicture | null {
  if (path !== '/images/hero.avif') return null;
  const frames = Array.from(
    { length: FRAME_COUNT - 1 },
    (_, index) => `/api/images/hero-turn/${String(index + 1).padStart(2, '0')}.avif`,
  );
  return { name: 'iPhone', region: HERO_REGION, frames };
}

/** How far the device is turned, in degrees. */
export const toDegrees = (frame: number): number => frame * DEGREES;
export const MAX_DEGREES = toDegrees(FRAME_COUNT - 1);

/** For screen readers. */
export function describeFrame(frame: number): string {
  if (frame === 0) return 'back';
  return frame * 2 === FRAME_COUNT ? 'front' : `${toDegrees(frame)} degrees`;
}
