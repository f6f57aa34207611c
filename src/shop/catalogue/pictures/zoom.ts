/**
 * Where a picture lies in the viewer. Lengths are in CSS pixels; points are relative to the centre of the stage, in
 * which the whole picture is fitted at scale 1.
 */
export interface View {
  readonly scale: number;
  /** Distance of its centre from the centre of the stage. */
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export type Point = Pick<View, 'x' | 'y'>;

export const WHOLE: View = { scale: 1, x: 0, y: 0 };

/** Of a double tap. */
const TOGGLED_SCALE = 2.5;
const [LEAST_MAXIMUM, GREATEST_MAXIMUM] = [3, 8];

/** A movement is a swipe beyond this part of the width, or faster than this in px per ms. */
const SWIPE_PART = 0.25;
const SWIPE_SPEED = 0.4;
const LEAST_SWIPE = 30;
/** How far a picture is dragged down to close the viewer. */
const CLOSING_DRAG = 120;

const limit = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);

/** The size of a picture that is fitted into the stage. */
export function fitInto(picture: Size, stage: Size): Size {
  const factor = Math.min(stage.width / picture.width, stage.height / picture.height);
  return { width: picture.width * factor, height: picture.height * factor };
}

/** The scale at which a file has one of its pixels on each of the screen, but at least 3 and at most 8. */
export const findMaxScale = (fileWidth: number, fittedWidth: number): number =>
  limit(fileWidth / fittedWidth, LEAST_MAXIMUM, GREATEST_MAXIMUM);

/** Keeps the scale in its limits, and the stage covered where the picture is larger. */
export function limitView({ scale, x, y }: View, fitted: Size, stage: Size, maxScale: number): View {
  const limited = limit(scale, 1, maxScale);
  const [most, highest] = [
    Math.max((fitted.width * limited - stage.width) / 2, 0),
    Math.max((fitted.height * limited - stage.height) / 2, 0),
  ];
  return { scale: limited, x: limit(x, -most, most), y: limit(y, -highest, highest) };
}

/** Zooms so that what lies at a point stays there. */
export function zoomAt(view: View, scale: number, point: Point): View {
  const factor = scale / view.scale;
  return { scale, x: point.x - factor * (point.x - view.x), y: point.y - factor * (point.y - view.y) };
}

/** Moves and zooms so that what lay below two fingers stays below them. */
export function pinch(view: View, before: readonly [Point, Point], now: readonly [Point, Point]): View {
  const [middle, length] = measurePair(before);
  const [newMiddle, newLength] = measurePair(now);
  const zoomed = zoomAt(view, length > 0 ? (view.scale * newLength) / length : view.scale, middle);
  return { ...zoomed, x: zoomed.x + newMiddle.x - middle.x, y: zoomed.y + newMiddle.y - middle.y };
}

const measurePair = ([a, b]: readonly [Point, Point]): readonly [Point, number] => [
  { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 },
  Math.hypot(a.x - b.x, a.y - b.y),
];

/** After a double tap: zoomed in at the point, or the whole picture again. */
export const toggleZoom = (view: View, point: Point, maxScale: number): View =>
  view.scale > 1 ? WHOLE : zoomAt(view, Math.min(TOGGLED_SCALE, maxScale), point);

export interface Movement extends Point {
  readonly ms: number;
}

/** What a movement over the whole picture means: the next or previous picture, closing the viewer, or nothing. */
export function readMovement({ x, y, ms }: Movement, width: number): 'next' | 'previous' | 'close' | null {
  if (y > CLOSING_DRAG && y > Math.abs(x)) return 'close';
  const distance = Math.abs(x);
  const isFast = distance >= LEAST_SWIPE && distance > SWIPE_SPEED * ms;
  if (distance <= Math.abs(y) || !(isFast || distance > SWIPE_PART * width)) return null;
  return x < 0 ? 'next' : 'previous';
}
