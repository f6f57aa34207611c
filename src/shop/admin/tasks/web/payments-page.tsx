import { formatExactBtc } from '#src/shop/payments/ledger/exact-amounts.ts';
import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link } from 'react-router';
import { Moment } from '#src/storefront/moment.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { Fact, Facts } from '#src/ui/display/facts.tsx';
import { EmptyState } from '#src/ui/feedback/states.tsx';
import { describeStaffTask, isUrgent } from '../staff-task-messages.ts';
import type { WaitingOrder } from '../contract.ts';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { formatBtcAtRate, formatValuedBtc } from '../../refunds/web/decision-amount.ts';
import { ListTitle } from '../../kit/list-title.tsx';
import { PagedList } from '../../kit/paged-list.tsx';
import styles from './payments-page.module.css';
import { requireStaff, readPageNumber } from '../../kit/staff-page.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { Grid } from '#src/ui/layout/grid.ts';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Payment tasks · Back office', matches) },
  { name: 'description', content: 'Payments that need a decision.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const call = requireStaff(args, '/admin/payments', 'payments');
  const page = readPageNumber(new URL(args.request.url).searchParams);
  const waiting = await call('GET /payments/attention', { query: { page: String(page) } }).catch(() => null);
  return { waiting, page };
}

/** Open staff tasks about payments. */
export default function PaymentsPage() {
  const { waiting, page } = useLiveLoaderData<typeof loader>(['payments', 'refunds']);
  return (
    <AdminFrame title="Payment tasks">
      <PagedList
        found={waiting}
        page={page}
        failure="The payments could not be loaded."
        empty={
          <EmptyState title="No open tasks.">
            <p>Late, partial, excess and lost payments appear here automatically.</p>
          </EmptyState>
        }
      >
        {({ orders }) => (
          <>
            <WaitingList title="Action needed" orders={orders.filter((one) => !one.is_information)} />
            <WaitingList title="No action needed" orders={orders.filter((one) => one.is_information)} />
          </>
        )}
      </PagedList>
      {waiting !== null && waiting.dust.outputs > 0 && (
        <p className="muted measure">
          Dust: {waiting.dust.outputs} {waiting.dust.outputs === 1 ? 'output' : 'outputs'} below 294 satoshis to{' '}
          {waiting.dust.orders} {waiting.dust.orders === 1 ? 'order' : 'orders'},{' '}
          {formatExactBtc(waiting.dust.amount_btc)} BTC in all. It stays in the accounting export. No action is needed.
        </p>
      )}
    </AdminFrame>
  );
}

interface WaitingListProps {
  readonly title: string;
  readonly orders: readonly WaitingOrder[];
}

function WaitingList({ title, orders }: WaitingListProps) {
  if (orders.length === 0) return null;
  return (
    <Section title={<ListTitle text={title} count={orders.length} />}>
      <Stack as="ul" gap={12}>
        {orders.map((order) => (
          <Grid
            foldsAt={991}
            gap={32}
            rowGap={12}
            as="li"
            key={order.order_id}
            surface="soft"
            className={styles.order}
            data-tone={isUrgent(order.kind) ? 'bad' : undefined}
          >
            <Waiting order={order} />
          </Grid>
        ))}
      </Stack>
    </Section>
  );
}

function Waiting({ order }: { readonly order: WaitingOrder }) {
  const { title, text } = describeStaffTask(order.kind);
  // That of its quote.
  const rate = order.due_btc > 0 ? order.total_usd / order.due_btc : null;
  return (
    <>
      <Stack gap={4} className={styles.content}>
        <h3>
          <Link to={`/admin/orders/${order.order_id}`}>{title}</Link>
        </h3>
        <p className="muted measure">{text}</p>
      </Stack>
      <Facts layout="columns" className={styles.facts}>
        <Fact label="Order" translate="no" className="unbroken">
          {order.number}
        </Fact>
        <Fact label="Buyer">{order.username}</Fact>
        <Fact label="Since">
          <Moment at={order.since} shows="moment" />
        </Fact>
        <Fact label="Received">
          {formatBtcAtRate(order.received_btc, rate)} of {formatValuedBtc(order.due_btc, order.total_usd)}
        </Fact>
        {order.kind === 'late-rate' && order.present_btc !== null && (
          <Fact label="At present rate" translate="no">
            {formatValuedBtc(order.present_btc, order.total_usd)}
          </Fact>
        )}
        {order.surplus_btc > 0 && (
          <Fact label="Overpaid" translate="no">
            {formatBtcAtRate(order.surplus_btc, rate)}
          </Fact>
        )}
        <Fact label="Refund address">{order.has_refund_address ? 'ready' : 'not usable yet'}</Fact>
      </Facts>
    </>
  );
}
