/** The list with the item at `index` moved by `by` places, within the list. */
export function moveItem<T>(list: readonly T[], index: number, by: number): readonly T[] {
  const target = Math.min(list.length - 1, Math.max(0, index + by));
  const item = list[index];
  if (item === undefined || target === index) return list;
  return list.toSpliced(index, 1).toSpliced(target, 0, item);
}

/** The list with the item at `index` replaced. */
export const replaceItem = <T>(list: readonly T[], index: number, item: T): readonly T[] => list.with(index, item);
