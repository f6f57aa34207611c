import type { PageContext } from '#src/storefront/page/page-context.ts';
import { PAGE_SIZE } from './use-conversation.ts';

/** A ticket with its newest messages, and a link to the return that it is about. */
export async function loadConversation(call: PageContext['call'], id: string) {
  const params = { id };
  const [ticket, messages, found] = await Promise.all([
    call('GET /tickets/{id}', { params }),
    call('GET /tickets/{id}/messages', { params, query: { limit: String(PAGE_SIZE) } }),
    // The ticket is shown without it.
    call('GET /tickets/{id}/return', { params }).catch(() => null),
  ]);
  const one = found?.return ?? null;
  const about = one && { to: `/dashboard/returns/${one.id}`, text: `View return ${one.reference}` };
  return { ticket, messages, about };
}
