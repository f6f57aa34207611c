import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link, useLoaderData } from 'react-router';
import { getStatusHeading } from '#src/shop/orders/status/payment-messages.ts';
import { TicketChat } from '#src/shop/support/tickets/web/ticket-chat.tsx';
import { PAGE_SIZE } from '#src/shop/support/tickets/web/use-conversation.ts';
import { findReference } from '#src/shop/returns/reference.ts';
import { SideColumns } from '#src/storefront/layout/side-columns.tsx';
import { Moment } from '#src/storefront/moment.tsx';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { rethrowAsNotFound } from '#src/storefront/page/page-responses.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { BackLink } from '#src/ui/page/back-link.tsx';
import { Badge } from '#src/ui/display/badge.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { requireStaff } from '../../kit/staff-page.ts';
import { useStaffTopics } from '../../kit/use-staff-changes.ts';
import type { StaffTicket } from '#src/shop/support/tickets/contract.ts';
import { AnswerMenu } from './answer-menu.tsx';
import { TicketActions } from './ticket-actions.tsx';
import { TicketNotes } from './ticket-notes.tsx';

const HOME = '/admin/tickets';

export const meta: MetaFunction<typeof loader> = ({ loaderData, matches }) => [
  {
    title: formatPageTitle(
      `${loaderData ? `Ticket #${loaderData.found.ticket.number}` : 'Ticket'} · Back office`,
      matches,
    ),
  },
  { name: 'description', content: 'A ticket with its conversation and customer.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const id = args.params['id'] ?? '';
  const call = requireStaff(args, `${HOME}/${id}`, 'support');
  const params = { id };
  const [found, messages, answers] = await Promise.all([
    call('GET /support/tickets/{id}', { params }),
    call('GET /tickets/{id}/messages', { params, query: { limit: String(PAGE_SIZE) } }),
    // Tickets can be answered without canned answers.
    call('GET /support/canned-answers').catch(() => null),
  ]).catch(rethrowAsNotFound);
  return {
    found,
    messages,
    answers: answers?.answers ?? null,
    userId: args.context.get(pageContext).visitor.user?.id ?? '',
  };
}

/** OPS-04, TKT-05: a ticket as support sees it. It follows the changes of others. */
export default function TicketPage() {
  const { found, messages, answers, userId } = useLoaderData<typeof loader>();
  const { ticket, orders } = found;
  // What is typed is kept by the chat, so that the page never has to wait for it.
  useStaffTopics(['tickets', 'orders', 'customers'], () => void reloadPage({ isAutomatic: true }));
  const values = { name: ticket.username, order: orders[0]?.number ?? null };
  return (
    <AdminFrame title={`Ticket #${ticket.number}`} beside={<BackLink to={HOME} text="Tickets" />}>
      <SideColumns sidebar={<Facts found={found} />}>
        <TicketChat
          key={ticket.id}
          ticket={ticket}
          userId={userId}
          messages={messages}
          // A member of staff can be a customer too.
          ownRole={ticket.user_id === userId ? 'user' : 'support'}
          headingLevel="h2"
          renderTools={(changeText) => <AnswerMenu answers={answers} values={values} changeText={changeText} />}
        />
        <TicketNotes ticketId={ticket.id} notes={found.notes} />
      </SideColumns>
    </AdminFrame>
  );
}

/** Customer, orders and actions. */
function Facts({ found }: { readonly found: StaffTicket }) {
  const { ticket, orders, is_customer_blocked: isBlocked } = found;
  const reference = findReference(ticket.title);
  return (
    <>
      <TicketActions key={ticket.assignee?.id ?? ''} found={found} />
      <Section title="Customer" gap={12}>
        <div>
          <p className="wrap-anywhere">
            {/* Accounts of the team have no page. */}
            {ticket.email === '' ? (
              ticket.username
            ) : (
              <Link to={`/admin/customers/${ticket.user_id}`} className="link accent">
                {ticket.username}
              </Link>
            )}
          </p>
          {isBlocked && <Badge tone="bad">Blocked</Badge>}
          <p className="muted small wrap-anywhere">
            Created <Moment at={ticket.created_at} shows="moment" />
          </p>
          {ticket.waiting_since !== null && (
            <p className="muted small wrap-anywhere">
              Waiting since <Moment at={ticket.waiting_since} shows="moment" />
            </p>
          )}
        </div>
      </Section>
      {reference !== null && (
        <Section title="Return" gap={12}>
          <p>
            <Link translate="no" className="link accent unbroken" to={`/admin/returns?q=${reference}`}>
              {reference}
            </Link>
          </p>
        </Section>
      )}
      <Section title="Newest orders" gap={12}>
        <div>
          {orders.length === 0 && <p className="muted small wrap-anywhere">This customer has no orders.</p>}
          <ul>
            {orders.map((order) => (
              <li key={order.id} className="wrap-anywhere">
                <Link translate="no" className="link accent unbroken" to={`/admin/orders/${order.id}`}>
                  {order.number}
                </Link>{' '}
                <span className="muted small wrap-anywhere">{getStatusHeading(order.payment_status).status}</span>
              </li>
            ))}
          </ul>
        </div>
      </Section>
    </>
  );
}
