/** Chapters of a product, as the API takes and sends them. */
import { z } from 'zod';
import { filledText, listOf, listUpTo } from '#src/shop/codecs.ts';
import { picturePath } from '../pictures/contract.ts';
import * as limits from './chapters.ts';

export const enteredChapters = listUpTo(
  limits.MAX_CHAPTERS,
  z.object({
    /** One of the product's pictures; null: none. */
    picture: picturePath.nullable().default(null),
    figure: filledText(limits.MAX_FIGURE),
    title: filledText(limits.MAX_TITLE),
    sentence: filledText(limits.MAX_SENTENCE),
  }),
);

/** In the order of the page. */
export const chapters = listOf(
  z.object({ picture: z.string().nullable(), figure: z.string(), title: z.string(), sentence: z.string() }),
);
