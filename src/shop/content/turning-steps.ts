/** Positions, keys and measures of a device that turns. Not in the first load of the home page. */
import type { TurningPicture } from './turning.ts';
import { FRAME_COUNT } from './turning.ts';

/** A region is in parts of the width of its picture. */
export const PARTS = 80;

/** @returns an integer from 0 to 23 for any position, in frames */
export const toFrame = (position: number): number => ((Math.round(position) % FRAME_COUNT) + FRAME_COUNT) % FRAME_COUNT;

/**
 * Side of a square canvas that shows the whole picture: the edges of the region are whole pixels.
 * @param width of the picture, in pixels of the screen
 */
export const toCanvasSide = (width: number): number => Math.min(Math.max(Math.ceil(width / PARTS), 1), 16) * PARTS;

/** The region in pixels of a canvas with this side. */
export function scaleRegion({ x, y, width, height }: TurningPicture['region'], side: number) {
  const scale = side / PARTS;
  return [x * scale, y * scale, width * scale, height * scale] as const;
}

/** The frame that a key leads to; null if the key does not turn. */
export function findFrameOfKey(key: string, frame: number): number | null {
  switch (key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return toFrame(frame + 1);
    case 'ArrowLeft':
    case 'ArrowDown':
      return toFrame(frame - 1);
    case 'PageUp':
      return toFrame(frame + 3);
    case 'PageDown':
      return toFrame(frame - 3);
    case 'Home':
      return 0;
    case 'End':
      return FRAME_COUNT - 1;
    default:
      return null;
  }
}
