import { Link } from 'react-router';
import { Moment } from '#src/storefront/moment.tsx';
import { Badge } from '#src/ui/display/badge.tsx';
import { EmptyState } from '#src/ui/feedback/states.tsx';
import { Lines } from '#src/ui/layout/lines.ts';
import { Row } from '#src/ui/layout/row.ts';
import { Stack } from '#src/ui/layout/stack.ts';
import type { Todo } from '../contract.ts';
import { listTodoItems } from './todo-items.ts';
import type { TodoItem } from './todo-items.ts';
import { useRole } from '../../kit/use-may-use.ts';
import { MessageInPlace, PaymentInPlace, ReviewInPlace, TicketInPlace } from './waiting-in-place.tsx';
import type { WaitingMessage, WaitingPayment, WaitingReview, WaitingTicket } from './waiting-in-place.tsx';

export interface Waiting {
  readonly todo: Todo;
  /** The longest waiting ones, as far as the role may decide on them. */
  readonly reviews: readonly WaitingReview[];
  readonly tickets: readonly WaitingTicket[];
  /** The newest ones. */
  readonly payments: readonly WaitingPayment[];
  readonly messages: readonly WaitingMessage[];
  /** Id of the visitor. */
  readonly me: string;
}

/** What needs staff now: each with its count, its page, and its action where one click is enough. */
export function TodoList({ waiting }: { readonly waiting: Waiting }) {
  const items = listTodoItems(waiting.todo, useRole());
  if (items.length === 0) {
    return (
      <EmptyState title="Nothing to do.">
        <p>Orders, payments, messages and stock that need you appear here automatically.</p>
      </EmptyState>
    );
  }
  return (
    <Lines isFramed>
      {items.map((item) => (
        <Stack as="li" key={item.kind} gap={12} data-kind={item.kind}>
          <Item item={item} todo={waiting.todo} />
          <InPlace kind={item.kind} waiting={waiting} />
        </Stack>
      ))}
    </Lines>
  );
}

function Item({ item: { kind, title, text, to, isUrgent }, todo }: { readonly item: TodoItem; readonly todo: Todo }) {
  return (
    <div>
      <Row justify="between" rowGap={4}>
        <h3>
          <Link to={to} prefetch="intent" className="link">
            {title}
          </Link>
        </h3>
        {isUrgent && <Badge tone="bad">Urgent</Badge>}
      </Row>
      <p className="muted small wrap-anywhere">
        {text}
        {kind === 'backup' && todo.backup.at !== null && (
          <span>
            {' '}
            The last one: <Moment at={todo.backup.at} shows="moment" />.
          </span>
        )}
      </p>
    </div>
  );
}

function InPlace({ kind, waiting }: { readonly kind: string; readonly waiting: Waiting }) {
  if (kind === 'reviews') return waiting.reviews.map((review) => <ReviewInPlace key={review.id} review={review} />);
  if (kind === 'payments')
    return waiting.payments.map((payment) => <PaymentInPlace key={payment.order_id} payment={payment} />);
  if (kind === 'new_messages')
    return waiting.messages.map((message) => <MessageInPlace key={message.id} message={message} />);
  if (kind !== 'tickets') return null;
  return waiting.tickets.map((ticket) => <TicketInPlace key={ticket.id} ticket={ticket} me={waiting.me} />);
}
