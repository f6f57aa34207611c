import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link } from 'react-router';
import { OrderNumber } from '#src/shop/orders/web/order-number.tsx';
import type { DeskReturn } from '#src/shop/returns/desk/contract.ts';
import { CAUSES, DEADLINES } from '#src/shop/returns/return-messages.ts';
import { Barcode } from '#src/shop/returns/web/barcode.tsx';
import { PictureList } from '#src/shop/returns/web/picture-list.tsx';
import { ReturnState } from '#src/shop/returns/web/return-state.tsx';
import { SideColumns } from '#src/storefront/layout/side-columns.tsx';
import { Moment } from '#src/storefront/moment.tsx';
import { rethrowAsNotFound } from '#src/storefront/page/page-responses.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { BackLink } from '#src/ui/page/back-link.tsx';
import { Badge } from '#src/ui/display/badge.tsx';
import { Fact, Facts } from '#src/ui/display/facts.tsx';
import { Row } from '#src/ui/layout/row.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { Table } from '#src/ui/display/table.tsx';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { requireStaff } from '../../kit/staff-page.ts';
import { useMayUse } from '../../kit/use-may-use.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import { Decide, EndReturn, SentByBuyer } from './decide.tsx';
import { ExchangeReturn } from './exchange-return.tsx';
import { Inspect } from './inspect.tsx';
import { Receive } from './receive.tsx';
import { RefundReturn } from './refund-return.tsx';
import { ShippingLabel } from './shipping-label.tsx';

export const meta: MetaFunction<typeof loader> = ({ loaderData, matches }) => [
  {
    title: formatPageTitle(
      `${loaderData ? `Return ${loaderData.found.return.reference}` : 'Return'} · Back office`,
      matches,
    ),
  },
  { name: 'description', content: 'A return with its units, their condition and its refund.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const id = args.params['id'] ?? '';
  const call = requireStaff(args, `/admin/returns/${id}`, 'orders');
  const found = await call('GET /support/returns/{id}', { params: { id } }).catch(rethrowAsNotFound);
  return { found };
}

/** OPS-28: a return as staff handle it, the next step first. */
export default function ReturnPage() {
  const { found } = useLiveLoaderData<typeof loader>(['orders', 'refunds', 'payments']);
  const [mayHandle, mayRefund] = [useMayUse('shipping'), useMayUse('money')];
  const { return: one } = found;
  const deadline = DEADLINES[one.deadline];
  return (
    <AdminFrame
      title={
        <>
          Return <span translate="no">{one.reference}</span>
        </>
      }
      beside={<BackLink to="/admin/returns" text="Returns" />}
    >
      <Row>
        <ReturnState one={one} />
        {deadline !== null && <Badge tone={one.deadline === 'overdue' ? 'bad' : 'waiting'}>{deadline}</Badge>}
      </Row>
      <SideColumns sidebar={<ReturnFacts found={found} />}>
        {mayHandle && <Decide one={one} />}
        {one.pictures.length > 0 && (
          <Section title="Pictures of the defect" gap={12}>
            <PictureList one={one} isForStaff />
          </Section>
        )}
        {mayHandle && <Receive one={one} />}
        {/* Another arrival or inspection has other counts. */}
        {mayHandle && <Inspect key={JSON.stringify(one.lines)} one={one} />}
        {/* Another version offers other units. */}
        <ExchangeReturn key={`exchange-${one.version}`} found={found} mayExchange={mayRefund} />
        <RefundReturn found={found} mayRefund={mayRefund} />
        <Units found={found} />
        {mayHandle && <ShippingLabel one={one} />}
        {mayHandle && <SentByBuyer one={one} />}
        {mayHandle && <EndReturn one={one} mayRefund={mayRefund} />}
      </SideColumns>
    </AdminFrame>
  );
}

/** The units with what became of them. */
function Units({ found }: { readonly found: DeskReturn }) {
  const { lines, reason } = found.return;
  return (
    <Section title="Units">
      {reason !== null && <p className="multiline wrap-anywhere measure">{reason}</p>}
      <Table label="Units of this return" hasFigures>
        <thead>
          <tr>
            <th scope="col">Item</th>
            <th scope="col">Returned</th>
            <th scope="col">Not shipped</th>
            <th scope="col">Received</th>
            <th scope="col">Restock</th>
            <th scope="col">Damaged</th>
            <th scope="col">Send back</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.position}>
              <th scope="row">
                {line.name}
                {line.sku !== null && <p className="muted small">{line.sku}</p>}
                {line.serials.length > 0 && (
                  <p className="muted small wrap-anywhere" translate="no">
                    {line.serials.map(({ number }) => number).join(', ')}
                  </p>
                )}
                {line.wanted !== null && <p className="muted small">Wants instead: {line.wanted}</p>}
                {line.condition !== null && <p className="muted small">{line.condition}</p>}
                {line.deduction_reason !== null && (
                  <p className="muted small">
                    Deduction ${line.deduction_usd.toFixed(2)}: {line.deduction_reason}
                  </p>
                )}
              </th>
              <td>{line.quantity}</td>
              <td>{line.cancelled}</td>
              <td>{line.received}</td>
              <td>{line.restocked}</td>
              <td>{line.damaged}</td>
              <td>{line.sent_back}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Section>
  );
}

function ReturnFacts({ found }: { readonly found: DeskReturn }) {
  const { buyer, return: one, return_address: address } = found;
  return (
    <>
      <Section title="Facts" gap={12}>
        <Facts>
          <Fact label="Order">
            <Link to={`/admin/orders/${one.order_id}`} className="link accent">
              <OrderNumber number={found.order_number} />
            </Link>
          </Fact>
          <Fact label="Buyer">
            <Link to={`/admin/customers/${buyer.id}`} className="link accent">
              {buyer.username}
            </Link>
          </Fact>
          <Fact label="Cause">{CAUSES[one.cause]}</Fact>
          <Fact label="Requested">
            <Moment at={one.requested_at} shows="moment" />
          </Fact>
          {one.refund_due_at !== null && (
            <Fact label="Refund by">
              <Moment at={one.refund_due_at} shows="moment" />
            </Fact>
          )}
          {one.proof !== null && <Fact label="Proof of sending">{one.proof}</Fact>}
          {one.decision !== null && (
            <Fact label="Reason given" className="multiline">
              {one.decision}
            </Fact>
          )}
          {one.ticket_id !== null && (
            <Fact label="Ticket">
              <Link to={`/admin/tickets/${one.ticket_id}`} className="link accent">
                View the ticket
              </Link>
            </Fact>
          )}
        </Facts>
      </Section>
      <Section title="Return address" gap={12}>
        <p className="multiline">{address === '' ? 'No address is set. Enter one in the settings.' : address}</p>
        <Barcode text={one.reference} />
      </Section>
    </>
  );
}
