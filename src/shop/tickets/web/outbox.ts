/** What was written and is not yet kept: it stays, whatever page one goes to, until it is sent or the page is left. */
import type { Message } from '#src/shop/tickets/contract.ts';
import { isApiFailure, isRefusal } from '#src/web/api.ts';
import { call } from '#src/web/call.ts';
import { logFault } from '#src/web/log-fault.ts';
import { createStore } from '#src/web/store.ts';
import { waitText } from '#src/web/wait-text.ts';

export interface Unsent {
  /** Sent again under the same name, it is kept once. */
  readonly clientId: string;
  readonly ticketId: string;
  readonly text: string;
  readonly at: string;
  /** The newest message that was known then. */
  readonly behind: string | null;
  /** Why it could not be sent; null while it is under way. */
  readonly failure: string | null;
}

const outbox = createStore<{ readonly unsent: readonly Unsent[] }>({ unsent: [] });
/** Of all tickets, oldest first. */
export const useUnsent = (): readonly Unsent[] => outbox.use(({ unsent }) => unsent);

/** One after the other: they are to arrive in the order in which they were written. */
let last: Promise<unknown> = Promise.resolve();

export function send(words: Pick<Unsent, 'ticketId' | 'text' | 'behind'>, onKept: (message: Message) => void): void {
  const unsent = { ...words, clientId: crypto.randomUUID(), at: new Date().toISOString(), failure: null };
  outbox.update({ unsent: [...outbox.get().unsent, unsent] });
  sendInTurn(unsent, onKept);
}

export function sendAgain(unsent: Unsent, onKept: (message: Message) => void): void {
  change(unsent.clientId, { failure: null });
  sendInTurn(unsent, onKept);
}

export function discard({ clientId }: Unsent): void {
  outbox.update({ unsent: outbox.get().unsent.filter((one) => one.clientId !== clientId) });
}

function sendInTurn(unsent: Unsent, onKept: (message: Message) => void): void {
  last = last.then(() => post(unsent, onKept));
}

async function post(unsent: Unsent, onKept: (message: Message) => void): Promise<void> {
  const { clientId, ticketId, text } = unsent;
  try {
    const body = { ticket_id: ticketId, message: text, client_id: clientId };
    const message = await call('POST /tickets/messages', { body });
    onKept(message);
    discard(unsent);
  } catch (error) {
    if (!isRefusal(error)) logFault('a message was not sent', error);
    change(clientId, { failure: failureOf(error) });
  }
}

function failureOf(error: unknown): string {
  if (!isApiFailure(error)) return 'Not sent.';
  if (error.status === 0) return 'Not sent: the shop did not answer.';
  if (error.status === 429) return `Not sent: too many messages at once. ${waitText(error.retryAfterSeconds)}`;
  if (error.code === 'closed') return 'Not sent: this ticket is closed.';
  return error.status === 401 ? 'Not sent: please log in again.' : 'Not sent.';
}

function change(clientId: string, changed: Pick<Unsent, 'failure'>): void {
  const { unsent } = outbox.get();
  outbox.update({ unsent: unsent.map((one) => (one.clientId === clientId ? { ...one, ...changed } : one)) });
}
