/**
 * What a page knows of a conversation. Messages come twice over: by the live channel, from the moment at which it was
 * joined, and by loading. Both together have no hole once a loading that began after the joining has come to its end.
 */
export interface IdentifiedMessage {
  readonly id: string;
}

export interface Conversation<Message extends IdentifiedMessage> {
  /** In order, each once. */
  readonly messages: readonly Message[];
  /** Up to here nothing is missing; null: from the start on something may be. */
  readonly completeUpTo: string | null;
  /** Nothing is missing at all, and what comes is the next. */
  readonly isComplete: boolean;
}

/** @param messages from the oldest that is shown to the newest there was. */
export const createConversation = <Message extends IdentifiedMessage>(
  messages: readonly Message[],
): Conversation<Message> => ({
  messages,
  completeUpTo: messages.at(-1)?.id ?? null,
  isComplete: false,
});

/** The live channel was cut: what comes now, comes behind a hole. */
export const markDisconnected = <Message extends IdentifiedMessage>(
  known: Conversation<Message>,
): Conversation<Message> => (known.isComplete ? { ...known, isComplete: false } : known);

/** Something new, by the live channel or as the answer to what was sent. */
export function addMessage<Message extends IdentifiedMessage>(
  known: Conversation<Message>,
  message: Message,
  from: 'channel' | 'answer',
): Conversation<Message> {
  const messages = mergeMessages(known.messages, [message]);
  if (messages === known.messages) return known;
  // An answer may be ahead of what the channel has still to tell.
  const isNext = known.isComplete && from === 'channel' && isAfter(message.id, known.completeUpTo);
  return { ...known, messages, completeUpTo: isNext ? message.id : known.completeUpTo };
}

/**
 * A part was loaded that begins behind `sureUpTo`.
 * @param isLast there was no more at that moment, and the channel was joined before.
 */
export function addLoaded<Message extends IdentifiedMessage>(
  known: Conversation<Message>,
  loaded: readonly Message[],
  isLast: boolean,
): Conversation<Message> {
  return {
    messages: mergeMessages(known.messages, loaded),
    completeUpTo: loaded.at(-1)?.id ?? known.completeUpTo,
    isComplete: isLast,
  };
}

/** A part was loaded that ends before the oldest message. */
export const addEarlier = <Message extends IdentifiedMessage>(
  known: Conversation<Message>,
  earlier: readonly Message[],
): Conversation<Message> => ({ ...known, messages: mergeMessages(known.messages, earlier) });

const isAfter = (id: string, other: string | null): boolean => other === null || id > other;

function mergeMessages<Message extends IdentifiedMessage>(
  known: readonly Message[],
  more: readonly Message[],
): readonly Message[] {
  const ids = new Set(known.map(({ id }) => id));
  const added = more.filter(({ id }) => !ids.has(id));
  if (added.length === 0) return known;
  return [...known, ...added].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}
