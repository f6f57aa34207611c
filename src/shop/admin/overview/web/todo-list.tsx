import { Link } from 'react-router';
import { Moment } from '#src/storefront/moment.tsx';
import { Badge } from '#src/ui/badge.tsx';
import { EmptyState } from '#src/ui/states.tsx';
import { Stack } from '#src/ui/stack.ts';
import type { Todo } from '../contract.ts';
import { listTodoItems } from './todo-items.ts';
import { useRole } from '../../kit/use-may-use.ts';
import styles from './overview.module.css';

/** What needs staff now, each with its count and its page. */
export function TodoList({ todo }: { readonly todo: Todo }) {
  const items = listTodoItems(todo, useRole());
  if (items.length === 0) {
    return (
      <EmptyState title="Nothing to do.">
        <p>Orders, payments, messages and stock that need you appear here automatically.</p>
      </EmptyState>
    );
  }
  return (
    <ul className={styles.items}>
      {items.map(({ kind, title, text, to, isUrgent }) => (
        <Stack
          as="li"
          key={kind}
          surface="outlined-small"
          className={styles.item}
          data-kind={kind}
          data-tone={isUrgent ? 'bad' : undefined}
        >
          <h3 className="medium">
            {to === null ? (
              title
            ) : (
              <Link to={to} prefetch="intent" className={styles.cover}>
                {title}
              </Link>
            )}
          </h3>
          {isUrgent && <Badge tone="bad">Urgent</Badge>}
          <p className="muted small wrap-anywhere">
            {text}
            {kind === 'backup' && todo.backup.at !== null && (
              <span>
                {' '}
                The last one: <Moment at={todo.backup.at} shows="moment" />.
              </span>
            )}
          </p>
        </Stack>
      ))}
    </ul>
  );
}
