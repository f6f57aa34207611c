import type { MouseEvent } from 'react';
import { Link, useNavigate } from 'react-router';
import { Moment } from '#src/storefront/moment.tsx';
import type { Ticket } from '../contract.ts';
import { TWO_COLUMN_QUERY } from './two-column-query.ts';
import { StatusLabel } from './status-label.tsx';
import styles from './ticket-list.module.css';

interface TicketListProps {
  readonly tickets: readonly Ticket[];
  readonly selectedId: string | null;
  /** Unread messages per ticket id; without entries for zero. */
  readonly unread: Readonly<Record<string, number>>;
}

/** Each ticket links to its own page; on wide screens it opens beside the list. */
export function TicketList({ tickets, selectedId, unread }: TicketListProps) {
  const navigate = useNavigate();
  const select = (event: MouseEvent, id: string) => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!isPlain || !matchMedia(TWO_COLUMN_QUERY).matches) return;
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
                <Moment at={ticket.created_at} shows="day" />
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
