import { createNotFound, Refusal } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import type { contactApi } from './contract.ts';
import type { AnswerResult, ContactInbox } from './inbox.service.ts';
import type { Contact } from './service.ts';

const working: Limit = { points: 300, seconds: 60, by: 'caller' };
/** Each answer is a mail. */
const answering: Limit = { points: 60, seconds: 60, by: 'caller' };

function toAnswerRefusal({ reason }: Exclude<AnswerResult, { ok: true }>): Refusal {
  switch (reason) {
    case 'not-found':
      return createNotFound();
    case 'answered-meanwhile':
      return new Refusal(409, 'answered-meanwhile', 'This message was answered meanwhile. Read the answer first');
    case 'spam':
      return new Refusal(409, 'spam', 'This message is marked as spam');
    default:
      return reason satisfies never;
  }
}

export function createContactRoutes(contact: Contact, inbox: ContactInbox): RoutesOf<typeof contactApi> {
  return {
    'POST /contact': {
      who: 'anyone',
      // The service limits stored messages more strictly.
      limit: { points: 60, seconds: 60, by: 'ip' },
      handle: async ({ body: { subject = '', website = '', ...draft }, caller: { ip } }) => {
        const received = await contact.submit({ ...draft, isSuspect: subject !== '' || website !== '', ip });
        return received.ok
          ? { message: 'success' }
          : new Refusal(429, 'too-often', 'Too many messages. Wait a few minutes.', received);
      },
    },
    'GET /support/contact-messages': {
      who: 'support',
      hasPersonalData: true,
      limit: working,
      handle: ({ query: { state = null, q = '', page = 1 } }) => inbox.list({ state, q: q.trim() }, page),
    },
    'GET /support/contact-messages/{id}': {
      who: 'support',
      hasPersonalData: true,
      limit: working,
      handle: async ({ params }) => {
        const message = await inbox.find(params.id);
        return message ? { message } : createNotFound();
      },
    },
    'POST /support/contact-messages/{id}/answers': {
      who: 'support',
      hasPersonalData: true,
      limit: answering,
      handle: async ({ params, body, caller }) => {
        const answered = await inbox.answer(params.id, body.text, body.seen_answer_id, toStaffActor(caller));
        return answered.ok ? { message: answered.message } : toAnswerRefusal(answered);
      },
    },
    'POST /support/contact-messages/{id}/state': {
      who: 'support',
      hasPersonalData: true,
      limit: working,
      handle: async ({ params, body, caller }) => {
        const message = await inbox.setDone(params.id, body.is_done, toStaffActor(caller));
        return message ? { message } : createNotFound();
      },
    },
    'POST /support/contact-messages/{id}/spam': {
      who: 'support',
      hasPersonalData: true,
      limit: working,
      handle: async ({ params, body, caller }) => {
        const message = await inbox.setSpam(params.id, body.is_spam, toStaffActor(caller));
        return message ? { message } : createNotFound();
      },
    },
    'DELETE /support/contact-messages/{id}': {
      who: 'support',
      limit: working,
      handle: async ({ params, caller }) =>
        (await inbox.remove(params.id, toStaffActor(caller))) ? { message: 'success' } : createNotFound(),
    },
  };
}
