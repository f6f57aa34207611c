/**
 * Merges messages received live with messages loaded by the page. The result has no gap once a load
 * that started after joining the channel has completed.
 */
export interface IdentifiedMessage {
  readonly id: string;
}

export interface Conversation<Message extends IdentifiedMessage> {
  /** In order, without duplicates. */
  readonly messages: readonly Message[];
  /** Last message before which nothing is missing; null if even the first may be missing. */
  readonly completeUpTo: string | null;
  /** Whether nothing is missing, so that the next live message follows directly. */
  readonly isComplete: boolean;
}

/** @param messages the oldest shown up to the newest */
export const createConversation = <Message extends IdentifiedMessage>(
  messages: readonly Message[],
): Conversation<Message> => ({
  messages,
  completeUpTo: messages.at(-1)?.id ?? null,
  isComplete: false,
});

/** The live channel was disconnected: later messages may follow a gap. */
export const markDisconnected = <Message extends IdentifiedMessage>(
  conversation: Conversation<Message>,
): Conversation<Message> => (conversation.isComplete ? { ...conversation, isComplete: false } : conversation);

/** Adds a message from the live channel or from the response to a send. */
export function addMessage<Message extends IdentifiedMessage>(
  conversation: Conversation<Message>,
  message: Message,
  from: 'channel' | 'answer',
): Conversation<Message> {
  const messages = mergeMessages(conversation.messages, [message]);
  if (messages === conversation.messages) return conversation;
  // A response can arrive before earlier messages of the channel.
  const isNext = conversation.isComplete && from === 'channel' && isAfter(message.id, conversation.completeUpTo);
  return { ...conversation, messages, completeUpTo: isNext ? message.id : conversation.completeUpTo };
}

/**
 * Adds loaded messages that follow `completeUpTo`.
 * @param isLast whether no more existed at that time, with the channel joined before the load
 */
export function addLoaded<Message extends IdentifiedMessage>(
  conversation: Conversation<Message>,
  loaded: readonly Message[],
  isLast: boolean,
): Conversation<Message> {
  return {
    messages: mergeMessages(conversation.messages, loaded),
    completeUpTo: loaded.at(-1)?.id ?? conversation.completeUpTo,
    isComplete: isLast,
  };
}

/** Adds loaded messages that precede the oldest one. */
export const addEarlier = <Message extends IdentifiedMessage>(
  conversation: Conversation<Message>,
  earlier: readonly Message[],
): Conversation<Message> => ({ ...conversation, messages: mergeMessages(conversation.messages, earlier) });

const isAfter = (id: string, other: string | null): boolean => other === null || id > other;

function mergeMessages<Message extends IdentifiedMessage>(
  existing: readonly Message[],
  more: readonly Message[],
): readonly Message[] {
  const ids = new Set(existing.map(({ id }) => id));
  const added = more.filter(({ id }) => !ids.has(id));
  if (added.length === 0) return existing;
  return [...existing, ...added].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}
