import { useCallback, useEffect, useRef, useState } from 'react';
import { usePolling } from '#src/ui/page/use-polling.ts';
import type { Message, Ticket, TicketStatus } from '../contract.ts';
import { addEarlier, addLoaded, addMessage, createConversation, markDisconnected } from '../conversation.ts';
import type { Conversation } from '../conversation.ts';
import { call } from '#src/storefront/call.ts';
import { useIsLive } from '#src/storefront/live-channel.ts';
import { isPageLoading, reloadPage } from '#src/storefront/reload-page.ts';
import { logError } from '#src/ui/browser/log-error.ts';
import { followTicket, sendTyping } from './follow-ticket.ts';

export const PAGE_SIZE = 100;
const POLL_MS = 5_000;
/** A closed ticket may be reopened. */
const CLOSED_POLL_MS = 30_000;
const TYPING_MS = 4_000;
const TYPING_EVERY_MS = 2_000;

export interface FollowedTicket {
  readonly messages: readonly Message[];
  readonly status: TicketStatus;
  readonly isOtherTyping: boolean;
  readonly hasEarlier: boolean;
  readonly isLoadingEarlier: boolean;
  readonly loadEarlier: () => void;
  /** Adds a message of the user that the server has stored. */
  readonly addOwnMessage: (message: Message) => void;
  readonly sendTyping: () => void;
}

/** Keeps the messages of a ticket up to date: by the live channel, or by polling without one. */
export function useConversation(ticket: Ticket, loaded: readonly Message[]): FollowedTicket {
  const { id } = ticket;
  const [conversation, setConversation] = useState<Conversation<Message>>(() => createConversation(loaded));
  const [status, setLiveStatus] = useLatestStatus(ticket);
  const isClosed = status === 'closed';
  const [isOtherTyping, setIsOtherTyping] = useTypingIndicator();
  const earlier = useEarlierMessages(id, conversation, loaded.length, setConversation);
  const newest = useRef(conversation);
  useEffect(() => {
    newest.current = conversation;
  });

  /**
   * Number of the connection, and whether it has joined the ticket: only then a load is complete.
   */
  const connection = useRef({ number: 0, hasJoined: false });
  const load = useCallback(async () => {
    const { number, hasJoined } = connection.current;
    try {
      // Without messages, the cursor is the ticket id, which precedes all of them.
      for (let after = newest.current.completeUpTo ?? id; ;) {
        const query = { after, limit: String(PAGE_SIZE) };
        const page = await call('GET /tickets/{id}/messages', { params: { id }, query });
        if (connection.current.number !== number) return;
        const isLast = page.length < PAGE_SIZE;
        setConversation((old) => addLoaded(old, page, hasJoined && isLast));
        if (isLast) break;
        after = page.at(-1)?.id ?? id;
      }
      // The live channel reports the status.
      if (!hasJoined) setLiveStatus((await call('GET /tickets/{id}', { params: { id } })).status);
    } catch (error) {
      logError('Loading messages failed', error);
    }
  }, [id, setLiveStatus]);

  useEffect(() => {
    const begin = (hasJoined: boolean) => {
      connection.current = { number: connection.current.number + 1, hasJoined };
    };
    const stop = followTicket(id, (event) => {
      if (event.kind === 'message') {
        setConversation((old) => addMessage(old, event.message, 'channel'));
        setIsOtherTyping(false);
      } else if (event.kind === 'joined') {
        begin(true);
        void load();
      } else if (event.kind === 'cut') {
        begin(false);
        setConversation(markDisconnected);
      } else if (event.kind === 'closed' || event.kind === 'in_progress') {
        setLiveStatus(event.kind);
        // A load in progress may have read the ticket before this change.
        if (isPageLoading()) void reloadPage({ isAutomatic: true });
      } else setIsOtherTyping(true);
    });
    return () => {
      begin(false);
      stop();
    };
  }, [id, load, setIsOtherTyping, setLiveStatus]);

  const isLive = useIsLive();
  const pollMs = isClosed ? CLOSED_POLL_MS : POLL_MS;
  usePolling(isLive && conversation.isComplete ? null : pollMs, () => void load());
  return {
    ...earlier,
    messages: conversation.messages,
    status,
    isOtherTyping: isOtherTyping && !isClosed,
    addOwnMessage: useCallback((message) => setConversation((old) => addMessage(old, message, 'answer')), []),
    sendTyping: useSendTyping(id),
  };
}

/** The status that was received since the ticket was loaded, else the loaded one. */
function useLatestStatus(loaded: Ticket): [TicketStatus, (received: TicketStatus) => void] {
  const [received, setReceived] = useState<TicketStatus | null>(null);
  const [loadedBefore, setLoadedBefore] = useState(loaded);
  if (loadedBefore !== loaded) {
    setLoadedBefore(loaded);
    setReceived(null);
  }
  return [received ?? loaded.status, setReceived];
}

/** Shows that the other side is typing until a message arrives or for a short time. */
function useTypingIndicator(): [boolean, (is: boolean) => void] {
  const [since, setSince] = useState<number | null>(null);
  useEffect(() => {
    if (since === null) return undefined;
    const timer = setTimeout(() => setSince(null), TYPING_MS);
    return () => clearTimeout(timer);
  }, [since]);
  return [since !== null, useCallback((is: boolean) => setSince(is ? performance.now() : null), [])];
}

function useSendTyping(id: string): () => void {
  const sentAt = useRef(0);
  return useCallback(() => {
    const now = performance.now();
    if (sentAt.current > 0 && now - sentAt.current < TYPING_EVERY_MS) return;
    sentAt.current = now;
    sendTyping(id);
  }, [id]);
}

type EarlierMessages = Pick<FollowedTicket, 'hasEarlier' | 'isLoadingEarlier' | 'loadEarlier'>;

function useEarlierMessages(
  id: string,
  conversation: Conversation<Message>,
  loadedAtFirst: number,
  setConversation: (change: (old: Conversation<Message>) => Conversation<Message>) => void,
): EarlierMessages {
  const [hasEarlier, setHasEarlier] = useState(loadedAtFirst >= PAGE_SIZE);
  const [isLoadingEarlier, setIsLoadingEarlier] = useState(false);
  const load = async (): Promise<void> => {
    const before = conversation.messages[0]?.id;
    if (isLoadingEarlier || before === undefined) return;
    setIsLoadingEarlier(true);
    try {
      const query = { before, limit: String(PAGE_SIZE) };
      const page = await call('GET /tickets/{id}/messages', { params: { id }, query });
      setConversation((old) => addEarlier(old, page));
      setHasEarlier(page.length >= PAGE_SIZE);
    } catch (error) {
      logError('Loading earlier messages failed', error);
    } finally {
      setIsLoadingEarlier(false);
    }
  };
  return { hasEarlier, isLoadingEarlier, loadEarlier: () => void load() };
}
