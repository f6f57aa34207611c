import { Refusal } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import type { cannedAnswersApi } from './contract.ts';
import type { CannedAnswerRow, CannedAnswers } from './service.ts';

const working: Limit = { points: 120, seconds: 60, by: 'caller' };

const respond = (changed: CannedAnswerRow | Refusal) => (changed instanceof Refusal ? changed : { answer: changed });

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
      handle: async ({ params, caller }) => {
        const removed = await answers.remove(params.id, toStaffActor(caller));
        return removed instanceof Refusal ? removed : { message: 'success' };
      },
    },
  };
}
