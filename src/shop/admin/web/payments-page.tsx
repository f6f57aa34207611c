import { formatExactBtc } from '#src/shop/payments/ledger/exact-amounts.ts';
import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link, useLoaderData, useNavigation, useRevalidator } from 'react-router';
import { Moment } from '#src/storefront/moment.tsx';
import { usePolling } from '#src/ui/use-polling.ts';
import { EmptyState, ErrorState } from '#src/ui/states.tsx';
import { describeStaffTask, isUrgent } from '../tasks/staff-task-messages.ts';
import type { WaitingOrder } from '../contract.ts';
import { AdminFrame } from './admin-frame.tsx';
import { ListPages } from './list-pages.tsx';
import styles from './payments-page.module.css';
import { requireStaff, readPageNumber } from './staff-page.ts';
import { formatPageTitle } from '#src/shop/shop-identity.ts';

const POLL_MS = 10_000;

export const meta: MetaFunction = () => [
  { title: formatPageTitle('Payments · Back office') },
  { name: 'description', content: 'Payments that need a decision.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const call = requireStaff(args, '/admin/payments');
  const page = readPageNumber(new URL(args.request.url).searchParams);
  const waiting = await call('GET /payments/attention', { query: { page: String(page) } }).catch(() => null);
  return { waiting, page };
}

/** Open staff tasks about payments. */
export default function PaymentsPage() {
  const { waiting, page } = useLoaderData<typeof loader>();
  const { state, revalidate } = useRevalidator();
  const isLeaving = useNavigation().state !== 'idle';
  usePolling(POLL_MS, () => {
    if (state === 'idle' && !isLeaving) void revalidate();
  });
  const orders = waiting?.orders ?? [];
  const asking = orders.filter((order) => !order.is_information);
  const informing = orders.filter((order) => order.is_information);
  return (
    <AdminFrame title="Payments">
      {waiting === null && <ErrorState title="The payments could not be loaded." onRetry={() => void revalidate()} />}
      {waiting?.total === 0 && (
        <EmptyState title="No open tasks.">
          <p>Late, partial, excess and lost payments appear here automatically.</p>
        </EmptyState>
      )}
      {asking.length > 0 && <WaitingList id="asking" title="Action needed" orders={asking} />}
      {informing.length > 0 && <WaitingList id="informing" title="No action needed" orders={informing} />}
      {waiting !== null && <ListPages page={page} total={waiting.total} />}
      {waiting !== null && waiting.dust.outputs > 0 && (
        <p className={styles.text}>
          Dust: {waiting.dust.outputs} {waiting.dust.outputs === 1 ? 'output' : 'outputs'} below 294 satoshis to{' '}
          {waiting.dust.orders} {waiting.dust.orders === 1 ? 'order' : 'orders'},{' '}
          {formatExactBtc(waiting.dust.amount_btc)} BTC in all. It stays in the accounting export. No action is needed.
        </p>
      )}
    </AdminFrame>
  );
}

interface WaitingListProps {
  readonly id: string;
  readonly title: string;
  readonly orders: readonly WaitingOrder[];
}

function WaitingList({ id, title, orders }: WaitingListProps) {
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id}>
        {title} <span className={styles.count}>{orders.length}</span>
      </h2>
      <ul className={styles.list}>
        {orders.map((order) => (
          <li key={order.order_id} className={styles.order} data-tone={isUrgent(order.kind) ? 'bad' : undefined}>
            <Waiting order={order} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Waiting({ order }: { readonly order: WaitingOrder }) {
  const { title, text } = describeStaffTask(order.kind);
  return (
    <>
      <div className={styles.content}>
        <h3>
          <Link to={`/admin/orders/${order.order_id}`}>{title}</Link>
        </h3>
        <p className={styles.text}>{text}</p>
      </div>
      <dl className={styles.facts}>
        <div>
          <dt>Order</dt>
          <dd>{order.number}</dd>
        </div>
        <div>
          <dt>Buyer</dt>
          <dd>{order.username}</dd>
        </div>
        <div>
          <dt>Since</dt>
          <dd>
            <Moment at={order.since} shows="moment" />
          </dd>
        </div>
        <div>
          <dt>Received</dt>
          <dd>
            {formatExactBtc(order.received_btc)} of {formatExactBtc(order.due_btc)} BTC
          </dd>
        </div>
        {order.kind === 'late-rate' && order.present_btc !== null && (
          <div>
            <dt>At present rate</dt>
            <dd>{formatExactBtc(order.present_btc)} BTC</dd>
          </div>
        )}
        {order.surplus_btc > 0 && (
          <div>
            <dt>Overpaid</dt>
            <dd>{formatExactBtc(order.surplus_btc)} BTC</dd>
          </div>
        )}
        <div>
          <dt>Refund address</dt>
          <dd>{order.has_refund_address ? 'ready' : 'not usable yet'}</dd>
        </div>
      </dl>
    </>
  );
}
