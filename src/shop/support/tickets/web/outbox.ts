/**
 * Messages that were written and are not stored by the shop yet. They are kept in this browser for their author alone,
 * survive a reload, and are sent again when the connection returns.
 */
import type { Message } from '../contract.ts';
import { isApiFailure, isRefusal } from '#src/storefront/api.ts';
import { storedWithPrefix, UNSENT_PREFIX, writeStored } from '#src/ui/browser-storage.ts';
import { call } from '#src/storefront/call.ts';
import { watchLive } from '#src/storefront/live-channel.ts';
import { logFault } from '#src/ui/log-fault.ts';
import { onForget, session } from '#src/storefront/session/session.ts';
import { createStore } from '#src/ui/store.ts';
import { waitText } from '#src/storefront/wait-text.ts';
import { readUnsent } from '../unsent-message.ts';
import type { UnsentMessage } from '../unsent-message.ts';

export interface Unsent extends UnsentMessage {
  /** Why it could not be sent; null while it is under way. */
  readonly failure: string | null;
  /** It is sent again by itself. */
  readonly isRetried: boolean;
}

/** Where neither the browser nor the live connection tells that the shop can be reached again. */
const RETRY_MS = 15_000;

const SIGNED_OUT = 'Not sent: please log in again.';

const outbox = createStore<{ readonly unsent: readonly Unsent[] }>({ unsent: [] });
/** Of all authors and tickets, oldest first. */
export const useOutbox = (): readonly Unsent[] => outbox.use(({ unsent }) => unsent);

type Listener = (message: Message) => void;
const listeners = new Map<string, Listener>();

/** One after the other: they are to arrive in the order in which they were written. */
let last: Promise<unknown> = Promise.resolve();
let retry: ReturnType<typeof setTimeout> | undefined;
let isStarted = false;

/** Takes up what this author has left unsent in this browser. Another's is removed. */
export function openOutbox(userId: string): void {
  start();
  const known = new Set(outbox.get().unsent.map(({ clientId }) => clientId));
  const found: Unsent[] = [];
  for (const [key, text] of storedWithPrefix(UNSENT_PREFIX)) {
    const message = readUnsent(text);
    if (message?.userId !== userId) writeStored(key, null);
    else if (!known.has(message.clientId)) found.push({ ...message, failure: null, isRetried: false });
  }
  if (found.length === 0) return;
  found.sort((a, b) => (a.at < b.at ? -1 : 1));
  outbox.update({ unsent: [...outbox.get().unsent, ...found] });
  for (const one of found) sendInTurn(one);
}

function start(): void {
  if (isStarted) return;
  isStarted = true;
  window.addEventListener('online', sendAllAgain);
  watchLive((isLive) => {
    if (isLive) sendAllAgain();
  });
  onForget(() => {
    clearTimeout(retry);
    outbox.update({ unsent: [] });
  });
}

function sendAllAgain(): void {
  for (const one of outbox.get().unsent) if (one.isRetried) sendAgain(one);
}

/** Calls the listener with each message of the ticket that the shop has stored. Returns how to stop. */
export function onSent(ticketId: string, listener: Listener): () => void {
  listeners.set(ticketId, listener);
  return () => {
    if (listeners.get(ticketId) === listener) listeners.delete(ticketId);
  };
}

export function send(words: Pick<Unsent, 'userId' | 'ticketId' | 'text' | 'behind'>): void {
  start();
  const message: UnsentMessage = { ...words, clientId: crypto.randomUUID(), at: new Date().toISOString() };
  writeStored(UNSENT_PREFIX + message.clientId, JSON.stringify(message));
  const unsent = { ...message, failure: null, isRetried: false };
  outbox.update({ unsent: [...outbox.get().unsent, unsent] });
  sendInTurn(unsent);
}

export function sendAgain(unsent: Unsent): void {
  change(unsent.clientId, { failure: null, isRetried: false });
  sendInTurn(unsent);
}

export function discard({ clientId }: Unsent): void {
  writeStored(UNSENT_PREFIX + clientId, null);
  outbox.update({ unsent: outbox.get().unsent.filter((one) => one.clientId !== clientId) });
}

function sendInTurn(unsent: Unsent): void {
  last = last.then(() => post(unsent));
}

async function post(unsent: Unsent): Promise<void> {
  const { clientId, ticketId, text, userId } = unsent;
  const isThere = outbox.get().unsent.some((one) => one.clientId === clientId);
  if (!isThere) return;
  const { user } = session.get();
  if (user !== null && user.id !== userId) {
    change(clientId, { failure: SIGNED_OUT, isRetried: false });
    return;
  }
  try {
    // Sent again under the same client_id, it is stored once.
    const body = { ticket_id: ticketId, message: text, client_id: clientId };
    const message = await call('POST /tickets/messages', { body });
    listeners.get(ticketId)?.(message);
    discard(unsent);
  } catch (error) {
    if (!isRefusal(error)) logFault('a message was not sent', error);
    const isRetried = isApiFailure(error) && (error.status === 0 || error.status === 429 || error.status >= 500);
    change(clientId, { failure: failureOf(error), isRetried });
    if (!isRetried) return;
    clearTimeout(retry);
    retry = setTimeout(sendAllAgain, Math.max(RETRY_MS, (error.retryAfterSeconds ?? 0) * 1000));
  }
}

function failureOf(error: unknown): string {
  if (!isApiFailure(error)) return 'Not sent.';
  if (error.status === 0) return 'Not sent: the shop did not answer. We send it when the connection returns.';
  if (error.status === 429) return `Not sent: too many messages at once. ${waitText(error.retryAfterSeconds)}`;
  if (error.code === 'closed') return 'Not sent: this ticket is closed.';
  return error.status === 401 ? SIGNED_OUT : 'Not sent.';
}

function change(clientId: string, changed: Pick<Unsent, 'failure' | 'isRetried'>): void {
  const { unsent } = outbox.get();
  outbox.update({ unsent: unsent.map((one) => (one.clientId === clientId ? { ...one, ...changed } : one)) });
}
