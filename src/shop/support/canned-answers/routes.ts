import { createConflict, createNotFound, Refusal } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import type { cannedAnswersApi } from './contract.ts';
import type { CannedAnswerResult, CannedAnswers } from './service.ts';

const working: Limit = { points: 120, seconds: 60, by: 'caller' };

const respond = (changed: CannedAnswerResult) => {
  if (changed.ok) return { answer: changed.answer };
  switch (changed.reason) {
    case 'not-found':
      return createNotFound();
    case 'changed-meanwhile':
      return createConflict('this answer');
    case 'title-taken':
      return new Refusal(409, 'title-taken', 'Another answer has this title', { fields: { title: 'is taken' } });
    case 'too-many':
      return new Refusal(409, 'too-many', 'There are 500 answers already. Delete one first');
    default:
      return changed.reason satisfies never;
  }
};

export function createCannedAnswerRoutes(answers: CannedAnswers): RoutesOf<typeof cannedAnswersApi> {
  return {
    'GET /support/canned-answers': {
      who: 'support',
      limit: working,
      handle: async () => ({ answers: await answers.list() }),
    },
    'POST /support/canned-answers': {
      who: 'support',
      limit: working,
      handle: async ({ body, caller }) => respond(await answers.create(body, toStaffActor(caller))),
    },
    'PUT /support/canned-answers/{id}': {
      who: 'support',
      limit: working,
      handle: async ({ params, body: { version, ...draft }, caller }) =>
        respond(await answers.edit(params.id, version, draft, toStaffActor(caller))),
    },
    'DELETE /support/canned-answers/{id}': {
      who: 'support',
      limit: working,
      handle: async ({ params, caller }) =>
        (await answers.remove(params.id, toStaffActor(caller))) ? { message: 'success' } : createNotFound(),
    },
  };
}
