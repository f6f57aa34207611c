/** Pictures of a product by the value that they show. */
export type ValuePictures = Readonly<Record<string, readonly string[]>>;

/**
 * The pictures of a product as it is chosen: those of the first chosen value that has some, or else its own.
 * @param valueIds the chosen values, in any order: at most one of them is expected to have pictures
 */
export function selectPictures(
  own: readonly string[],
  ofValues: ValuePictures,
  valueIds: readonly string[],
): readonly string[] {
  return valueIds.map((id) => ofValues[id] ?? []).find((pictures) => pictures.length > 0) ?? own;
}
