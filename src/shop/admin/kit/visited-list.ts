/** The list from which an item was opened, for the way to its neighbours. Kept by the tab. */
import { useEffect, useMemo } from 'react';
import { readOfTab, writeOfTab } from '#src/ui/browser/tab-storage.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';

export interface ListedItem {
  readonly id: string;
  /** What a person calls it. */
  readonly name: string;
}

export interface Neighbours {
  readonly previous: ListedItem | null;
  readonly next: ListedItem | null;
}

const toKey = (kind: string): string => `visited_list_${kind}`;

const isItem = (value: unknown): value is ListedItem =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'string' &&
  'name' in value &&
  typeof value.name === 'string';

/** Remembers the items of a list that is shown, in its order. */
export function useVisitedList(kind: string, items: readonly ListedItem[]): void {
  const text = JSON.stringify(items);
  useEffect(() => writeOfTab(toKey(kind), JSON.parse(text)), [kind, text]);
}

/** Those of the list that was shown last; null if the item is not in it. */
function findNeighbours(kind: string, id: string): Neighbours | null {
  const list = readOfTab(toKey(kind));
  const items = Array.isArray(list) ? list.filter(isItem) : [];
  const index = items.findIndex((item) => item.id === id);
  return index === -1 ? null : { previous: items[index - 1] ?? null, next: items[index + 1] ?? null };
}

/** The neighbours of an item in the list from which it was opened; otherwise, and on the server, the given ones. */
export function useNeighbours(kind: string, id: string, others: Neighbours): Neighbours {
  const isHydrated = useHydrated();
  const found = useMemo(() => (isHydrated ? findNeighbours(kind, id) : null), [isHydrated, kind, id]);
  return found ?? others;
}
