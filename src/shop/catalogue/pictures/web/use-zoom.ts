import type { KeyboardEvent } from 'react';
import { useLayoutEffect } from 'react';
import { toggleZoom, WHOLE, zoomAt } from '../zoom.ts';
import type { Point } from '../zoom.ts';
import { NOWHERE, useGestures } from './use-gestures.ts';
import { useView } from './use-view.ts';
import type { ViewerParts } from './use-view.ts';

/** Of a key. */
const ZOOM_STEP = 1.5;
const KEY_DISTANCE = 80;
/** How far the row follows beyond its first and last picture. */
const RESISTANCE = 0.3;

const ARROWS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: 1, y: 0 },
  ArrowRight: { x: -1, y: 0 },
  ArrowUp: { x: 0, y: 1 },
  ArrowDown: { x: 0, y: -1 },
};

/** Pages may have no style in an attribute. */
function place(element: HTMLElement | null, transform: string): void {
  if (element) element.style.transform = transform;
}

interface ZoomOptions extends ViewerParts {
  readonly index: number;
  readonly count: number;
  readonly onShow: (index: number) => void;
  readonly onClose: () => void;
}

/** Zooms and moves the picture of a viewer, and turns its pages, by pointers, wheel and keys. */
export function useZoom({ stage, track, index, count, onShow, onClose }: ZoomOptions) {
  const picture = useView({ stage, track });
  const { view, latest, change } = picture;
  const show = (next: number): void => {
    if (next < 0 || next >= count || next === index) return;
    change(() => WHOLE);
    onShow(next);
  };
  const { drag, handlers } = useGestures(picture, (meaning) => {
    if (meaning === 'close') onClose();
    else show(index + (meaning === 'next' ? 1 : -1));
  });

  useLayoutEffect(() => {
    const { x, y } = drag ?? NOWHERE;
    const isBeyond = (x > 0 && index === 0) || (x < 0 && index === count - 1);
    const row = track.current;
    place(row, `translateX(calc(${index * -100}% + ${isBeyond ? x * RESISTANCE : x}px))`);
    const transform = `translate(${view.x}px, ${view.y + Math.max(y, 0)}px) scale(${view.scale})`;
    for (const one of row?.querySelectorAll('img') ?? []) place(one, one.closest('[data-shown]') ? transform : '');
  }, [track, index, count, view, drag]);

  const zoomBy = (factor: number): void => change((before) => zoomAt(before, before.scale * factor, NOWHERE));
  const moveBy = ({ x, y }: Point): void => {
    const { scale, x: former } = latest.current;
    if (scale > 1) change((before) => ({ ...before, x: before.x + x * KEY_DISTANCE, y: before.y + y * KEY_DISTANCE }));
    // What is zoomed is moved to its edge first.
    if (x !== 0 && (scale === 1 || latest.current.x === former)) show(index - x);
  };
  const keys: Readonly<Record<string, () => void>> = {
    '+': () => zoomBy(ZOOM_STEP),
    '=': () => zoomBy(ZOOM_STEP),
    '-': () => zoomBy(1 / ZOOM_STEP),
    0: () => change(() => WHOLE),
    Home: () => show(0),
    End: () => show(count - 1),
  };
  const press = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, altKey } = event;
    const arrow = ARROWS[key];
    const act = arrow ? () => moveBy(arrow) : keys[key];
    if (act === undefined || ctrlKey || metaKey || altKey) return;
    event.preventDefault();
    act();
  };

  return {
    isZoomed: view.scale > 1,
    isDragging: drag !== null,
    show,
    /** Zooms in at the centre, or out again. */
    toggle: () => change((before, maxScale) => toggleZoom(before, NOWHERE, maxScale)),
    press,
    /** Of the stage. */
    handlers,
  };
}
