import type { ReactNode } from 'react';
import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link } from 'react-router';
import { formatNumber, formatUsdAmount } from '#src/shop/format-number.ts';
import { OrderStatus } from '#src/shop/orders/web/order-status.tsx';
import { StatusLabel } from '#src/shop/support/tickets/web/status-label.tsx';
import { SideColumns } from '#src/storefront/layout/side-columns.tsx';
import { Moment } from '#src/storefront/moment.tsx';
import { rethrowAsNotFound } from '#src/storefront/page/page-responses.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { BackLink } from '#src/ui/page/back-link.tsx';
import { ButtonLink } from '#src/ui/controls/button.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { Fact, Facts } from '#src/ui/display/facts.tsx';
import { Badge } from '#src/ui/display/badge.tsx';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { ListRow, RowLink, RowList } from '../../kit/row-list.tsx';
import { requireStaff } from '../../kit/staff-page.ts';
import { useMayUse } from '../../kit/use-may-use.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import type { WholeCustomer } from '../contract.ts';
import { CustomerActions } from './customer-actions.tsx';
import styles from './customer-page.module.css';
import { OrderNumber } from '#src/shop/orders/web/order-number.tsx';

const HOME = '/admin/customers';
const STATES = { waiting: 'Waiting for approval', approved: 'Approved', rejected: 'Rejected' } as const;

export const meta: MetaFunction<typeof loader> = ({ loaderData, matches }) => [
  { title: formatPageTitle(`${loaderData?.customer.username ?? 'Customer'} · Back office`, matches) },
  { name: 'description', content: 'A customer with orders, tickets, reviews and sessions.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const id = args.params['id'] ?? '';
  const call = requireStaff(args, `${HOME}/${id}`, 'customers');
  return call('GET /support/customers/{id}', { params: { id } }).catch(rethrowAsNotFound);
}

/** OPS-14: a customer. */
export default function CustomerPage() {
  const found = useLiveLoaderData<typeof loader>(['customers', 'orders', 'tickets', 'reviews']);
  const { customer, orders, tickets, reviews, sessions } = found;
  const mayCreate = useMayUse('manual-orders');
  const mayChange = useMayUse('customer-changes');
  return (
    <AdminFrame
      title={<span className="wrap-anywhere">{customer.username}</span>}
      beside={
        <>
          {customer.blocked_at !== null && <Badge tone="bad">Blocked</Badge>}
          {mayCreate && customer.blocked_at === null && (
            <ButtonLink to={`/admin/orders/new?customer=${customer.id}`} variant="secondary">
              New order
            </ButtonLink>
          )}
          <BackLink to={HOME} text="Customers" />
        </>
      }
    >
      <SideColumns sidebar={<Account customer={customer} />}>
        <RecentList title="Orders" empty="No orders yet." total={customer.orders} shown={orders.length}>
          {orders.map((order) => (
            <ListRow key={order.id} className={styles.row}>
              <div>
                <RowLink to={`/admin/orders/${order.id}`}>
                  <OrderNumber number={order.number} />
                </RowLink>
                <p className="muted small">
                  <Moment at={order.created_at} shows="moment" />
                </p>
              </div>
              <OrderStatus order={order} isForStaff />
              <OrderTotal order={order} />
            </ListRow>
          ))}
        </RecentList>
        <RecentList title="Tickets" empty="No tickets yet." shown={tickets.length}>
          {tickets.map((ticket) => (
            <ListRow key={ticket.id} className={styles.row}>
              <div>
                <RowLink to={`/admin/tickets/${ticket.id}`}>{ticket.title}</RowLink>
                <p className="muted small">
                  #{ticket.number}, <Moment at={ticket.created_at} shows="moment" />
                </p>
              </div>
              <StatusLabel status={ticket.status} />
            </ListRow>
          ))}
        </RecentList>
        <RecentList title="Reviews" empty="No reviews yet." shown={reviews.length}>
          {reviews.map((review) => (
            <Stack as="li" key={review.id} gap={4} className={styles.item}>
              <p className="strong">
                {review.rating}/5 for {review.product ?? 'the shop'}
              </p>
              <p className="multiline">{review.text}</p>
              <p className="muted small">
                {STATES[review.state]}, <Moment at={review.created_at} shows="moment" />
              </p>
            </Stack>
          ))}
        </RecentList>
        <RecentList title="Sessions" empty="Not logged in anywhere." shown={sessions.length}>
          {sessions.map((session) => (
            <Stack as="li" key={session.id} gap={4} className={styles.item}>
              <p className="strong">{session.device === '' ? 'Unknown device' : session.device}</p>
              <p className="muted small">
                Last used <Moment at={session.last_seen_at} shows="moment" />, logged in{' '}
                <Moment at={session.created_at} shows="day" />
              </p>
            </Stack>
          ))}
        </RecentList>
        {mayChange && <CustomerActions customer={customer} hasSessions={sessions.length > 0} />}
      </SideColumns>
    </AdminFrame>
  );
}

function Account({ customer }: { readonly customer: WholeCustomer['customer'] }) {
  return (
    <Section title="Account" gap={12}>
      <Facts>
        <Fact label="Email address">
          <a className="link accent" href={`mailto:${customer.email}`}>
            {customer.email}
          </a>
          <p className="muted small">{customer.is_email_confirmed ? 'Confirmed' : 'Not confirmed'}</p>
        </Fact>
        <Fact label="Customer since">
          <Moment at={customer.created_at} shows="day" />
        </Fact>
        {customer.blocked_at !== null && (
          <Fact label="Blocked since">
            <Moment at={customer.blocked_at} shows="moment" />
          </Fact>
        )}
        <Fact label="Orders">{formatNumber(customer.orders)}</Fact>
        <Fact label="Paid orders">
          {formatNumber(customer.paid_orders)}, ${formatUsdAmount(customer.paid_usd)}
        </Fact>
        <Fact label="Tickets that are not closed">
          {customer.open_tickets === 0 ? (
            '0'
          ) : (
            <Link className="link accent" to={`/admin/tickets?q=${encodeURIComponent(customer.email)}`}>
              {formatNumber(customer.open_tickets)}
            </Link>
          )}
        </Fact>
      </Facts>
    </Section>
  );
}

interface RecentListProps {
  readonly title: string;
  readonly empty: string;
  /** Number of rows; more may exist. */
  readonly shown: number;
  readonly total?: number;
  readonly children: ReactNode;
}

function RecentList({ title, empty, shown, total, children }: RecentListProps) {
  return (
    <Section title={title} gap={12}>
      {shown === 0 ? <p className="muted small">{empty}</p> : <RowList>{children}</RowList>}
      {total !== undefined && total > shown && (
        <p className="muted small">
          The newest {shown} of {formatNumber(total)}.
        </p>
      )}
    </Section>
  );
}

/** The total of an order, with what was waived and refunded of it. */
function OrderTotal({ order }: { readonly order: WholeCustomer['orders'][number] }) {
  return (
    <div>
      <p translate="no" className="strong">
        ${formatUsdAmount(order.total_usd)}
      </p>
      {order.waived_usd > 0 && <p className="muted small">Waived ${formatUsdAmount(order.waived_usd)}</p>}
      {order.refunded_usd > 0 && <p className="muted small">Refunded ${formatUsdAmount(order.refunded_usd)}</p>}
    </div>
  );
}
