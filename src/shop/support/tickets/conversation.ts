/**
 * What a page knows of a conversation. Messages come twice over: by the live channel, from the moment at which it was
 * joined, and by loading. Both together have no hole once a loading that began after the joining has come to its end.
 */
export interface Told {
  readonly id: string;
}

export interface Conversation<Message extends Told> {
  /** In order, each once. */
  readonly messages: readonly Message[];
  /** Up to here nothing is missing; null: from the start on something may be. */
  readonly sureUpTo: string | null;
  /** Nothing is missing at all, and what comes is the next. */
  readonly isWhole: boolean;
}

/** @param messages from the oldest that is shown to the newest there was. */
export const beginConversation = <Message extends Told>(messages: readonly Message[]): Conversation<Message> => ({
  messages,
  sureUpTo: messages.at(-1)?.id ?? null,
  isWhole: false,
});

/** The live channel was cut: what comes now, comes behind a hole. */
export const cutConversation = <Message extends Told>(known: Conversation<Message>): Conversation<Message> =>
  known.isWhole ? { ...known, isWhole: false } : known;

/** Something new, by the live channel or as the answer to what was sent. */
export function addMessage<Message extends Told>(
  known: Conversation<Message>,
  message: Message,
  from: 'channel' | 'answer',
): Conversation<Message> {
  const messages = merged(known.messages, [message]);
  if (messages === known.messages) return known;
  // An answer may be ahead of what the channel has still to tell.
  const isNext = known.isWhole && from === 'channel' && isBehind(message.id, known.sureUpTo);
  return { ...known, messages, sureUpTo: isNext ? message.id : known.sureUpTo };
}

/**
 * A part was loaded that begins behind `sureUpTo`.
 * @param isLast there was no more at that moment, and the channel was joined before.
 */
export function addLoaded<Message extends Told>(
  known: Conversation<Message>,
  loaded: readonly Message[],
  isLast: boolean,
): Conversation<Message> {
  return {
    messages: merged(known.messages, loaded),
    sureUpTo: loaded.at(-1)?.id ?? known.sureUpTo,
    isWhole: isLast,
  };
}

/** A part was loaded that ends before the oldest message. */
export const addEarlier = <Message extends Told>(
  known: Conversation<Message>,
  earlier: readonly Message[],
): Conversation<Message> => ({ ...known, messages: merged(known.messages, earlier) });

const isBehind = (id: string, other: string | null): boolean => other === null || id > other;

function merged<Message extends Told>(known: readonly Message[], more: readonly Message[]): readonly Message[] {
  const ids = new Set(known.map(({ id }) => id));
  const added = more.filter(({ id }) => !ids.has(id));
  if (added.length === 0) return known;
  return [...known, ...added].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}
