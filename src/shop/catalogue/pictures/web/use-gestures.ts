import type { MouseEvent, PointerEvent } from 'react';
import { useRef, useState } from 'react';
import { pinch, readMovement, toggleZoom } from '../zoom.ts';
import type { Point } from '../zoom.ts';
import type { ViewOfPicture } from './use-view.ts';

/** Movements below this are presses. */
const LEAST_MOVEMENT = 8;
const DOUBLE_TAP_MS = 300;
const DOUBLE_TAP_DISTANCE = 30;
export const NOWHERE: Point = { x: 0, y: 0 };

interface Gesture {
  readonly start: Point;
  /** Time in ms. */
  readonly at: number;
  readonly hasMoved: boolean;
  /** Two fingers took part. */
  readonly isPinch: boolean;
  readonly isMouse: boolean;
}

const subtract = (a: Point, b: Point): Point => ({ x: a.x - b.x, y: a.y - b.y });
const measureDistance = ({ x, y }: Point): number => Math.hypot(x, y);

const isDoubleTap = (last: Gesture | null, tap: Gesture): boolean =>
  last !== null &&
  tap.at - last.at < DOUBLE_TAP_MS &&
  measureDistance(subtract(tap.start, last.start)) < DOUBLE_TAP_DISTANCE;

/**
 * Pointers on the stage: two fingers pinch, one moves what is zoomed or drags the whole picture, and a double tap or a
 * click zooms.
 * @param onMoved called when the whole picture was dragged away
 */
export function useGestures(
  { latest, change, toPoint }: ViewOfPicture,
  onMoved: (meaning: 'next' | 'previous' | 'close') => void,
) {
  /** How far the whole picture is dragged; null while no pointer is down. */
  const [drag, setDrag] = useState<Point | null>(null);
  const pointers = useRef(new Map<number, Point>());
  const gesture = useRef<Gesture | null>(null);
  /** The last press without a movement; null after a double tap. */
  const lastTap = useRef<Gesture | null>(null);

  const toggleAt = (point: Point): void => change((view, maxScale) => toggleZoom(view, point, maxScale));
  // The second click of a double click is not another one.
  const click = (event: MouseEvent): void => {
    if (lastTap.current?.isMouse && event.detail === 1) toggleAt(toPoint(event));
  };
  const down = (event: PointerEvent): void => {
    // The button of a failed picture is pressed as any other.
    const isOnButton = event.target instanceof Element && event.target.closest('button') !== null;
    if (event.button !== 0 || isOnButton) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const start = toPoint(event);
    pointers.current.set(event.pointerId, start);
    const isPinch = pointers.current.size > 1;
    const isMouse = event.pointerType === 'mouse';
    gesture.current = { start, at: event.timeStamp, hasMoved: isPinch, isPinch, isMouse };
    setDrag(NOWHERE);
  };
  const move = (event: PointerEvent): void => {
    const before = pointers.current.get(event.pointerId);
    const { current } = gesture;
    if (before === undefined || current === null) return;
    const point = toPoint(event);
    pointers.current.set(event.pointerId, point);
    const [other] = [...pointers.current].flatMap(([id, at]) => (id === event.pointerId ? [] : [at]));
    if (other !== undefined) {
      change((view) => pinch(view, [before, other], [point, other]));
      return;
    }
    const { x, y } = subtract(point, current.start);
    if (!current.hasMoved && measureDistance({ x, y }) < LEAST_MOVEMENT) return;
    gesture.current = { ...current, hasMoved: true };
    const step = subtract(point, before);
    if (latest.current.scale > 1) change((view) => ({ ...view, x: view.x + step.x, y: view.y + step.y }));
    else if (!current.isPinch) setDrag(Math.abs(x) > Math.abs(y) ? { x, y: 0 } : { x: 0, y });
  };
  const up = (event: PointerEvent): void => {
    const { current } = gesture;
    if (!pointers.current.delete(event.pointerId) || current === null || pointers.current.size > 0) return;
    gesture.current = null;
    setDrag(null);
    if (current.hasMoved) lastTap.current = null;
    if (event.type === 'pointercancel' || current.isPinch) return;
    if (!current.hasMoved) {
      const isDouble = !current.isMouse && isDoubleTap(lastTap.current, current);
      lastTap.current = isDouble ? null : current;
      if (isDouble) toggleAt(current.start);
    } else if (latest.current.scale === 1) {
      const moved = { ...subtract(toPoint(event), current.start), ms: event.timeStamp - current.at };
      const meaning = readMovement(moved, event.currentTarget.clientWidth);
      if (meaning !== null) onMoved(meaning);
    }
  };
  return {
    drag,
    handlers: {
      onPointerDown: down,
      onPointerMove: move,
      onPointerUp: up,
      onPointerCancel: up,
      onClick: click,
    },
  };
}
