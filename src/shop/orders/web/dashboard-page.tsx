import { useEffect, useRef, useState } from 'react';
import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData, useNavigate } from 'react-router';
import type { Order } from '../contract.ts';
import { AddressNotice } from '#src/shop/accounts/profile/web/address-notice.tsx';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { throwRedirect } from '#src/storefront/page/page-responses.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { signOut, useSession } from '#src/storefront/session/session.ts';
import { Button, ButtonLink } from '#src/ui/controls/button.tsx';
import { BagDrawing, ChatDrawing, ParcelDrawing } from '#src/ui/graphics/drawings.tsx';
import { EmptyState, ErrorState } from '#src/ui/feedback/states.tsx';
import styles from './dashboard-page.module.css';
import { OrderList } from './order-list.tsx';
import type { ListedOrder } from './order-list.tsx';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';

const NEWEST = 5;

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Your account', matches) },
  { name: 'description', content: 'Your orders and your account.' },
];

const toListedOrder = ({
  id,
  number,
  created_at,
  payment_status,
  payment: { loss, state },
  net_usd: netUsd,
  total_usd_after: totalUsd,
  total_btc_after: totalBtc,
}: Order): ListedOrder => ({
  id,
  number,
  createdAt: created_at,
  status: payment_status,
  payment: { loss, state },
  usd: totalUsd,
  btc: totalBtc,
  isReduced: netUsd < totalUsd,
  netUsd,
});

export async function loader({ context }: LoaderFunctionArgs) {
  const { call, visitor } = context.get(pageContext);
  if (!visitor.user) return throwRedirect(`/login?to=${encodeURIComponent('/dashboard')}`);
  const [user, tickets, confirmation, orders] = await Promise.all([
    call('GET /users/user'),
    call('GET /tickets/user/{userId}', { params: { userId: visitor.user.id } }),
    call('GET /users/email-confirmation'),
    // Logging out must work even if the orders cannot be loaded.
    call('POST /orders/history').then(
      ({ orders: all }) => all.slice(0, NEWEST).map(toListedOrder),
      () => null,
    ),
  ]);
  return {
    username: user.username,
    isStaff: user.role !== 'customer',
    unconfirmed: confirmation.is_confirmed ? null : confirmation.email,
    orderCount: user.orders.length,
    ticketCount: tickets.length,
    activeTickets: tickets.filter(({ status }) => status !== 'closed').length,
    orders,
  };
}

export default function DashboardPage() {
  const { username, isStaff, unconfirmed, orderCount, ticketCount, activeTickets, orders } =
    useLoaderData<typeof loader>();
  const [isLeaving, leave] = useLogOut();
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <h1 className="wrap-anywhere">Hello, {username}!</h1>
        <div className={styles.actions}>
          {isStaff && (
            <ButtonLink to="/admin" variant="tertiary">
              Back office
            </ButtonLink>
          )}
          <ButtonLink to="/dashboard/settings" variant="tertiary">
            Settings
          </ButtonLink>
          <Button variant="secondary" isBusy={isLeaving} onClick={leave}>
            Log Out
          </Button>
        </div>
      </div>
      {unconfirmed !== null && <AddressNotice email={unconfirmed} />}
      <div className={styles.cards}>
        <section className={styles.card} aria-labelledby="tickets-title">
          <ChatDrawing />
          <h2 id="tickets-title">Your active tickets</h2>
          <p className={styles.count}>{activeTickets}</p>
          <div className={styles.actions}>
            <ButtonLink to="/dashboard/tickets/create" variant="tertiary" aria-label="Create a ticket">
              Create
            </ButtonLink>
            {ticketCount > 0 && (
              <ButtonLink to="/dashboard/tickets" variant="tertiary" aria-label="View your tickets">
                View
              </ButtonLink>
            )}
          </div>
        </section>
        <section className={styles.card} aria-labelledby="orders-title">
          <ParcelDrawing />
          <h2 id="orders-title">Your orders</h2>
          <p className={styles.count}>{orderCount}</p>
          {orderCount > 0 && (
            <ButtonLink to="/dashboard/orders" variant="tertiary" aria-label="View your orders">
              View
            </ButtonLink>
          )}
        </section>
      </div>
      {orders === null && <ErrorState title="Your orders could not be loaded." onRetry={() => void reloadPage()} />}
      {orders?.length === 0 && (
        <EmptyState
          title="No orders yet"
          drawing={<BagDrawing />}
          action={<ButtonLink to="/catalog">Go to the catalog</ButtonLink>}
        >
          Your orders and where they are appear here.
        </EmptyState>
      )}
      {orders !== null && orders.length > 0 && (
        <section id="newest-orders" className={styles.section} aria-labelledby="newest-title">
          <h2 id="newest-title">Newest orders</h2>
          <OrderList orders={orders} />
        </section>
      )}
    </div>
  );
}

/** Logs out and goes to the login page; also when the session ends in another tab. */
function useLogOut(): [boolean, () => void] {
  const navigate = useNavigate();
  const isOver = useSession((state) => state.isLoaded && !state.isSignedIn);
  const [isLeaving, setIsLeaving] = useState(false);
  const hasLeft = useRef(false);

  const leave = async () => {
    if (hasLeft.current) return;
    hasLeft.current = true;
    setIsLeaving(true);
    await signOut();
    await navigate('/login');
  };
  useEffect(() => {
    // The cookie rendered the page, but nothing works without the token.
    if (isOver) void leave();
  });
  return [isLeaving, () => void leave()];
}
