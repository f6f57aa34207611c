import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link } from 'react-router';
import { mayUse } from '#src/shop/permissions.ts';
import type { Area } from '#src/shop/permissions.ts';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { ButtonLink } from '#src/ui/controls/button.tsx';
import { Grid } from '#src/ui/layout/grid.ts';
import { Row } from '#src/ui/layout/row.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { EmptyState, ErrorState } from '#src/ui/feedback/states.tsx';
import type { Todo } from '../contract.ts';
import { comparedDays } from '../../sales/compare-periods.ts';
import { describeDays } from '../../sales/web/describe-sales.ts';
import { RevenueChart } from '../../sales/web/sales-charts.tsx';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { readChoice, readRole, requireStaff } from '../../kit/staff-page.ts';
import { useMayUse } from '../../kit/use-may-use.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import { waitingTopics } from '../../kit/waiting-counts.ts';
import { HealthLine } from './health-line.tsx';
import styles from './overview.module.css';
import { RecentOrders } from './recent-orders.tsx';
import { SalesComparison } from './sales-comparison.tsx';
import { SetupList } from './setup-list.tsx';
import { TodoList } from './todo-list.tsx';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Home · Back office', matches) },
  { name: 'description', content: 'What needs doing now, sales, and the state of the shop.' },
];

/** How many of each kind that waits are shown on the page. */
const IN_PLACE = 2;

const NOTHING = { reviews: [], tickets: [], messages: [] } as const;

/** Some reviews, tickets and messages that wait, without what the page does not show. */
async function loadInPlace(
  call: ReturnType<typeof requireStaff>,
  { reviews, tickets, new_messages: messages }: Pick<Todo, 'reviews' | 'tickets' | 'new_messages'>,
) {
  const [waiting, unassigned, unanswered] = await Promise.all([
    reviews === 0 ? null : call('GET /support/reviews', { query: { state: 'waiting' } }).catch(() => null),
    tickets === 0
      ? null
      : call('GET /support/tickets', { query: { waiting: 'true', assignee: 'nobody', sort: 'waiting' } }).catch(
          () => null,
        ),
    messages === 0 ? null : call('GET /support/contact-messages', { query: { state: 'new' } }).catch(() => null),
  ]);
  return {
    reviews: (waiting?.reviews ?? [])
      .slice(0, IN_PLACE)
      .map(({ id, name, rating, text, product }) => ({ id, name, rating, text, product })),
    tickets: (unassigned?.tickets ?? [])
      .slice(0, IN_PLACE)
      .map(({ id, number, title, waiting_since }) => ({ id, number, title, waiting_since })),
    messages: (unanswered?.messages ?? [])
      .slice(0, IN_PLACE)
      .map(({ id, firstName, lastName, created_at }) => ({ id, firstName, lastName, created_at })),
  };
}

/** The newest payments that need a decision. */
async function loadPayments(call: ReturnType<typeof requireStaff>) {
  const { orders } = await call('GET /payments/attention', { query: {} });
  return orders
    .filter((order) => !order.is_information)
    .slice(0, IN_PLACE)
    .map(({ order_id, number, kind, since }) => ({ order_id, number, kind, since }));
}

/** OPS-05, OPS-07: what is missing before the first sale, what the role has to do, and what it may see. */
export async function loader(args: LoaderFunctionArgs) {
  const call = requireStaff(args, '/admin', null);
  const role = readRole(args);
  const ifAllowed = <Loaded,>(area: Area, load: () => Promise<Loaded>): Promise<Loaded | null> =>
    mayUse(role, area) ? load().catch(() => null) : Promise.resolve(null);
  const days = readChoice(new URL(args.request.url).searchParams, 'days', comparedDays) ?? '1';
  const [todo, setup, health, comparison, sales, recent] = await Promise.all([
    call('GET /support/todo').catch(() => null),
    ifAllowed('settings', () => call('GET /support/setup')),
    ifAllowed('settings', () => call('GET /support/health')),
    ifAllowed('reports', () => call('GET /support/sales/comparison', { query: { days } })),
    ifAllowed('reports', () => call('GET /support/sales', { query: { period: '30d' } })),
    ifAllowed('orders', () => call('GET /support/recent-orders')),
  ]);
  const [inPlace, payments] = await Promise.all([
    todo !== null && mayUse(role, 'support') ? loadInPlace(call, todo) : NOTHING,
    todo !== null && todo.payments > 0 ? ifAllowed('payments', () => loadPayments(call)) : null,
  ]);
  return {
    days,
    todo,
    inPlace: { ...inPlace, payments: payments ?? [] },
    me: args.context.get(pageContext).visitor.user?.id ?? '',
    steps: setup === null || setup.is_complete ? null : setup.steps,
    parts: health?.parts ?? null,
    comparison,
    sales,
    orders: recent?.orders ?? null,
  };
}
type HomeData = ReturnType<typeof useLiveLoaderData<typeof loader>>;

const TOPICS = [...waitingTopics, 'health', 'settings', 'catalogue'] as const;

const retry = (): void => void reloadPage();

export default function AdminHomePage() {
  const loaded = useLiveLoaderData<typeof loader>(TOPICS);
  const [maySeeSales, maySeeOrders, maySeeHealth] = [useMayUse('reports'), useMayUse('orders'), useMayUse('settings')];
  const { steps, todo, inPlace, me, orders, parts } = loaded;
  return (
    <AdminFrame title="Home">
      {/* The checklist of a new shop leads to the same pages. */}
      {steps === null && <QuickActions />}
      {steps !== null && (
        <Section title="Set up your shop">
          <SetupList steps={steps} />
        </Section>
      )}
      {maySeeSales && <Sales loaded={loaded} />}
      <Grid foldsAt={991} gap={48} rowGap={24} className={styles.beside}>
        <Section title="To do">
          {todo === null ? (
            <ErrorState title="What needs doing could not be loaded." onRetry={retry} />
          ) : (
            <TodoList waiting={{ todo, me, ...inPlace }} />
          )}
        </Section>
        {maySeeOrders && <RecentOrders orders={orders} />}
      </Grid>
      {maySeeSales && loaded.comparison?.first_sale !== null && <RecentRevenue sales={loaded.sales} />}
      {maySeeHealth && (
        <Section title="State of the shop">
          {parts === null ? (
            <ErrorState title="The state could not be loaded." onRetry={retry} />
          ) : (
            <HealthLine parts={parts} backupAt={todo?.backup.at} />
          )}
        </Section>
      )}
    </AdminFrame>
  );
}

/** What staff come to create, one click from here. */
function QuickActions() {
  const [maySell, mayEdit] = [useMayUse('manual-orders'), useMayUse('catalogue')];
  if (!maySell && !mayEdit) return null;
  return (
    <Row as="nav" gap={8} aria-label="Quick actions">
      {maySell && (
        <ButtonLink to="/admin/orders/new" variant="secondary">
          New order
        </ButtonLink>
      )}
      {mayEdit && (
        <>
          <ButtonLink to="/admin/products/new" variant="secondary">
            Add product
          </ButtonLink>
          <ButtonLink to="/admin/promotions/new" variant="secondary">
            Create promotion
          </ButtonLink>
        </>
      )}
    </Row>
  );
}

const Sales = ({ loaded: { comparison, days } }: { readonly loaded: HomeData }) => (
  <Section
    title="Sales"
    actions={
      <Link to="/admin/sales" prefetch="intent" className="link accent">
        All figures
      </Link>
    }
  >
    {comparison === null ? (
      <ErrorState title="The figures could not be loaded." onRetry={retry} />
    ) : (
      <SalesComparison days={days} comparison={comparison} />
    )}
  </Section>
);

const RecentRevenue = ({ sales }: Pick<HomeData, 'sales'>) => (
  <Section title="Revenue of the last 30 days">
    {sales === null && <ErrorState title="The revenue could not be loaded." onRetry={retry} />}
    {sales !== null && sales.totals.orders === 0 && sales.totals.refunds === 0 && (
      <EmptyState title="No sales in this time.">
        <p>An order counts as a sale once it is paid, at the time of its payment.</p>
      </EmptyState>
    )}
    {sales !== null && (sales.totals.orders > 0 || sales.totals.refunds > 0) && (
      <>
        <RevenueChart {...sales} />
        <p className="muted small wrap-anywhere">{describeDays(sales)}</p>
      </>
    )}
  </Section>
);
