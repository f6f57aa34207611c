import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Message, Ticket } from '../contract.ts';
import { findUnacknowledged } from '../unacknowledged-messages.ts';
import { discard, onSent, resumeUnsent, send, sendAgain, useUnsentMessages } from './unsent-messages.ts';
import type { Unsent } from './unsent-messages.ts';
import { MessageList } from './message-list.tsx';
import { SendForm } from './send-form.tsx';
import type { ChangeText } from './send-form.tsx';
import styles from './ticket-chat.module.css';
import { StatusLabel } from './status-label.tsx';
import { useConversation } from './use-conversation.ts';
import { useReadReceipt } from './use-read-receipt.ts';

interface TicketChatProps {
  readonly ticket: Ticket;
  /** The signed-in user. */
  readonly userId: string;
  /** Newest messages, loaded with the page. */
  readonly messages: readonly Message[];
  readonly ownRole: Message['sender_type'];
  readonly headingLevel: 'h1' | 'h2';
  /** What the ticket is about. */
  readonly about?: { readonly to: string; readonly text: string } | null;
  /** Tools of support above the text. */
  readonly renderTools?: (changeText: ChangeText) => ReactNode;
}

/** A ticket with its messages and, while it is open, the send form. Use the ticket id as key. */
export function TicketChat(props: TicketChatProps) {
  const { ticket, userId, messages: loaded, ownRole, headingLevel: Heading, about = null } = props;
  const conversation = useConversation(ticket, loaded);
  const { messages, status, addOwnMessage } = conversation;
  const isClosed = status === 'closed';
  const unsent = useUnacknowledgedMessages({ ticketId: ticket.id, userId, messages, ownRole });
  useEffect(() => onSent(ticket.id, addOwnMessage), [ticket.id, addOwnMessage]);
  useReadReceipt(ticket.id, messages, ownRole);
  return (
    <section className={styles.chat} aria-labelledby="ticket-title">
      <header className={styles.head}>
        <div className={styles.content}>
          <Heading id="ticket-title" className={styles.title}>
            {ticket.title}
          </Heading>
          <p className={styles.theme}>{ticket.theme}</p>
          {about !== null && (
            <Link to={about.to} className="link accent small">
              {about.text}
            </Link>
          )}
        </div>
        <StatusLabel status={status} />
      </header>
      <details className={styles.asked} open={loaded.length === 0}>
        <summary>{ownRole === 'user' ? 'Your request' : 'Request'}</summary>
        <p>{ticket.description}</p>
      </details>
      <MessageList
        messages={messages}
        unsent={unsent}
        ownRole={ownRole}
        isOtherTyping={conversation.isOtherTyping}
        hasEarlier={conversation.hasEarlier}
        isLoadingEarlier={conversation.isLoadingEarlier}
        onEarlier={conversation.loadEarlier}
        onSendAgain={sendAgain}
        onDiscard={discard}
      />
      {isClosed && (
        <p className={styles.closed}>
          This ticket is closed.
          {ownRole === 'user' && (
            <span>
              {' '}
              Need more help? <Link to="/dashboard/tickets/create">Create a new ticket</Link>.
            </span>
          )}
        </p>
      )}
      <SendForm
        isClosed={isClosed}
        onSend={(text) => send({ userId, ticketId: ticket.id, text, behind: messages.at(-1)?.id ?? null })}
        onTyping={conversation.sendTyping}
        renderTools={props.renderTools}
      />
    </section>
  );
}

interface UnacknowledgedOptions {
  readonly ticketId: string;
  readonly userId: string;
  readonly messages: readonly Message[];
  readonly ownRole: Message['sender_type'];
}

/**
 * Unsent messages of the user, without those that the server has stored although the response was
 * lost.
 */
function useUnacknowledgedMessages({ ticketId, userId, messages, ownRole }: UnacknowledgedOptions): readonly Unsent[] {
  useEffect(() => {
    resumeUnsent(userId);
  }, [userId]);
  const sent = useUnsentMessages().filter((message) => message.ticketId === ticketId && message.userId === userId);
  const unsent = findUnacknowledged(
    sent,
    messages.filter(({ sender_type: side }) => side === ownRole),
  );
  useEffect(() => {
    for (const message of sent) if (message.failure !== null && !unsent.includes(message)) discard(message);
  });
  return unsent;
}
