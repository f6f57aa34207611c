import type { ReactNode, SyntheticEvent } from 'react';
import { useEffect, useRef, useState } from 'react';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import type { TurningPicture } from '../turning.ts';
import { describeFrame, MAX_DEGREES, toDegrees } from '../turning.ts';
import type { Turner, TurnState } from './turn-device.ts';
import styles from './turning-device.module.css';

interface TurningDeviceProps {
  readonly turning: TurningPicture;
  /** The still picture, perhaps in a link. */
  readonly children: ReactNode;
}

const KEYS = /^(?:Arrow(?:Left|Right|Up|Down)|Home|End|PageUp|PageDown)$/;

/**
 * A picture in which a device can be turned. Code and frames are loaded when it is used; without JavaScript there is
 * only the picture.
 */
export function TurningDevice({ turning, children }: TurningDeviceProps) {
  const isHydrated = useHydrated();
  const { stage, canvas, frame, state, use, retry } = useTurner(turning);
  const events = { onPointerDown: use, onPointerMove: use, onPointerUp: use, onPointerCancel: use, onKeyDown: use };
  const isLoading = typeof state === 'number';
  return (
    <div ref={stage} className={styles.stage} data-turned={frame !== 0 || undefined}>
      {children}
      <canvas ref={canvas} className="device" aria-hidden hidden={frame === 0} />
      {isHydrated && (
        <div
          {...events}
          className={styles.slider}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a range input has a thumb, and ends where it turns on
          role="slider"
          tabIndex={0}
          aria-label={`Turn the ${turning.name}`}
          aria-valuemin={0}
          aria-valuemax={MAX_DEGREES}
          aria-valuenow={toDegrees(frame)}
          aria-valuetext={describeFrame(frame)}
          aria-busy={isLoading || undefined}
        >
          {state !== 'failed' && (
            <span className={styles.hint}>{isLoading ? `Loading… ${Math.round(state * 100)}%` : 'Drag to turn'}</span>
          )}
        </div>
      )}
      <output className="visually-hidden">{isLoading && 'Loading the other views'}</output>
      {state === 'failed' && (
        <p role="alert" className={styles.failure}>
          The other views could not be loaded.{' '}
          <button type="button" onClick={retry}>
            Try again
          </button>
        </p>
      )}
    </div>
  );
}

function useTurner(turning: TurningPicture) {
  const stage = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const turner = useRef<Turner | null>(null);
  /** Events while the code is loaded; null before and after. */
  const queue = useRef<Event[] | null>(null);
  const [frame, setFrame] = useState(0);
  const [state, setState] = useState<TurnState>('still');
  useEffect(() => () => turner.current?.stop(), []);

  const load = async (): Promise<void> => {
    queue.current ??= [];
    try {
      const { createTurner } = await import('./turn-device.ts');
      const still = stage.current?.querySelector('img');
      if (!still || !canvas.current) return;
      const options = { picture: turning, still, canvas: canvas.current, onFrame: setFrame, onState: setState };
      turner.current ??= createTurner(options);
      for (const event of queue.current) turner.current.handle(event);
    } catch {
      setState('failed');
    } finally {
      queue.current = null;
    }
  };
  const use = (event: SyntheticEvent<HTMLElement>): void => {
    const { nativeEvent } = event;
    if (nativeEvent instanceof KeyboardEvent) {
      if (nativeEvent.ctrlKey || nativeEvent.metaKey || nativeEvent.altKey || !KEYS.test(nativeEvent.key)) return;
      event.preventDefault();
    }
    if (nativeEvent instanceof PointerEvent && nativeEvent.type === 'pointerdown') {
      event.currentTarget.setPointerCapture(nativeEvent.pointerId);
    }
    if (turner.current) turner.current.handle(nativeEvent);
    else if (queue.current) queue.current.push(nativeEvent);
    else if (nativeEvent.type === 'pointerdown' || nativeEvent.type === 'keydown') {
      queue.current = [nativeEvent];
      void load();
    }
  };
  const retry = (): void => {
    // Browsers do not request a module again that could not be loaded.
    if (!turner.current) return location.reload();
    // The button that has the focus is removed.
    stage.current?.querySelector<HTMLElement>('[role="slider"]')?.focus();
    turner.current.retry();
  };
  return { stage, canvas, frame, state, use, retry };
}
