import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { ButtonLink } from '#src/ui/controls/button.tsx';
import { EmptyState } from '#src/ui/feedback/states.tsx';
import { requireStaff, readChosenIds } from '../../kit/staff-page.ts';
import { createPickList } from '../shipping-messages.ts';
import { PrintFrame } from './print-frame.tsx';
import styles from './print.module.css';
import { Unbroken } from '#src/ui/text/unbroken.tsx';
import { OrderNumber } from '#src/shop/orders/web/order-number.tsx';
import { Table } from '#src/ui/display/table.tsx';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Pick list · Back office', matches) },
  { name: 'description', content: 'What to take from the shelves for the chosen orders.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const call = requireStaff(args, '/admin/orders?queue=to-ship', 'shipping');
  const ids = readChosenIds(new URL(args.request.url).searchParams);
  const found =
    ids.length === 0
      ? { orders: [] }
      : await call('GET /support/fulfilment', { query: { ids: ids.join(',') } }).catch(() => null);
  return { found };
}

/** OPS-13: what to take from the shelves, by SKU. */
export default function PickListPage() {
  const { found } = useLoaderData<typeof loader>();
  const orders = (found?.orders ?? []).filter(({ block }) => block === null);
  const picked = createPickList(orders);
  const left = (found?.orders.length ?? 0) - orders.length;
  return (
    <PrintFrame title="Pick list" isFailed={found === null} isEmpty={picked.length === 0}>
      {picked.length === 0 ? (
        <EmptyState
          title="The chosen orders have nothing to ship."
          action={<ButtonLink to="/admin/orders?queue=to-ship">Choose orders</ButtonLink>}
        />
      ) : (
        <>
          <p className="muted small wrap-anywhere">
            {orders.length === 1 ? 'For 1 order' : `For ${orders.length} orders`}:{' '}
            <Unbroken text={orders.map(({ number }) => number).join(', ')} />
            {left > 0 && (
              <span>{`. ${left} chosen ${left === 1 ? 'order has' : 'orders have'} nothing to ship now.`}</span>
            )}
          </p>
          <Table label="Items to pick" className={styles.table}>
            <thead>
              <tr>
                <th scope="col">SKU</th>
                <th scope="col">Item</th>
                <th scope="col" className={styles.count}>
                  Units
                </th>
                <th scope="col">Orders</th>
              </tr>
            </thead>
            <tbody>
              {picked.map(({ sku, name, quantity, orders: numbers }) => (
                <tr key={sku ?? name}>
                  <td translate="no">{sku ?? '–'}</td>
                  <td>{name}</td>
                  <td className={styles.count}>{quantity}</td>
                  <td>
                    {numbers.map((number) => (
                      <div key={number}>
                        <OrderNumber number={number} />
                      </div>
                    ))}
                  </td>
                </tr>
              ))}
            </tbody>
          </Table>
        </>
      )}
    </PrintFrame>
  );
}
