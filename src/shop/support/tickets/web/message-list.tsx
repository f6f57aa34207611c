import { Fragment, useEffect, useLayoutEffect, useRef } from 'react';
import { formatDate } from '#src/shop/format.ts';
import { Moment } from '#src/storefront/moment.tsx';
import type { Message } from '../contract.ts';
import { splitLinks } from '#src/ui/text/split-links.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { useTimeZone } from '#src/storefront/time-zone.ts';
import styles from './message-list.module.css';
import type { Unsent } from './unsent-messages.ts';

interface MessageListProps {
  readonly messages: readonly Message[];
  readonly unsent: readonly Unsent[];
  readonly ownRole: Message['sender_type'];
  readonly isOtherTyping: boolean;
  readonly hasEarlier: boolean;
  readonly isLoadingEarlier: boolean;
  readonly onEarlier: () => void;
  readonly onSendAgain: (unsent: Unsent) => void;
  readonly onDiscard: (unsent: Unsent) => void;
}

/** Number of newest messages watched for changes: a message can arrive after a newer one. */
const WATCHED_COUNT = 5;

/** Messages, oldest first; scrolls new ones into view. */
export function MessageList(props: MessageListProps) {
  const { messages, unsent, ownRole, isOtherTyping, hasEarlier, isLoadingEarlier } = props;
  const otherName = ownRole === 'user' ? 'Support' : 'Customer';
  const newest = messages.slice(-WATCHED_COUNT).map(({ id }) => id);
  const list = useScrollToEnd([...newest, unsent.length, unsent.at(-1)?.failure].join(' '));
  const days = useDayHeadings(messages);
  const isEmpty = messages.length === 0 && unsent.length === 0;
  return (
    <div
      ref={list}
      className={styles.scroller}
      role="log"
      aria-label="Messages"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard
      tabIndex={0}
    >
      {hasEarlier && (
        <Button variant="quaternary" isBusy={isLoadingEarlier} onClick={props.onEarlier} className={styles.earlier}>
          Show earlier messages
        </Button>
      )}
      {isEmpty && <p className={styles.empty}>No messages yet</p>}
      <ol className={styles.list}>
        {messages.map((message, index) => (
          <Fragment key={message.id}>
            {days[index] !== undefined && <li className={styles.day}>{days[index]}</li>}
            <li className={styles.message} data-own={message.sender_type === ownRole || undefined}>
              <p className={styles.head}>
                <strong>{message.sender_type === ownRole ? 'You' : otherName}</strong>{' '}
                <Moment at={message.created_at} shows="clock" />
              </p>
              <MessageText text={message.message} />
            </li>
          </Fragment>
        ))}
        {unsent.map((message) => (
          <li
            key={message.clientId}
            className={styles.message}
            data-own
            data-failed={message.failure !== null || undefined}
          >
            <p className={styles.head}>
              <strong>You</strong>{' '}
              {message.failure === null ? <span>Sending…</span> : <Moment at={message.at} shows="clock" />}
            </p>
            <MessageText text={message.text} />
            {message.failure !== null && (
              <div className={styles.failure} role="alert">
                <p>{message.failure}</p>
                <Button variant="quaternary" onClick={() => props.onSendAgain(message)}>
                  Send again
                </Button>
                <Button variant="quaternary" onClick={() => props.onDiscard(message)}>
                  Discard
                </Button>
              </div>
            )}
          </li>
        ))}
      </ol>
      <p className={styles.typing} aria-live="polite">
        {isOtherTyping ? `${otherName} is typing` : ''}
      </p>
    </div>
  );
}

/** Turns web addresses into links; everything else is plain text. */
function MessageText({ text }: { readonly text: string }) {
  return (
    <p className={styles.text}>
      {splitLinks(text).map((part) =>
        part.isLink ? (
          <a key={part.at} href={part.text} target="_blank" rel="noopener noreferrer nofollow ugc">
            {part.text}
          </a>
        ) : (
          <Fragment key={part.at}>{part.text}</Fragment>
        ),
      )}
    </p>
  );
}

/** Day heading before the first message of each day. */
function useDayHeadings(messages: readonly Message[]) {
  const timeZone = useTimeZone();
  const days = messages.map(({ created_at: at }) => formatDate(at, 'day', timeZone));
  return messages.map(({ created_at: at }, index) =>
    days[index] === days[index - 1] ? undefined : <Moment key={at} at={at} shows="day" />,
  );
}

/** Starts at the end of the list and scrolls new messages into view. */
function useScrollToEnd(end: string) {
  const list = useRef<HTMLDivElement>(null);
  const shown = useRef<string | null>(null);
  useLayoutEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, []);
  useEffect(() => {
    const isFirst = shown.current === null;
    if (shown.current === end) return;
    shown.current = end;
    if (isFirst || !list.current) return;
    list.current.scrollTo({ top: list.current.scrollHeight });
    list.current.querySelector('li:last-child')?.scrollIntoView({ block: 'nearest' });
  }, [end]);
  return list;
}
