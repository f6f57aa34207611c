import { Link } from 'react-router';
import { ButtonLink } from '#src/ui/controls/button.tsx';
import { Lines } from '#src/ui/layout/lines.ts';
import { Row } from '#src/ui/layout/row.ts';
import { Section } from '#src/ui/layout/section.tsx';
import type { ReturnsOfOrder } from '../contract.ts';
import { CAUSES } from '../return-messages.ts';
import { ReturnState } from './return-state.tsx';

interface OrderReturnsProps {
  readonly orderId: string;
  readonly found: ReturnsOfOrder;
}

/** RET-07: the returns of an order, and how to start one. Nothing before anything can be returned. */
export function OrderReturns({ orderId, found: { causes, exchange_of: origin, returns } }: OrderReturnsProps) {
  if (returns.length === 0 && causes.length === 0 && origin === null) return null;
  return (
    <Section title="Returns" className="screen-only">
      {origin !== null && (
        <p>
          This order exchanges items of order{' '}
          <Link to={`/dashboard/orders/${origin.order_id}`} className="link accent unbroken" translate="no">
            {origin.order_number}
          </Link>
          , by return{' '}
          <Link to={`/dashboard/returns/${origin.return_id}`} className="link accent unbroken" translate="no">
            {origin.reference}
          </Link>
          .
        </p>
      )}
      {returns.length > 0 && (
        <Lines>
          {returns.map((one) => (
            <Row as="li" key={one.id} justify="between" rowGap={4}>
              <div>
                <Link to={`/dashboard/returns/${one.id}`} className="link accent unbroken" translate="no">
                  {one.reference}
                </Link>
                <p className="muted small">
                  {CAUSES[one.cause]} · {one.lines.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ')}
                </p>
              </div>
              <ReturnState one={one} />
            </Row>
          ))}
        </Lines>
      )}
      {causes.length > 0 && (
        <Row>
          <ButtonLink to={`/dashboard/orders/${orderId}/return`} variant="secondary">
            Return items
          </ButtonLink>
        </Row>
      )}
    </Section>
  );
}
