/** Pictures that were chosen with the request of a return, which its page uploads. */
const handed = new Map<string, readonly File[]>();

export const handPictures = (returnId: string, files: readonly File[]): void => void handed.set(returnId, files);

/** Once. */
export function takeHandedPictures(returnId: string): readonly File[] {
  const files = handed.get(returnId) ?? [];
  handed.delete(returnId);
  return files;
}
