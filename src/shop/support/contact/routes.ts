import { Refusal } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { contactApi } from './contract.ts';
import type { Contact } from './service.ts';

export function createContactRoutes(contact: Contact): RoutesOf<typeof contactApi> {
  return {
    'POST /contact': {
      who: 'anyone',
      // The service limits stored messages more strictly.
      limit: { points: 60, seconds: 60, by: 'ip' },
      handle: async ({ body: { website = '', ...draft }, caller: { ip } }) => {
        const received = await contact.submit({ ...draft, isSuspect: website !== '', ip });
        return received.ok
          ? { message: 'success' }
          : new Refusal(429, 'too-often', 'Too many messages. Wait a few minutes.', received);
      },
    },
    'GET /support/contact-messages': {
      who: 'support',
      hasPersonalData: true,
      limit: { points: 300, seconds: 60, by: 'caller' },
      handle: ({ query }) => contact.list(query.page ?? 1),
    },
  };
}
