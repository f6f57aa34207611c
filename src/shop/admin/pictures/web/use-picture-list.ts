import { useRef, useState } from 'react';
import { moveItem } from '../order-pictures.ts';
import type { PictureValue } from '../order-pictures.ts';
import { useFocusAfterChange } from '#src/ui/form/use-focus-after-change.ts';

interface Removed {
  readonly picture: PictureValue;
  readonly position: number;
}

/** Order and removal of pictures. The focus follows the picture, and `status` says what happened. */
export function usePictureList(value: readonly PictureValue[], onChange: (value: readonly PictureValue[]) => void) {
  const list = useRef<HTMLDivElement>(null);
  const [removed, setRemoved] = useState<Removed | null>(null);
  const [status, setStatus] = useState('');
  const focusAfterChange = useFocusAfterChange(list, value);

  const move = (from: number, to: number, button: 'earlier' | 'later' | null): void => {
    if (to < 0 || to >= value.length || from === to) return;
    // The button is disabled at the end, so the other one gets the focus.
    const ends: Readonly<Record<number, string>> = { [value.length - 1]: 'earlier', 0: 'later' };
    if (button !== null) focusAfterChange(`[data-position="${to}"] [data-move="${ends[to] ?? button}"]`);
    setStatus(`Moved to position ${to + 1} of ${value.length}`);
    onChange(moveItem(value, from, to));
  };
  const remove = (position: number): void => {
    const picture = value[position];
    if (picture === undefined) return;
    focusAfterChange('[data-undo]');
    setRemoved({ picture, position });
    setStatus('');
    onChange(value.toSpliced(position, 1));
  };
  const undo = (): void => {
    if (removed === null) return;
    const position = Math.min(removed.position, value.length);
    focusAfterChange(`[data-position="${position}"] [data-remove]`);
    setRemoved(null);
    setStatus('The picture is back');
    onChange(value.filter(({ path }) => path !== removed.picture.path).toSpliced(position, 0, removed.picture));
  };
  return { list, removed, status, setStatus, move, remove, undo, forget: () => setRemoved(null) };
}
