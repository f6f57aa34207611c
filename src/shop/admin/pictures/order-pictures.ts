/** A picture of a list that a form edits. */
export interface PictureValue {
  /** Path in the catalogue. */
  readonly path: string;
  readonly alt: string;
  /** Widths of its files, if they are not those of the library. */
  readonly widths?: readonly number[];
}

/** Moves one item. Positions outside of the list are moved to its ends. */
export function moveItem<T>(items: readonly T[], from: number, to: number): readonly T[] {
  const item = items[from];
  if (item === undefined) return items;
  const rest = items.toSpliced(from, 1);
  return rest.toSpliced(Math.min(Math.max(to, 0), rest.length), 0, item);
}

/** Appends uploaded pictures that the list lacks. A list with one place gets the newest picture. */
export function addPictures(
  pictures: readonly PictureValue[],
  added: readonly PictureValue[],
  maximum: number,
): readonly PictureValue[] {
  const missing = added.filter(({ path }) => pictures.every((picture) => picture.path !== path));
  return maximum === 1 ? [...pictures, ...missing].slice(-1) : [...pictures, ...missing].slice(0, maximum);
}
