import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { formatDate, UTC } from '#src/shop/format.ts';
import { OrderAddress } from '#src/shop/orders/web/order-facts.tsx';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { ButtonLink } from '#src/ui/controls/button.tsx';
import { EmptyState } from '#src/ui/feedback/states.tsx';
import { requireStaff, readChosenIds } from '../../kit/staff-page.ts';
import { createSlip } from './packing-slip.ts';
import { PrintFrame } from './print-frame.tsx';
import styles from './print.module.css';
import { Row } from '#src/ui/layout/row.ts';
import { Unbroken } from '#src/ui/text/unbroken.tsx';
import { Table } from '#src/ui/display/table.tsx';
import { Stack } from '#src/ui/layout/stack.ts';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Packing slips · Back office', matches) },
  { name: 'description', content: 'What each parcel contains, without prices.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const call = requireStaff(args, '/admin/orders?queue=to-ship', 'shipping');
  const parameters = new URL(args.request.url).searchParams;
  const ids = readChosenIds(parameters);
  const [found, shop] = await Promise.all([
    ids.length === 0
      ? { orders: [], time_zone: UTC }
      : call('GET /support/fulfilment', { query: { ids: ids.join(',') } }).catch(() => null),
    call('GET /shop'),
  ]);
  return { found, shop, shipment: Number(parameters.get('shipment')) };
}

/** OPS-13: packing slips of the chosen orders, or of one shipment. Without prices. */
export default function PackingSlipsPage() {
  const { found, shop, shipment } = useLoaderData<typeof loader>();
  const slips = (found?.orders ?? []).flatMap((order) => {
    const slip = createSlip(order, shipment);
    return slip === null ? [] : [{ order, ...slip }];
  });
  return (
    <PrintFrame title="Packing slips" isTitlePrinted={false} isFailed={found === null} isEmpty={slips.length === 0}>
      {slips.length === 0 ? (
        <EmptyState
          title="The chosen orders have nothing to pack."
          action={<ButtonLink to="/admin/orders?queue=to-ship">Choose orders</ButtonLink>}
        />
      ) : (
        slips.map(({ order, title, items }) => (
          <Stack as="section" key={order.id} gap={24} className={styles.slip} aria-labelledby={`slip-${order.id}`}>
            <Row gap={24} rowGap={8} align="start" justify="between">
              <div>
                <h2 id={`slip-${order.id}`}>
                  <Unbroken text={title} />
                </h2>
                <p className="muted small wrap-anywhere">
                  Ordered{' '}
                  <time dateTime={order.created_at} suppressHydrationWarning>
                    {formatDate(order.created_at, 'moment', found?.time_zone ?? UTC)}
                  </time>
                </p>
              </div>
              <p className={styles.seller}>
                <strong>{shop.name || shop.company}</strong>
                <span>{shop.address}</span>
              </p>
            </Row>
            <OrderAddress billing={order.billing} />
            <Table label={`Items of ${title}`} className={styles.table}>
              <thead>
                <tr>
                  <th scope="col" className={styles.count}>
                    Units
                  </th>
                  <th scope="col">Item</th>
                  <th scope="col">SKU</th>
                </tr>
              </thead>
              <tbody>
                {items.map(({ position, name, sku, quantity, serials }) => (
                  <tr key={position}>
                    <td className={styles.count}>{quantity}</td>
                    <td>
                      {name}
                      {serials.length > 0 && (
                        <p translate="no" className="muted small">
                          {serials.join(', ')}
                        </p>
                      )}
                    </td>
                    <td translate="no">{sku ?? '–'}</td>
                  </tr>
                ))}
              </tbody>
            </Table>
          </Stack>
        ))
      )}
    </PrintFrame>
  );
}
