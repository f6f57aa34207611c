import { Link } from 'react-router';
import type { OrderToShip } from '#src/shop/orders/fulfilment/contract.ts';
import { OrderAddress } from '#src/shop/orders/web/order-facts.tsx';
import { StatusLabel } from '#src/shop/support/tickets/web/status-label.tsx';
import { Moment } from '#src/storefront/moment.tsx';
import { Lines } from '#src/ui/layout/lines.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { Row } from '#src/ui/layout/row.ts';
import { useMayUse } from '../../kit/use-may-use.ts';
import type { WholeOrder } from '../contract.ts';
import { ChangeAddress } from './change-address.tsx';

/** Who ordered, and when. */
export function Customer({ whole: { buyer, created_by: by, order } }: { readonly whole: WholeOrder }) {
  // Without an address the account was erased or belongs to the team.
  const maySeeCustomer = useMayUse('customers') && buyer.email !== '';
  return (
    <Section title="Customer" gap={12}>
      <div>
        <p className="wrap-anywhere">
          {maySeeCustomer ? (
            <Link to={`/admin/customers/${buyer.id}`} className="link accent">
              {buyer.username}
            </Link>
          ) : (
            buyer.username
          )}
        </p>
        {buyer.email !== '' && (
          <p className="wrap-anywhere">
            <a className="link accent" href={`mailto:${buyer.email}`}>
              {buyer.email}
            </a>
          </p>
        )}
        <p className="muted small wrap-anywhere">
          Ordered <Moment at={order.created_at} shows="moment" />
        </p>
        {by !== null && <p className="muted small wrap-anywhere">Created by staff: {by}</p>}
      </div>
    </Section>
  );
}

interface DeliveryAddressProps {
  readonly whole: WholeOrder;
  readonly shipping: OrderToShip | null;
}

export const DeliveryAddress = ({ whole, shipping }: DeliveryAddressProps) => (
  <Section title="Delivery address" gap={12}>
    <div>
      <OrderAddress billing={whole.order.billing} />
      {shipping?.is_address_changeable === true && <ChangeAddress shipping={shipping} />}
    </div>
  </Section>
);

/** The buyer's newest tickets. Nothing for none. */
export function Tickets({ whole: { tickets } }: { readonly whole: WholeOrder }) {
  if (tickets.length === 0) return null;
  return (
    <Section title="Tickets" gap={4}>
      <Lines gap={8}>
        {tickets.map((ticket) => (
          <Row as="li" key={ticket.id} gap={16} rowGap={0} justify="between">
            <Link to={`/admin/tickets/${ticket.id}`} className="link accent wrap-anywhere">
              {ticket.title}
            </Link>
            <StatusLabel status={ticket.status} />
          </Row>
        ))}
      </Lines>
    </Section>
  );
}
