import { z } from 'zod';
import { filledText, id, rowVersion } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { MAX_ANSWER_LENGTH, MAX_TITLE_LENGTH } from './canned-answer.ts';

const cannedAnswer = z.object({
  id,
  title: z.string(),
  text: z.string(),
  version: z.int().positive(),
});
export type CannedAnswer = z.input<typeof cannedAnswer>;

const fields = { title: filledText(MAX_TITLE_LENGTH), text: filledText(MAX_ANSWER_LENGTH) };
const response = z.object({ answer: cannedAnswer });

export const cannedAnswersApi = {
  'GET /support/canned-answers': {
    summary: 'Staff: canned answers by title',
    response: z.object({ answers: z.array(cannedAnswer) }),
    refusals: { 403: 'forbidden' },
  },
  'POST /support/canned-answers': {
    summary: 'Staff: creates a canned answer; at most 500. {name} and {order} are placeholders',
    body: z.object(fields),
    status: 201,
    response,
    failureMessage: 'The answer was not created',
    refusals: { 403: 'forbidden', 409: 'title-taken, too-many' },
  },
  'PUT /support/canned-answers/{id}': {
    summary: 'Staff: changes a canned answer, unless it was changed since the version was read',
    params: z.object({ id }),
    body: z.object({ ...fields, version: rowVersion(1) }),
    response,
    failureMessage: 'The answer was not saved',
    refusals: { 403: 'forbidden', 404: 'not-found', 409: 'changed-meanwhile, title-taken' },
  },
  'DELETE /support/canned-answers/{id}': {
    summary: 'Staff: deletes a canned answer',
    params: z.object({ id }),
    response: z.object({ message: z.literal('success') }),
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
} as const satisfies Contract;
