/** Pictures of a product by value id. */
export type ValuePictures = Readonly<Record<string, readonly string[]>>;

/**
 * Pictures for the chosen values: those of the first value that has any, otherwise those of the
 * product.
 * @param valueIds chosen values in any order; at most one should have pictures
 */
export function selectPictures(
  productPictures: readonly string[],
  ofValues: ValuePictures,
  valueIds: readonly string[],
): readonly string[] {
  return valueIds.map((id) => ofValues[id] ?? []).find((pictures) => pictures.length > 0) ?? productPictures;
}
