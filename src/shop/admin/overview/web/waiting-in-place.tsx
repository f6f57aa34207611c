/** Things that wait: the link to each, and its action where one click is enough and can be undone. */
import { Link } from 'react-router';
import type { ModeratedReview } from '#src/shop/reviews/contract.ts';
import type { ContactMessage } from '#src/shop/support/contact/contract.ts';
import type { QueuedTicket } from '#src/shop/support/tickets/contract.ts';
import { call } from '#src/storefront/call.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { Button } from '#src/ui/controls/button.tsx';
import { Row } from '#src/ui/layout/row.ts';
import { Stack } from '#src/ui/layout/stack.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { useQuickAction } from '../../kit/quick-action.tsx';
import type { WaitingOrder } from '../../tasks/contract.ts';
import { describeStaffTask } from '../../tasks/staff-task-messages.ts';

export type WaitingReview = Pick<ModeratedReview, 'id' | 'name' | 'rating' | 'text' | 'product'>;

export function ReviewInPlace({ review }: { readonly review: WaitingReview }) {
  const isHydrated = useHydrated();
  const { isBusy, run } = useQuickAction();
  const params = { id: review.id };
  const of = <span className="visually-hidden"> the review by {review.name}</span>;
  return (
    <Stack gap={8}>
      <p className="small wrap-anywhere">
        <span className="strong">{review.rating}/5</span>
        <span className="muted">
          {' '}
          by {review.name} for {review.product?.name ?? 'the shop'}
        </span>
      </p>
      <p className="small multiline wrap-anywhere">{review.text}</p>
      <Row gap={8}>
        <Button
          variant="secondary"
          isBusy={isBusy}
          disabled={!isHydrated}
          onClick={() => void run(() => call('POST /support/reviews/{id}/approve', { params }), 'Review approved')}
        >
          Approve{of}
        </Button>
        <Button
          variant="quaternary"
          isBusy={isBusy}
          disabled={!isHydrated}
          onClick={() => void run(() => call('POST /support/reviews/{id}/reject', { params }), 'Review rejected')}
        >
          Reject{of}
        </Button>
      </Row>
    </Stack>
  );
}

export type WaitingTicket = Pick<QueuedTicket, 'id' | 'number' | 'title' | 'waiting_since'>;

interface TicketInPlaceProps {
  readonly ticket: WaitingTicket;
  /** Id of the visitor. */
  readonly me: string;
}

/** A ticket that nobody works on. */
export function TicketInPlace({ ticket, me }: TicketInPlaceProps) {
  const isHydrated = useHydrated();
  const { isBusy, run } = useQuickAction();
  const take = () =>
    call('POST /support/tickets/{id}/assign', {
      params: { id: ticket.id },
      body: { assignee_id: me, seen_assignee_id: null },
    });
  return (
    <Row gap={12} rowGap={4} justify="between">
      <p className="small wrap-anywhere">
        <Link to={`/admin/tickets/${ticket.id}`} className="link">
          {ticket.title}
        </Link>
        {ticket.waiting_since !== null && (
          <span className="muted">
            {' '}
            waits since <Moment at={ticket.waiting_since} shows="moment" />
          </span>
        )}
      </p>
      <Button
        variant="secondary"
        isBusy={isBusy}
        disabled={!isHydrated}
        onClick={() => void run(take, 'The ticket is yours')}
      >
        Take<span className="visually-hidden"> ticket {ticket.number}</span>
      </Button>
    </Row>
  );
}

export type WaitingPayment = Pick<WaitingOrder, 'order_id' | 'number' | 'kind' | 'since'>;

/** An order whose payment needs a decision, which is made on the page of the order. */
export const PaymentInPlace = ({
  payment: { order_id: id, number, kind, since },
}: {
  readonly payment: WaitingPayment;
}) => (
  <p className="small wrap-anywhere">
    <Link to={`/admin/orders/${id}`} className="link">
      {number}
    </Link>
    <span className="muted">
      {' '}
      {describeStaffTask(kind).title}, since <Moment at={since} shows="moment" />
    </span>
  </p>
);

export type WaitingMessage = Pick<ContactMessage, 'id' | 'firstName' | 'lastName' | 'created_at'>;

/** A contact message without an answer. */
export const MessageInPlace = ({ message }: { readonly message: WaitingMessage }) => (
  <p className="small wrap-anywhere">
    <Link to={`/admin/messages/${message.id}`} className="link">
      {message.firstName} {message.lastName}
    </Link>
    <span className="muted">
      {' '}
      wrote on <Moment at={message.created_at} shows="moment" />
    </span>
  </p>
);
