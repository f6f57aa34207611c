import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { BackLink } from '#src/ui/page/back-link.tsx';
import { classNames } from '#src/ui/styles/class-names.ts';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { throwRedirect } from '#src/storefront/page/page-responses.ts';
import { TicketChat } from './ticket-chat.tsx';
import styles from './tickets-page.module.css';
import { loadConversation } from './load-conversation.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';

export const meta: MetaFunction<typeof loader> = ({ loaderData, matches }) => [
  { title: formatPageTitle(loaderData ? loaderData.ticket.title : 'Ticket', matches) },
  { name: 'description', content: 'Your support tickets and our replies.' },
];

export async function loader({ context, params: { id = '' } }: LoaderFunctionArgs) {
  const { call, visitor } = context.get(pageContext);
  if (!visitor.user) return throwRedirect(`/login?to=${encodeURIComponent(`/dashboard/tickets/${id}`)}`);
  const loaded = await loadConversation(call, id).catch(() => throwRedirect('/dashboard/tickets'));
  return { ...loaded, userId: visitor.user.id };
}

/** TKT-04. */
export default function TicketPage() {
  const { about, ticket, messages, userId } = useLoaderData<typeof loader>();
  return (
    <div className={classNames(styles.page, styles.filling)}>
      <BackLink to="/dashboard/tickets" text="Back to Tickets" />
      <TicketChat
        key={ticket.id}
        ticket={ticket}
        userId={userId}
        messages={messages}
        ownRole={ticket.user_id === userId ? 'user' : 'support'}
        headingLevel="h1"
        about={about}
      />
    </div>
  );
}
