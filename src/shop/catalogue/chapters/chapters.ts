/** Chapters of a product: what its page shows in large type, each with one figure. */

export const MAX_CHAPTERS = 6;
export const MAX_FIGURE = 24;
export const MAX_TITLE = 60;
export const MAX_SENTENCE = 240;

export interface Chapter {
  /** Path of one of the product's pictures; null: none. */
  readonly picture: string | null;
  /** Such as '22 hours'. */
  readonly figure: string;
  /** The line of the figure. */
  readonly title: string;
  readonly sentence: string;
}

/** @param map returns the new path; null: none */
export const mapPictures = <Shown extends Pick<Chapter, 'picture'>>(
  chapters: readonly Shown[],
  map: (path: string) => string | null,
): readonly Shown[] =>
  chapters.map((chapter) => (chapter.picture === null ? chapter : { ...chapter, picture: map(chapter.picture) }));

/** The chapters without pictures that are none of these. */
export const keepPictures = <Shown extends Pick<Chapter, 'picture'>>(
  chapters: readonly Shown[],
  paths: ReadonlySet<string>,
): readonly Shown[] => mapPictures(chapters, (path) => (paths.has(path) ? path : null));
