/** Turns a device by drags, presses and keys. Loaded when a device is first touched. */
import type { TurningPicture } from '../turning.ts';
import { FRAME_COUNT } from '../turning.ts';
import { findFrameOfKey, PARTS, scaleRegion, toCanvasSide, toFrame } from '../turning-steps.ts';

/** Movements below this, in px, are presses. */
const LEAST_MOVEMENT = 6;
/** A press turns by 45 degrees. */
const PRESS_FRAMES = 3;
/** A drag over this many widths of the region is a full turn. */
const WIDTHS_PER_TURN = 2;
const GLIDE_MS = 160;
/** Frames per ms: slower movements do not glide on, and a glide ends. */
const LEAST_SPEED = 0.006;
/** A pointer that rested this long before its release does not glide. */
const REST_MS = 80;

export type TurnState = 'still' | 'ready' | 'failed' | number;

export interface TurnerOptions {
  readonly picture: TurningPicture;
  readonly still: HTMLImageElement;
  readonly canvas: HTMLCanvasElement;
  /** Called with the frame that is shown. */
  readonly onFrame: (frame: number) => void;
  /** Called with the share of frames that are loaded, from 0 to 1, and how loading ends. */
  readonly onState: (state: TurnState) => void;
}

export interface Turner {
  /** A pointer or key event of the slider. */
  readonly handle: (event: Event) => void;
  readonly retry: () => void;
  readonly stop: () => void;
}

interface Drag {
  readonly id: number;
  readonly startX: number;
  readonly start: number;
  readonly hasMoved: boolean;
  readonly x: number;
  readonly at: number;
  /** Frames per ms. */
  readonly speed: number;
}

/** Nothing is loaded before the first movement, press or key. */
export function createTurner(options: TurnerOptions): Turner {
  const { picture, still, onState } = options;
  const view = createView(options);
  let drag: Drag | null = null;
  let frames: 'none' | 'loading' | 'loaded' = 'none';

  const load = async (): Promise<void> => {
    if (frames !== 'none') return;
    frames = 'loading';
    onState(0);
    try {
      const [loaded] = await Promise.all([loadFrames(picture.frames, onState), still.decode()]);
      view.show(loaded);
      frames = 'loaded';
      onState('ready');
    } catch {
      frames = 'none';
      view.stop();
      view.turnTo(0);
      onState('failed');
    }
  };
  const down = ({ button, pointerId, clientX, timeStamp, isPrimary }: PointerEvent): void => {
    if (button !== 0 || !isPrimary) return;
    const start = view.stop();
    drag = { id: pointerId, startX: clientX, start, hasMoved: false, x: clientX, at: timeStamp, speed: 0 };
  };
  const move = ({ pointerId, clientX, timeStamp }: PointerEvent): void => {
    if (drag?.id !== pointerId) return;
    if (!drag.hasMoved && Math.abs(clientX - drag.startX) < LEAST_MOVEMENT) return;
    const perPixel = view.measureFramesPerPixel();
    const speed = ((clientX - drag.x) * perPixel) / Math.max(timeStamp - drag.at, 1);
    drag = { ...drag, hasMoved: true, x: clientX, at: timeStamp, speed };
    view.turnTo(drag.start + (clientX - drag.startX) * perPixel);
    void load();
  };
  const up = ({ type, pointerId, timeStamp }: PointerEvent): void => {
    const ended = drag;
    if (ended?.id !== pointerId) return;
    drag = null;
    if (type === 'pointercancel') return;
    if (!ended.hasMoved) view.glide(PRESS_FRAMES / GLIDE_MS);
    else if (timeStamp - ended.at < REST_MS) view.glide(ended.speed);
    void load();
  };
  const press = ({ key }: KeyboardEvent): void => {
    const frame = findFrameOfKey(key, toFrame(view.stop()));
    if (frame === null) return;
    view.turnTo(frame);
    void load();
  };
  const handle = (event: Event): void => {
    if (event instanceof KeyboardEvent) press(event);
    else if (!(event instanceof PointerEvent)) return;
    else if (event.type === 'pointerdown') down(event);
    else if (event.type === 'pointermove') move(event);
    else up(event);
  };
  return { handle, retry: () => void load(), stop: () => void view.stop() };
}

/** Loads all frames, or fails with the first that cannot be loaded; then it reports nothing more. */
async function loadFrames(
  urls: readonly string[],
  onLoaded: (share: number) => void,
): Promise<readonly HTMLImageElement[]> {
  let loaded = 0;
  let hasFailed = false;
  const load = async (url: string): Promise<HTMLImageElement> => {
    const image = new Image();
    image.src = url;
    await image.decode();
    loaded += 1;
    if (!hasFailed) onLoaded(loaded / urls.length);
    return image;
  };
  try {
    return await Promise.all(urls.map(load));
  } catch (error) {
    hasFailed = true;
    throw error;
  }
}

/** What is shown: the position, in frames, which a glide may change. The still picture until there are frames. */
function createView({ picture, still, canvas, onFrame }: TurnerOptions) {
  let frames: readonly HTMLImageElement[] | null = null;
  let position = 0;
  let glideFrame = 0;

  const draw = (): void => {
    if (frames === null) return;
    const frame = toFrame(position);
    const image = frames[frame - 1];
    if (image !== undefined) drawFrame(canvas, still, image, picture.region);
    onFrame(frame);
  };
  const turnTo = (wanted: number): void => {
    position = wanted;
    draw();
  };
  const stop = (): number => {
    cancelAnimationFrame(glideFrame);
    return position;
  };
  /** @param speed in frames per ms; without motion only presses turn, at once */
  const glide = (speed: number): void => {
    const start = position;
    const end = Math.round(start + speed * GLIDE_MS);
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
      if (speed === PRESS_FRAMES / GLIDE_MS) turnTo(end);
      return;
    }
    if (Math.abs(speed) < LEAST_SPEED) return;
    const startedAt = performance.now();
    const step = (now: number): void => {
      const rest = Math.exp(-Math.max(now - startedAt, 0) / GLIDE_MS);
      const isOver = Math.abs(speed) * rest < LEAST_SPEED;
      turnTo(isOver ? end : start + speed * GLIDE_MS * (1 - rest));
      if (!isOver) glideFrame = requestAnimationFrame(step);
    };
    glideFrame = requestAnimationFrame(step);
  };
  return {
    turnTo,
    stop,
    glide,
    show: (loaded: readonly HTMLImageElement[]): void => {
      frames = loaded;
      draw();
    },
    measureFramesPerPixel: (): number =>
      (FRAME_COUNT * PARTS) / (still.clientWidth * picture.region.width * WIDTHS_PER_TURN),
  };
}

function drawFrame(
  canvas: HTMLCanvasElement,
  still: HTMLImageElement,
  frame: HTMLImageElement,
  region: TurningPicture['region'],
): void {
  const side = toCanvasSide(still.clientWidth * devicePixelRatio);
  const context = canvas.getContext('2d');
  if (context === null) return;
  canvas.width = side;
  canvas.height = side;
  const [x, y, width, height] = scaleRegion(region, side);
  context.imageSmoothingQuality = 'high';
  context.drawImage(still, 0, 0, side, side);
  context.clearRect(x, y, width, height);
  context.drawImage(frame, x, y, width, height);
}
