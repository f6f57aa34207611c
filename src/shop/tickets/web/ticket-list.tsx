import type { MouseEvent } from 'react';
import { Link, useNavigate } from 'react-router';
import type { Ticket } from '#src/shop/tickets/contract.ts';
import { StatusLabel } from './status-label.tsx';
import styles from './ticket-list.module.css';

/** From here on the messages stand beside the list. */
const SIDE_BY_SIDE = '(min-width: 992px)';

interface TicketListProps {
  readonly tickets: readonly Ticket[];
  readonly selectedId: string | null;
  /** By ticket, how much is unread; nothing where nothing is. */
  readonly unread: Readonly<Record<string, number>>;
}

// The same words on the server and in every browser.
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

/** Each leads to its own page; where there is room it opens beside the list instead. */
export function TicketList({ tickets, selectedId, unread }: TicketListProps) {
  const navigate = useNavigate();
  const select = (event: MouseEvent, id: string) => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!isPlain || !matchMedia(SIDE_BY_SIDE).matches) return;
    event.preventDefault();
    void navigate(`?ticket=${id}`, { preventScrollReset: true, replace: selectedId !== null });
  };
  return (
    <ul className={styles.list} aria-label="Tickets">
      {tickets.map((ticket) => {
        const count = unread[ticket.id] ?? 0;
        return (
          <li key={ticket.id}>
            <Link
              to={`/dashboard/tickets/${ticket.id}`}
              className={styles.ticket}
              aria-current={ticket.id === selectedId || undefined}
              onClick={(event) => select(event, ticket.id)}
            >
              <span className={styles.title}>{ticket.title}</span>
              <span className={styles.foot}>
                <time dateTime={ticket.created_at}>{DAY.format(new Date(ticket.created_at))}</time>
                <StatusLabel status={ticket.status} />
              </span>
              {count > 0 && (
                <span className={styles.unread}>
                  {count > 99 ? '99+' : count}
                  <span className="visually-hidden">{count === 1 ? ' unread message' : ' unread messages'}</span>
                </span>
              )}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
