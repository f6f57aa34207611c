/** Responses to refused changes of texts. */
import { createConflict, createNotFound, Refusal } from '#src/platform/http/call.ts';
import { TOO_COMPLEX } from '#src/platform/markdown/markdown-document.ts';
import { MAX_QUESTIONS } from './faq/contract.ts';
import type { RefusedChange } from './change.service.ts';

const CONFLICTS: Readonly<Record<Exclude<RefusedChange, 'not-found' | 'changed-meanwhile'>, string>> = {
  'too-many': `There are ${MAX_QUESTIONS} questions already. Delete one first`,
  unchanged: 'The draft is the published text. Change it first',
  'no-picture': 'A picture is not in the library any more. Choose it again',
  'no-draft': 'There is no draft. Save one first',
  'too-complex': `The draft ${TOO_COMPLEX}`,
};

export function refuseChange(reason: RefusedChange): Refusal {
  if (reason === 'not-found') return createNotFound();
  return reason === 'changed-meanwhile' ? createConflict('this text') : new Refusal(409, reason, CONFLICTS[reason]);
}

/** Null if there are no messages. */
export const refuseTexts = (fields: Readonly<Record<string, string>>): Refusal | null =>
  Object.keys(fields).length > 0 ? createInvalid(fields) : null;

/** @param fields messages by field */
export const createInvalid = (fields: Readonly<Record<string, string>>): Refusal =>
  new Refusal(400, 'invalid', 'The request contains invalid values', { fields });
