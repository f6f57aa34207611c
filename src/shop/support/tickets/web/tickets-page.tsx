import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { BackLink } from '#src/ui/page/back-link.tsx';
import { pageContext } from '#src/storefront/page/page-context.ts';
import type { PageContext } from '#src/storefront/page/page-context.ts';
import { throwRedirect } from '#src/storefront/page/page-responses.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { ButtonLink } from '#src/ui/controls/button.tsx';
import { ChatDrawing } from '#src/ui/graphics/drawings.tsx';
import { EmptyState, ErrorState } from '#src/ui/feedback/states.tsx';
import { TicketChat } from './ticket-chat.tsx';
import { TicketList } from './ticket-list.tsx';
import styles from './tickets-page.module.css';
import { loadConversation } from './load-conversation.ts';
import { useTicketUpdates } from './use-ticket-updates.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Your tickets', matches) },
  { name: 'description', content: 'Your support tickets and our replies.' },
];

/** Null if none is selected or the ticket is not the user's. */
async function loadSelected(url: string, call: PageContext['call'], ownId: string) {
  const id = new URL(url).searchParams.get('ticket');
  if (id === null) return null;
  try {
    const loaded = await loadConversation(call, id);
    return loaded.ticket.user_id === ownId ? loaded : null;
  } catch {
    return null;
  }
}

export async function loader({ context, request }: LoaderFunctionArgs) {
  const { call, visitor } = context.get(pageContext);
  if (!visitor.user) return throwRedirect(`/login?to=${encodeURIComponent('/dashboard/tickets')}`);
  const { id: userId } = visitor.user;
  const [tickets, unread, selected] = await Promise.all([
    call('GET /tickets/user/{userId}', { params: { userId } }).catch(() => null),
    call('GET /tickets/unread').then(
      (unreadTickets) => Object.fromEntries(unreadTickets.tickets.map(({ ticket_id: id, count }) => [id, count])),
      () => ({}),
    ),
    loadSelected(request.url, call, userId),
  ]);
  return { tickets, unread, selected };
}

export default function TicketsPage() {
  const { tickets, unread, selected } = useLoaderData<typeof loader>();
  const selectedId = selected?.ticket.id ?? null;
  const marks = useTicketUpdates(tickets ?? [], unread, selectedId);
  return (
    <div className={styles.page}>
      <BackLink to="/dashboard" text="Back" />
      <div className={styles.head}>
        <h1 className={styles.title}>Your tickets</h1>
        {tickets !== null && tickets.length > 0 && (
          <ButtonLink to="/dashboard/tickets/create" variant="secondary">
            Create ticket
          </ButtonLink>
        )}
      </div>
      {tickets === null && <ErrorState title="Your tickets could not be loaded." onRetry={() => void reloadPage()} />}
      {tickets?.length === 0 && (
        <EmptyState
          title="You have no tickets."
          drawing={<ChatDrawing />}
          action={<ButtonLink to="/dashboard/tickets/create">Create ticket</ButtonLink>}
        >
          Ask about an order, a payment or a device. Our replies appear here.
        </EmptyState>
      )}
      {tickets !== null && tickets.length > 0 && (
        <div className={styles.columns}>
          <TicketList
            tickets={tickets.map((ticket) => ({ ...ticket, status: marks.statuses[ticket.id] ?? ticket.status }))}
            selectedId={selectedId}
            unread={marks.unread}
          />
          <div className={styles.side}>
            {selected === null ? (
              <div className={styles.nothing}>
                <ChatDrawing />
                <p>Select a ticket to view messages</p>
              </div>
            ) : (
              <TicketChat
                key={selected.ticket.id}
                ticket={selected.ticket}
                userId={selected.ticket.user_id}
                messages={selected.messages}
                ownRole="user"
                headingLevel="h2"
                about={selected.about}
              />
            )}
          </div>
        </div>
      )}
    </div>
  );
}
