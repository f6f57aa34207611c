import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link } from 'react-router';
import { mayUse } from '#src/shop/permissions.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { EmptyState, ErrorState } from '#src/ui/states.tsx';
import { formatNumber } from '#src/shop/format-number.ts';
import { TodoList } from './todo-list.tsx';
import styles from './overview.module.css';
import { describeDays, formatAverage, formatBtcText, formatUsdText, REVENUE } from '../../sales/web/describe-sales.ts';
import { RevenueChart } from '../../sales/web/sales-charts.tsx';
import { Health } from '../../settings/web/environment.tsx';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { SetupList } from './setup-list.tsx';
import { readRole, requireStaff } from '../../kit/staff-page.ts';
import { useMayUse } from '../../kit/use-may-use.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import { waitingTopics } from '../../kit/waiting-counts.ts';
import { Section } from '#src/ui/section.tsx';
import { Fact, Facts } from '#src/ui/facts.tsx';
import { Unbroken } from '#src/ui/unbroken.tsx';

export const meta: MetaFunction<typeof loader> = ({ loaderData, matches }) => [
  {
    title: formatPageTitle(
      `${(loaderData?.steps ?? null) === null ? 'Home' : 'Set up your shop'} · Back office`,
      matches,
    ),
  },
  { name: 'description', content: 'What needs doing now, sales, and the state of the shop.' },
];

/** OPS-05, OPS-07: the set-up checklist while something is missing, then what the role has to do and may see. */
export async function loader(args: LoaderFunctionArgs) {
  const call = requireStaff(args, '/admin', null);
  const role = readRole(args);
  const setup = mayUse(role, 'settings') ? await call('GET /support/setup').catch(() => null) : null;
  if (setup !== null && !setup.is_complete) return { steps: setup.steps, todo: null, sales: null, parts: null };
  const [todo, sales, health] = await Promise.all([
    call('GET /support/todo').catch(() => null),
    mayUse(role, 'reports') ? call('GET /support/sales', { query: { period: '30d' } }).catch(() => null) : null,
    mayUse(role, 'settings') ? call('GET /support/health').catch(() => null) : null,
  ]);
  return { steps: null, todo, sales, parts: health?.parts ?? null };
}

const TOPICS = [...waitingTopics, 'health'] as const;

export default function AdminHomePage() {
  const loaded = useLiveLoaderData<typeof loader>(TOPICS);
  const { steps } = loaded;
  if (steps === null) return <Overview loaded={loaded} />;
  return (
    <AdminFrame title="Set up your shop">
      <SetupList steps={steps} />
    </AdminFrame>
  );
}

const retry = (): void => void reloadPage();

function Overview({ loaded }: { readonly loaded: ReturnType<typeof useLiveLoaderData<typeof loader>> }) {
  const { todo, sales, parts } = loaded;
  const [maySeeSales, maySeeHealth] = [useMayUse('reports'), useMayUse('settings')];
  return (
    <AdminFrame title="Home">
      <Section title="To do">
        {todo === null ? (
          <ErrorState title="What needs doing could not be loaded." onRetry={retry} />
        ) : (
          <TodoList todo={todo} />
        )}
      </Section>
      {maySeeSales && (
        <Section
          title="Sales of the last 30 days"
          actions={
            <Link to="/admin/sales" prefetch="intent" className="link accent">
              All figures
            </Link>
          }
        >
          {sales === null ? (
            <ErrorState title="The sales could not be loaded." onRetry={retry} />
          ) : (
            <RecentSales sales={sales} />
          )}
        </Section>
      )}
      {maySeeHealth && (
        <Section title="State of the shop">
          {parts === null ? (
            <ErrorState title="The state could not be loaded." onRetry={retry} />
          ) : (
            <Health parts={parts} />
          )}
          {todo !== null && <LastBackup at={todo.backup.at} />}
        </Section>
      )}
    </AdminFrame>
  );
}

const LastBackup = ({ at }: { readonly at: string | null }) => (
  <p className="muted small wrap-anywhere">
    {at === null ? (
      <Unbroken text='No backup is recorded. Only backups by "npm run db -- backup", and those reported with "backup-done", are known here.' />
    ) : (
      <>
        Last backup: <Moment at={at} shows="moment" />
      </>
    )}
  </p>
);

interface RecentSalesProps {
  readonly sales: NonNullable<Awaited<ReturnType<typeof loader>>['sales']>;
}

function RecentSales({ sales }: RecentSalesProps) {
  const { totals } = sales;
  if (totals.orders === 0 && totals.refunds === 0) {
    return (
      <EmptyState title="No sales in this time.">
        <p>An order counts as a sale once it is paid, at the time of its payment.</p>
      </EmptyState>
    );
  }
  return (
    <>
      <Facts layout="columns" className={styles.facts}>
        <Fact label="Orders">{formatNumber(totals.orders)}</Fact>
        <Fact label={REVENUE} translate="no">
          {formatUsdText(totals.revenue_usd)}
        </Fact>
        <Fact label="Revenue in bitcoin, net of refunds" translate="no">
          {formatBtcText(totals.revenue_btc)}
        </Fact>
        <Fact label="Average order">{formatAverage(totals)}</Fact>
      </Facts>
      <RevenueChart {...sales} />
      <p className="muted small wrap-anywhere">{describeDays(sales)}</p>
    </>
  );
}
