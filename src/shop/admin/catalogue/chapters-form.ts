/** Chapters of a product as they are typed. */
import { keepPictures } from '#src/shop/catalogue/chapters/chapters.ts';
import type { Chapter } from '#src/shop/catalogue/chapters/chapters.ts';

export const NEW_CHAPTER: Chapter = { picture: null, figure: '', title: '', sentence: '' };

const REQUIRED = [
  ['figure', 'Enter a figure, such as 22 hours'],
  ['title', 'Enter the line of the figure, such as of video on one charge'],
  ['sentence', 'Enter a sentence'],
] as const;

/**
 * What the API takes. Messages by its field names are added to `problems`.
 * @param pictures of the product. A chapter whose picture was removed has none
 */
export function readChaptersForm(
  chapters: readonly Chapter[],
  pictures: readonly { readonly path: string }[],
  problems: Record<string, string>,
): readonly Chapter[] {
  for (const [index, chapter] of chapters.entries()) {
    for (const [field, message] of REQUIRED) {
      if (chapter[field].trim() === '') problems[`chapters.${index}.${field}`] = message;
    }
  }
  return keepPictures(chapters, new Set(pictures.map(({ path }) => path)));
}
