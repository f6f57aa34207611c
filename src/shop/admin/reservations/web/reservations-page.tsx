import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link } from 'react-router';
import { describeAvailable } from '#src/shop/inventory/low-stock/describe-stock.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { call } from '#src/storefront/call.ts';
import { EmptyState } from '#src/ui/feedback/states.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { Fact, Facts } from '#src/ui/display/facts.tsx';
import { Disclosure } from '#src/ui/display/disclosure.tsx';
import { TextArea } from '#src/ui/fields/text-area.tsx';
import type { Reservation } from '#src/shop/orders/reservations/contract.ts';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { MAX_REASON, readText } from '../../kit/form-text.ts';
import { PagedList } from '../../kit/paged-list.tsx';
import { requireStaff, readPageNumber } from '../../kit/staff-page.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { OrderNumber } from '#src/shop/orders/web/order-number.tsx';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Reserved stock · Back office', matches) },
  { name: 'description', content: 'Orders that reserve stock until they are paid.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const read = requireStaff(args, '/admin/reservations', 'stock');
  const page = readPageNumber(new URL(args.request.url).searchParams);
  const found = await read('GET /support/reservations', { query: { page: String(page) } }).catch(() => null);
  return { found, page };
}

/** OPS-26: open reservations with their orders and ends. */
export default function ReservationsPage() {
  const { found, page } = useLiveLoaderData<typeof loader>(['orders', 'payments', 'stock']);
  return (
    <AdminFrame title="Reserved stock">
      <PagedList
        found={found}
        page={page}
        failure="The reservations could not be loaded."
        empty={
          <EmptyState title="No stock is reserved.">
            <p>Unpaid orders of products with limited stock appear here until they are paid, cancelled or expired.</p>
          </EmptyState>
        }
      >
        {({ reservations }) => (
          <Stack as="ul" gap={12}>
            {reservations.map((one) => (
              <Stack as="li" key={one.order_id} surface="soft" gap={12}>
                <ReservedOrder reservation={one} />
              </Stack>
            ))}
          </Stack>
        )}
      </PagedList>
    </AdminFrame>
  );
}

function describeEnd({ expires_at: at, is_secured: isSecured, is_brief: isBrief }: Reservation) {
  if (isSecured) return 'while the order is open: its payment was seen';
  return (
    <>
      <Moment at={at} shows="moment" />
      {isBrief && <span> (short, almost sold out)</span>}
    </>
  );
}

function ReservedOrder({ reservation }: { readonly reservation: Reservation }) {
  const { order_id: id, number, username, network, items } = reservation;
  return (
    <>
      <h2>
        <Link to={`/admin/orders/${id}`} className="link">
          Order <OrderNumber number={number} />
        </Link>
      </h2>
      <Facts layout="columns">
        <Fact label="Items">
          {items.map(({ name, quantity, available }) => (
            <div key={name}>
              {quantity} × {name}{' '}
              <span className="muted">{available === null ? 'no limit' : describeAvailable(available)}</span>
            </div>
          ))}
        </Fact>
        <Fact label="Account">
          {username}
          <div className="muted">
            {reservation.is_email_confirmed ? 'mail address confirmed' : 'mail address not confirmed'}
          </div>
        </Fact>
        <Fact label="Network">{reservation.is_of_staff ? 'none: created by staff' : (network ?? 'not recorded')}</Fact>
        <Fact label="Since">
          <Moment at={reservation.reserved_at} shows="moment" />
        </Fact>
        <Fact label="Until">{describeEnd(reservation)}</Fact>
      </Facts>
      {reservation.can_be_released && (
        <Disclosure summary="Release stock">
          <ConfirmedAction
            button="Release"
            isDestructive
            question={`Release the stock of ${number}?`}
            meaning={
              <p>
                The order expires now, and its items are released for sale. The buyer gets a mail and can get a new
                quote. A later payment counts as late.
              </p>
            }
            confirm="Release"
            done="The stock was released"
            onConfirm={(data) =>
              call('POST /orders/{id}/release-stock', { params: { id }, body: { reason: readText(data, 'reason') } })
            }
          >
            <TextArea label="Reason, for staff only" name="reason" rows={2} required maxLength={MAX_REASON} />
          </ConfirmedAction>
        </Disclosure>
      )}
    </>
  );
}
