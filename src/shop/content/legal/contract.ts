import { z } from 'zod';
import { filledText, instant, MAX_INTEGER, rowVersion, textTokens } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { LEGAL_KINDS } from './legal-kind.ts';

const MAX_MARKDOWN = 60_000;
/** In UTF-8 a character takes up to four bytes, and JSON escapes some. */
const MAX_BODY_BYTES = 400_000;

const kind = z.enum(LEGAL_KINDS);
export const textDocument = z.object({
  intro: textTokens,
  sections: z.array(z.object({ id: z.string(), title: z.string(), tokens: textTokens })),
});
export type TextDocument = z.input<typeof textDocument>;

const number = z.int().min(1).max(MAX_INTEGER);
const publishedVersion = z.object({
  number,
  published_at: instant,
  /** Username; null for the texts of the demo shop. */
  published_by: z.string().nullable(),
});
const publicText = textDocument.extend({ summary: z.string(), number, published_at: instant });
export type PublicText = z.input<typeof publicText>;

const draft = z.object({
  summary: z.string(),
  markdown: z.string(),
  version: z.int().nonnegative(),
  updated_at: instant.nullable(),
  updated_by: z.string().nullable(),
  /** Whether it differs from the published text. */
  is_changed: z.boolean(),
});
const legalText = z.object({
  kind,
  draft,
  /** Newest first. The newest is in force. */
  versions: z.array(publishedVersion),
});
export type LegalText = z.input<typeof legalText>;
export type PublishedVersion = LegalText['versions'][number];

const source = { summary: filledText(200), markdown: filledText(MAX_MARKDOWN) };
/** As the client read it; 0 before the first draft. */
const version = rowVersion(0);
const params = z.object({ kind });

export const legalApi = {
  'GET /legal': {
    summary: 'Which legal texts are published',
    response: z.object({ kinds: z.array(kind) }),
  },
  'GET /legal/{kind}': {
    summary: 'The version of a legal text that is in force, as elements; a null ends the innermost one',
    params,
    response: publicText,
    refusals: { 404: 'not-found' },
  },
  'GET /content/legal/{kind}': {
    summary: 'Staff: the draft of a legal text, and its published versions',
    params,
    response: legalText,
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
  'GET /content/legal/{kind}/{number}': {
    summary: 'Staff: a published version of a legal text',
    params: params.extend({
      number: z.codec(z.string().regex(/^[1-9]\d{0,8}$/), number, { decode: Number, encode: String }),
    }),
    response: publishedVersion.extend({ summary: z.string(), markdown: z.string(), document: textDocument }),
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
  'PUT /content/legal/{kind}': {
    summary: 'Staff: saves the draft of a legal text, unless it was changed meanwhile',
    params,
    body: z.object({ version, ...source }),
    response: legalText,
    refusals: { 403: 'forbidden', 404: 'not-found', 409: 'changed-meanwhile' },
    maxBodyBytes: MAX_BODY_BYTES,
  },
  'POST /content/legal/{kind}/publish': {
    summary: 'Owner: publishes the draft as a new version, which never changes',
    params,
    body: z.object({ version }),
    response: legalText,
    refusals: { 401: 'reauth', 403: 'forbidden', 404: 'not-found', 409: 'changed-meanwhile' },
  },
  'POST /content/legal/{kind}/restore': {
    summary: 'Staff: makes a published version the draft, unless the draft was changed meanwhile',
    params,
    body: z.object({ version, number }),
    response: legalText,
    refusals: { 403: 'forbidden', 404: 'not-found', 409: 'changed-meanwhile' },
  },
  'POST /content/legal-preview': {
    summary: 'Staff: a legal text as its page would show it',
    body: z.object({ markdown: filledText(MAX_MARKDOWN) }),
    response: textDocument,
    refusals: { 403: 'forbidden' },
    maxBodyBytes: MAX_BODY_BYTES,
  },
} as const satisfies Contract;
