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
import { BackLink } from '#src/ui/back-link.tsx';
import { ButtonLink } from '#src/ui/button.tsx';
import { Badge } from '#src/ui/badge.tsx';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { ListRow, RowLink, RowList } from '../../kit/row-list.tsx';
import rows from '../../kit/row-list.module.css';
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
      title={<span className={styles.name}>{customer.username}</span>}
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
      <SideColumns sidebar={<Facts customer={customer} />}>
        <Section id="orders" title="Orders" empty="No orders yet." total={customer.orders} shown={orders.length}>
          {orders.map((order) => (
            <ListRow key={order.id} className={styles.row}>
              <div className={rows.name}>
                <RowLink to={`/admin/orders/${order.id}`}>
                  <OrderNumber number={order.number} />
                </RowLink>
                <p className={rows.muted}>
                  <Moment at={order.created_at} shows="moment" />
                </p>
              </div>
              <OrderStatus order={order} isForStaff />
              <OrderTotal order={order} />
            </ListRow>
          ))}
        </Section>
        <Section id="tickets" title="Tickets" empty="No tickets yet." shown={tickets.length}>
          {tickets.map((ticket) => (
            <ListRow key={ticket.id} className={styles.row}>
              <div className={rows.name}>
                <RowLink to={`/admin/tickets/${ticket.id}`}>{ticket.title}</RowLink>
                <p className={rows.muted}>
                  #{ticket.number}, <Moment at={ticket.created_at} shows="moment" />
                </p>
              </div>
              <StatusLabel status={ticket.status} />
            </ListRow>
          ))}
        </Section>
        <Section id="reviews" title="Reviews" empty="No reviews yet." shown={reviews.length}>
          {reviews.map((review) => (
            <li key={review.id} className={styles.item}>
              <p className={rows.strong}>
                {review.rating}/5 for {review.product ?? 'the shop'}
              </p>
              <p className={styles.text}>{review.text}</p>
              <p className={rows.muted}>
                {STATES[review.state]}, <Moment at={review.created_at} shows="moment" />
              </p>
            </li>
          ))}
        </Section>
        <Section id="sessions" title="Sessions" empty="Not logged in anywhere." shown={sessions.length}>
          {sessions.map((session) => (
            <li key={session.id} className={styles.item}>
              <p className={rows.strong}>{session.device === '' ? 'Unknown device' : session.device}</p>
              <p className={rows.muted}>
                Last used <Moment at={session.last_seen_at} shows="moment" />, logged in{' '}
                <Moment at={session.created_at} shows="day" />
              </p>
            </li>
          ))}
        </Section>
        {mayChange && <CustomerActions customer={customer} hasSessions={sessions.length > 0} />}
      </SideColumns>
    </AdminFrame>
  );
}

function Facts({ customer }: { readonly customer: WholeCustomer['customer'] }) {
  return (
    <section aria-labelledby="facts-title">
      <h2 id="facts-title">Account</h2>
      <dl className={styles.facts}>
        <div>
          <dt>Email address</dt>
          <dd>
            <a className={styles.address} href={`mailto:${customer.email}`}>
              {customer.email}
            </a>
            <p className={rows.muted}>{customer.is_email_confirmed ? 'Confirmed' : 'Not confirmed'}</p>
          </dd>
        </div>
        <div>
          <dt>Customer since</dt>
          <dd>
            <Moment at={customer.created_at} shows="day" />
          </dd>
        </div>
        {customer.blocked_at !== null && (
          <div>
            <dt>Blocked since</dt>
            <dd>
              <Moment at={customer.blocked_at} shows="moment" />
            </dd>
          </div>
        )}
        <div>
          <dt>Orders</dt>
          <dd>{formatNumber(customer.orders)}</dd>
        </div>
        <div>
          <dt>Paid orders</dt>
          <dd>
            {formatNumber(customer.paid_orders)}, ${formatUsdAmount(customer.paid_usd)}
          </dd>
        </div>
        <div>
          <dt>Tickets that are not closed</dt>
          <dd>
            {customer.open_tickets === 0 ? (
              '0'
            ) : (
              <Link className={styles.address} to={`/admin/tickets?q=${encodeURIComponent(customer.email)}`}>
                {formatNumber(customer.open_tickets)}
              </Link>
            )}
          </dd>
        </div>
      </dl>
    </section>
  );
}

interface SectionProps {
  readonly id: string;
  readonly title: string;
  readonly empty: string;
  /** Number of rows; more may exist. */
  readonly shown: number;
  readonly total?: number;
  readonly children: ReactNode;
}

function Section({ id, title, empty, shown, total, children }: SectionProps) {
  return (
    <section aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {shown === 0 ? <p className={rows.muted}>{empty}</p> : <RowList>{children}</RowList>}
      {total !== undefined && total > shown && (
        <p className={rows.muted}>
          The newest {shown} of {formatNumber(total)}.
        </p>
      )}
    </section>
  );
}

/** The total of an order, with what was waived and refunded of it. */
function OrderTotal({ order }: { readonly order: WholeCustomer['orders'][number] }) {
  return (
    <div>
      <p translate="no" className={rows.strong}>
        ${formatUsdAmount(order.total_usd)}
      </p>
      {order.waived_usd > 0 && <p className={rows.muted}>Waived ${formatUsdAmount(order.waived_usd)}</p>}
      {order.refunded_usd > 0 && <p className={rows.muted}>Refunded ${formatUsdAmount(order.refunded_usd)}</p>}
    </div>
  );
}
