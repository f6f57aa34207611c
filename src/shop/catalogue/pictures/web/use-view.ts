import type { RefObject } from 'react';
import { useEffect, useRef, useState } from 'react';
import { useEventCallback } from '#src/ui/react/use-event-callback.ts';
import { findMaxScale, fitInto, limitView, WHOLE, zoomAt } from '../zoom.ts';
import type { Point, Size, View } from '../zoom.ts';

/** A mouse wheel turns by far more than a touchpad at once. */
const MOST_WHEEL = 30;
const WHEEL_SPEED = 0.01;

export interface ViewerParts {
  readonly stage: RefObject<HTMLElement | null>;
  /** The row of pictures, in which the shown one has `data-shown`. */
  readonly track: RefObject<HTMLElement | null>;
}

/** Returns the next view, from the present one and the largest scale. */
type NextView = (view: View, maxScale: number) => View;

/** The picture that a viewer shows. */
const findPicture = (track: HTMLElement | null) => track?.querySelector<HTMLImageElement>('[data-shown] img');

interface Measured {
  readonly fitted: Size;
  readonly room: Size;
  readonly maxScale: number;
}

/** Null without a picture: it could not be loaded. */
function measure({ stage, track }: ViewerParts): Measured | null {
  const picture = findPicture(track.current);
  if (!picture || !stage.current) return null;
  const { clientWidth: width, clientHeight: height } = picture;
  const { clientWidth, clientHeight } = stage.current;
  // Natural sizes are those of `sizes`, and unknown before the file is loaded; the attribute is the width of the file.
  const file = { width: picture.naturalWidth || width, height: picture.naturalHeight || height };
  const fitted = fitInto(file, { width, height });
  return {
    fitted,
    room: { width: clientWidth, height: clientHeight },
    maxScale: findMaxScale(Number(picture.getAttribute('width')), fitted.width),
  };
}

const limit = (view: View, { fitted, room, maxScale }: Measured): View => limitView(view, fitted, room, maxScale);

/** Where the shown picture lies on the stage, within its limits. */
export function useView(parts: ViewerParts) {
  const [view, setView] = useState(WHOLE);
  // Several events may come before the next render.
  const latest = useRef(WHOLE);
  const change = useEventCallback((next: NextView) => {
    const measured = measure(parts);
    latest.current = measured === null ? WHOLE : limit(next(latest.current, measured.maxScale), measured);
    setView(latest.current);
  });
  /** A point of the window, relative to the centre of the stage. */
  const toPoint = ({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }): Point => {
    const { left = 0, top = 0, width = 0, height = 0 } = parts.stage.current?.getBoundingClientRect() ?? {};
    return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
  };
  const turn = useEventCallback((event: WheelEvent) => {
    const { deltaX, deltaY, ctrlKey } = event;
    // Without Ctrl, a wheel moves only what is zoomed.
    if (ctrlKey) {
      event.preventDefault();
      const step = Math.min(Math.max(deltaY, -MOST_WHEEL), MOST_WHEEL);
      change((before) => zoomAt(before, before.scale * Math.exp(-step * WHEEL_SPEED), toPoint(event)));
    } else {
      change((before) => (before.scale > 1 ? { ...before, x: before.x - deltaX, y: before.y - deltaY } : before));
    }
  });
  useEffect(() => {
    const element = parts.stage.current;
    if (!element) return undefined;
    // A listener of React could not prevent the browser's own zoom.
    element.addEventListener('wheel', turn, { passive: false });
    const observer = new ResizeObserver(() => change((before) => before));
    observer.observe(element);
    return () => {
      element.removeEventListener('wheel', turn);
      observer.disconnect();
    };
  }, [parts.stage, turn, change]);
  return { view, latest, change, toPoint };
}

export type ViewOfPicture = ReturnType<typeof useView>;
