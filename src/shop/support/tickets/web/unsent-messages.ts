/**
 * Messages that the server has not stored yet. They stay in this browser for their author, survive
 * a reload, and are sent when the connection returns.
 */
import type { Message } from '../contract.ts';
import { isApiFailure, isRefusal } from '#src/storefront/api.ts';
import { listStored, UNSENT_PREFIX, writeStored } from '#src/ui/browser/browser-storage.ts';
import { call } from '#src/storefront/call.ts';
import { subscribeToConnection } from '#src/storefront/live-channel.ts';
import { logError } from '#src/ui/browser/log-error.ts';
import { onForgetTyped, session } from '#src/storefront/session/session.ts';
import { createStore } from '#src/ui/react/store.ts';
import { formatWait } from '#src/storefront/format-wait.ts';
import { parseUnsent } from '../unsent-message.ts';
import type { UnsentMessage } from '../unsent-message.ts';

export interface Unsent extends UnsentMessage {
  /** Why it was not sent; null while sending. */
  readonly failure: string | null;
  /** Whether it is sent again automatically. */
  readonly isRetryScheduled: boolean;
}

/** Retry interval when neither the browser nor the live connection reports a recovery. */
const RETRY_MS = 15_000;

const SIGNED_OUT_MESSAGE = 'Not sent. Log in again.';

const unsentMessages = createStore<{ readonly unsent: readonly Unsent[] }>({ unsent: [] });
/** Messages of all authors and tickets, oldest first. */
export const useUnsentMessages = (): readonly Unsent[] => unsentMessages.use(({ unsent }) => unsent);

type Listener = (message: Message) => void;
const listeners = new Map<string, Listener>();

/** Serializes sends, so that messages arrive in the order they were written. */
let lastSend: Promise<unknown> = Promise.resolve();
let retry: ReturnType<typeof setTimeout> | undefined;
let isStarted = false;

/** Resumes unsent messages of this author and removes those of other accounts. */
export function resumeUnsent(userId: string): void {
  start();
  const knownIds = new Set(unsentMessages.get().unsent.map(({ clientId }) => clientId));
  const resumed: Unsent[] = [];
  for (const [key, text] of listStored(UNSENT_PREFIX)) {
    const message = parseUnsent(text);
    if (message?.userId !== userId) writeStored(key, null);
    else if (!knownIds.has(message.clientId)) resumed.push({ ...message, failure: null, isRetryScheduled: false });
  }
  if (resumed.length === 0) return;
  resumed.sort((a, b) => (a.at < b.at ? -1 : 1));
  unsentMessages.update({ unsent: [...unsentMessages.get().unsent, ...resumed] });
  for (const message of resumed) enqueueSend(message);
}

function start(): void {
  if (isStarted) return;
  isStarted = true;
  window.addEventListener('online', retryAll);
  subscribeToConnection((isLive) => {
    if (isLive) retryAll();
  });
  onForgetTyped(() => {
    clearTimeout(retry);
    unsentMessages.update({ unsent: [] });
  });
}

function retryAll(): void {
  for (const message of unsentMessages.get().unsent) if (message.isRetryScheduled) sendAgain(message);
}

/**
 * Calls the listener with each stored message of the ticket. Returns a function that unsubscribes.
 */
export function onSent(ticketId: string, listener: Listener): () => void {
  listeners.set(ticketId, listener);
  return () => {
    if (listeners.get(ticketId) === listener) listeners.delete(ticketId);
  };
}

export function send(draft: Pick<Unsent, 'userId' | 'ticketId' | 'text' | 'behind'>): void {
  start();
  const message: UnsentMessage = { ...draft, clientId: crypto.randomUUID(), at: new Date().toISOString() };
  writeStored(UNSENT_PREFIX + message.clientId, JSON.stringify(message));
  const unsent = { ...message, failure: null, isRetryScheduled: false };
  unsentMessages.update({ unsent: [...unsentMessages.get().unsent, unsent] });
  enqueueSend(unsent);
}

export function sendAgain(unsent: Unsent): void {
  updateUnsent(unsent.clientId, { failure: null, isRetryScheduled: false });
  enqueueSend(unsent);
}

export function discard({ clientId }: Unsent): void {
  writeStored(UNSENT_PREFIX + clientId, null);
  unsentMessages.update({ unsent: unsentMessages.get().unsent.filter((message) => message.clientId !== clientId) });
}

function enqueueSend(unsent: Unsent): void {
  lastSend = lastSend.then(() => post(unsent));
}

async function post(unsent: Unsent): Promise<void> {
  const { clientId, ticketId, text, userId } = unsent;
  const isListed = unsentMessages.get().unsent.some((message) => message.clientId === clientId);
  if (!isListed) return;
  const { user } = session.get();
  if (user !== null && user.id !== userId) {
    updateUnsent(clientId, { failure: SIGNED_OUT_MESSAGE, isRetryScheduled: false });
    return;
  }
  try {
    // The client_id makes a retry idempotent.
    const body = { ticket_id: ticketId, message: text, client_id: clientId };
    const message = await call('POST /tickets/messages', { body });
    listeners.get(ticketId)?.(message);
    discard(unsent);
  } catch (error) {
    if (!isRefusal(error)) logError('Sending a message failed', error);
    const isRetried = isApiFailure(error) && (error.status === 0 || error.status === 429 || error.status >= 500);
    updateUnsent(clientId, { failure: describeFailure(error), isRetryScheduled: isRetried });
    if (!isRetried) return;
    clearTimeout(retry);
    retry = setTimeout(retryAll, Math.max(RETRY_MS, (error.retryAfterSeconds ?? 0) * 1000));
  }
}

function describeFailure(error: unknown): string {
  if (!isApiFailure(error)) return 'Not sent.';
  if (error.status === 0) return 'Not sent. We’ll send it when you’re back online.';
  if (error.status === 429) return `Not sent. Too many messages. ${formatWait(error.retryAfterSeconds)}`;
  if (error.code === 'closed') return 'Not sent. This ticket is closed.';
  return error.status === 401 ? SIGNED_OUT_MESSAGE : 'Not sent.';
}

function updateUnsent(clientId: string, changed: Pick<Unsent, 'failure' | 'isRetryScheduled'>): void {
  const { unsent } = unsentMessages.get();
  unsentMessages.update({
    unsent: unsent.map((message) => (message.clientId === clientId ? { ...message, ...changed } : message)),
  });
}
