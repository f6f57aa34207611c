import { Link } from 'react-router';
import { formatBtcAmount, formatUsdAmount } from '#src/shop/format-number.ts';
import type { RecentOrder } from '#src/shop/orders/list/contract.ts';
import { OrderNumber } from '#src/shop/orders/web/order-number.tsx';
import { OrderStatus } from '#src/shop/orders/web/order-status.tsx';
import { Moment } from '#src/storefront/moment.tsx';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { ButtonLink } from '#src/ui/controls/button.tsx';
import { Row } from '#src/ui/layout/row.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { EmptyState, ErrorState } from '#src/ui/feedback/states.tsx';
import { ListRow, RowLink, RowList } from '../../kit/row-list.tsx';
import { useMayUse } from '../../kit/use-may-use.ts';
import styles from './overview.module.css';

/** The newest orders. They name no buyers, so that nobody's data is read by opening the page. */
export function RecentOrders({ orders }: { readonly orders: readonly RecentOrder[] | null }) {
  return (
    <Section title="Recent orders">
      <Orders orders={orders} />
      {orders !== null && orders.length > 0 && (
        <p>
          <Link to="/admin/orders" prefetch="intent" className="link accent">
            All orders
          </Link>
        </p>
      )}
    </Section>
  );
}

function Orders({ orders }: { readonly orders: readonly RecentOrder[] | null }) {
  const mayCreate = useMayUse('manual-orders');
  if (orders === null) {
    return <ErrorState title="The orders could not be loaded." onRetry={() => void reloadPage()} />;
  }
  if (orders.length === 0) {
    return (
      <EmptyState
        title="No orders yet."
        action={
          mayCreate && (
            <ButtonLink to="/admin/orders/new" variant="secondary">
              Create an order
            </ButtonLink>
          )
        }
      >
        <p>Orders of your customers appear here the moment they are placed.</p>
      </EmptyState>
    );
  }
  return (
    <RowList>
      {orders.map((order) => (
        <ListRow key={order.id} className={styles.order}>
          <div>
            <RowLink to={`/admin/orders/${order.id}`}>
              <OrderNumber number={order.number} />
            </RowLink>
            <p className="muted small">
              <Moment at={order.created_at} shows="moment" />
            </p>
          </div>
          <Row gap={8} rowGap={4}>
            <OrderStatus order={order} isForStaff />
            {order.can_ship && <span className="muted small">To ship</span>}
          </Row>
          <div className={styles.total}>
            <p className="strong" translate="no">
              ${formatUsdAmount(order.total_usd - order.waived_usd)}
            </p>
            <p className="muted small" translate="no">
              {formatBtcAmount(order.due_btc)} BTC
            </p>
          </div>
        </ListRow>
      ))}
    </RowList>
  );
}
