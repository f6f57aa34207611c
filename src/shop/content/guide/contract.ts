import { z } from 'zod';
import { filledText, instant, rowVersion } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { textDocument } from '../legal/contract.ts';

const MAX_MARKDOWN = 15_000;
/** In UTF-8 a character takes up to four bytes, and JSON escapes some. */
const MAX_BODY_BYTES = 100_000;

const source = { lead: filledText(200), markdown: filledText(MAX_MARKDOWN) };
export const guideBody = z.object(source);
const version = rowVersion(0);

const storedGuide = z.object({
  /** Sent with a change, which is refused if the text was changed meanwhile. */
  version,
  /** False: the standard text. */
  is_own: z.boolean(),
  lead: z.string(),
  markdown: z.string(),
  updated_at: instant.nullable(),
  updated_by: z.string().nullable(),
});
export type StoredGuide = z.input<typeof storedGuide>;

const shownGuide = textDocument.extend({ lead: z.string() });
export type ShownGuide = z.input<typeof shownGuide>;

const refusals = { 403: 'forbidden', 409: 'changed-meanwhile' } as const;

export const guideApi = {
  'GET /guide': {
    summary: 'How to buy, as elements; a null ends the innermost one',
    response: shownGuide,
  },
  'GET /content/guide': {
    summary: 'Staff: the text about how to buy as stored, or the standard text',
    response: storedGuide,
    refusals: { 403: 'forbidden' },
  },
  'PUT /content/guide': {
    summary: 'Staff: changes the text about how to buy, unless it was changed meanwhile',
    body: z.object({ version, ...source }),
    response: storedGuide,
    refusals,
    maxBodyBytes: MAX_BODY_BYTES,
  },
  'POST /content/guide/reset': {
    summary: 'Staff: replaces the own text about how to buy by the standard text',
    body: z.object({ version }),
    response: storedGuide,
    refusals,
  },
} as const satisfies Contract;
