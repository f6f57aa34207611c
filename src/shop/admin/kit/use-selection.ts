import type { MouseEvent } from 'react';
import { useRef, useState } from 'react';

interface Selection {
  /** Ids of the selected rows, in the order of the list. */
  readonly ids: readonly string[];
  readonly clear: () => void;
  readonly selectAll: (isSelected: boolean) => void;
  /** Of the element around the boxes. */
  readonly listeners: {
    readonly ref: (element: HTMLElement | null) => void;
    readonly onClick: (event: MouseEvent<HTMLElement>) => void;
    readonly onChange: () => void;
  };
}

/**
 * Which boxes named `id` are checked. With Shift, a click selects all boxes between it and the one before. The boxes
 * keep their state themselves, so that a form with them works without a script.
 *
 * @param all the values of the boxes
 */
export function useSelection(all: readonly string[]): Selection {
  const container = useRef<HTMLElement | null>(null);
  const last = useRef<HTMLInputElement | null>(null);
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set());
  const listBoxes = (): HTMLInputElement[] => [
    ...(container.current?.querySelectorAll<HTMLInputElement>('input[type="checkbox"][name="id"]') ?? []),
  ];
  const read = (): void => setChecked(new Set(listBoxes().flatMap((box) => (box.checked ? [box.value] : []))));
  const setAll = (boxes: readonly HTMLInputElement[], isSelected: boolean): void => {
    for (const box of boxes) {
      box.checked = isSelected;
      // A live reload must know that rows are selected.
      box.dispatchEvent(new Event('input', { bubbles: true }));
    }
    read();
  };
  const select = ({ target, shiftKey }: MouseEvent<HTMLElement>): void => {
    if (!(target instanceof HTMLInputElement) || target.name !== 'id') return;
    const boxes = listBoxes();
    const [from, to] = [boxes.indexOf(last.current ?? target), boxes.indexOf(target)];
    last.current = target;
    if (shiftKey && from !== -1) setAll(boxes.slice(Math.min(from, to), Math.max(from, to) + 1), target.checked);
  };
  return {
    ids: all.filter((id) => checked.has(id)),
    clear: () => setAll(listBoxes(), false),
    selectAll: (isSelected) => setAll(listBoxes(), isSelected),
    listeners: {
      ref: (element) => {
        container.current = element;
        // A browser may restore boxes, and a visitor may check them before the page is hydrated.
        if (element !== null && listBoxes().some((box) => box.checked && !checked.has(box.value))) read();
      },
      onClick: select,
      onChange: read,
    },
  };
}
