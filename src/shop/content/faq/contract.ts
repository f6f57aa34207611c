import { z } from 'zod';
import { filledText, id, queryInteger, rowVersion } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';

export const faqItem = z.object({ id, question: z.string(), answer: z.string() });
export type FaqItem = z.input<typeof faqItem>;

export const MAX_QUESTIONS = 100;
const question = filledText(200);
const answer = filledText(4000);
/** As the client read it; a change of something newer is refused. */
const version = rowVersion(1);

const storedFaq = z.object({
  /** Version of the order: changes with each question that is added, moved or deleted. */
  version: z.int().nonnegative(),
  /** As stored: with placeholders. */
  items: z.array(faqItem.extend({ version })),
});
export type StoredFaq = z.input<typeof storedFaq>;
export type StoredQuestion = StoredFaq['items'][number];

const params = z.object({ id });
const CHANGED = { 403: 'forbidden', 404: 'not-found', 409: 'changed-meanwhile' };

export const faqApi = {
  'GET /faq': { summary: 'Lists frequently asked questions with their answers', response: z.array(faqItem) },
  'GET /content/faq': {
    summary: 'Staff: the questions as stored, with their versions',
    response: storedFaq,
    refusals: { 403: 'forbidden' },
  },
  'POST /content/faq': {
    summary: 'Staff: adds a question at the end',
    body: z.object({ question, answer }),
    status: 201,
    response: storedFaq,
    refusals: { 403: 'forbidden', 409: 'too-many' },
  },
  'PUT /content/faq/{id}': {
    summary: 'Staff: changes a question, unless it was changed meanwhile',
    params,
    body: z.object({ version, question, answer }),
    response: storedFaq,
    refusals: CHANGED,
  },
  'DELETE /content/faq/{id}': {
    summary: 'Staff: deletes a question, unless it was changed meanwhile',
    params,
    query: z.object({ version: queryInteger(1, 999_999_999) }),
    response: storedFaq,
    refusals: CHANGED,
  },
  'PUT /content/faq-order': {
    summary: 'Staff: puts the questions in the order of these ids, unless the order was changed meanwhile',
    body: z.object({ version: rowVersion(0), ids: z.array(id).min(1).max(MAX_QUESTIONS) }),
    response: storedFaq,
    refusals: { 403: 'forbidden', 409: 'changed-meanwhile' },
  },
} as const satisfies Contract;
