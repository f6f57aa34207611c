import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { throwRedirect } from '#src/storefront/page/page-responses.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { BackLink } from '#src/ui/page/back-link.tsx';
import { ButtonLink } from '#src/ui/controls/button.tsx';
import { ParcelDrawing } from '#src/ui/graphics/drawings.tsx';
import { EmptyState, ErrorState } from '#src/ui/feedback/states.tsx';
import { OrderCard } from './order-card.tsx';
import styles from './orders-page.module.css';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';

const PAGE_LENGTH = 10;
const MAX_ORDERS = 1000;

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Your orders', matches) },
  { name: 'description', content: 'Your orders and their status.' },
];

/** Number of orders listed: ten, and ten more per "Show older orders". */
function readLength(url: string): number {
  const requested = Number(new URL(url).searchParams.get('show'));
  return Number.isInteger(requested) && requested >= PAGE_LENGTH && requested <= MAX_ORDERS ? requested : PAGE_LENGTH;
}

export async function loader({ context, request }: LoaderFunctionArgs) {
  const { call, visitor } = context.get(pageContext);
  if (!visitor.user) return throwRedirect(`/login?to=${encodeURIComponent('/dashboard/orders')}`);
  const length = readLength(request.url);
  const all = await call('POST /orders/history').then(
    ({ orders }) => orders,
    () => null,
  );
  return { orders: all?.slice(0, length) ?? null, count: all?.length ?? 0, length };
}

export default function OrdersPage() {
  const { orders, count, length } = useLoaderData<typeof loader>();
  return (
    <div className={styles.page}>
      <BackLink to="/dashboard" text="Back" />
      <h1 className={styles.title}>Your orders {orders !== null && <span className={styles.count}>{count}</span>}</h1>
      {orders === null && <ErrorState title="Your orders could not be loaded." onRetry={() => void reloadPage()} />}
      {orders?.length === 0 && (
        <EmptyState
          title="No orders yet"
          drawing={<ParcelDrawing />}
          action={<ButtonLink to="/catalog">Go to the catalog</ButtonLink>}
        />
      )}
      {orders !== null && orders.length > 0 && (
        <ul className={styles.list}>
          {orders.map((order) => (
            <li key={order.id}>
              <OrderCard order={order} />
            </li>
          ))}
        </ul>
      )}
      {orders !== null && orders.length < count && (
        <ButtonLink to={`?show=${length + PAGE_LENGTH}`} variant="secondary" preventScrollReset className={styles.more}>
          Show older orders
        </ButtonLink>
      )}
    </div>
  );
}
