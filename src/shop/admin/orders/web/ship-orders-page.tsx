import { useState } from 'react';
import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link, useLoaderData } from 'react-router';
import type { Carrier, OrderToShip } from '#src/shop/orders/fulfilment/contract.ts';
import { call } from '#src/storefront/call.ts';
import { useCallForm } from '#src/storefront/forms/use-call-form.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { Button, ButtonLink } from '#src/ui/controls/button.tsx';
import { Field } from '#src/ui/fields/field.tsx';
import type { FormState } from '#src/ui/form/use-form.ts';
import { NeedsScript } from '#src/ui/feedback/needs-script.tsx';
import { EmptyState, ErrorState } from '#src/ui/feedback/states.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { Lines } from '#src/ui/layout/lines.ts';
import { Row } from '#src/ui/layout/row.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { Grid } from '#src/ui/layout/grid.ts';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { readText } from '../../kit/form-text.ts';
import { readChosenIds, requireStaff } from '../../kit/staff-page.ts';
import { checkEntered, listAsking, readSerials, serialInput } from '../serial-form.ts';
import { describeBlock, formatUnshipped, listUnshipped } from '../shipping-messages.ts';
import { CarrierSelect, rememberCarrier } from './carrier-select.tsx';
import { SerialFields } from './serial-fields.tsx';
import styles from './ship-orders.module.css';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Ship orders · Back office', matches) },
  { name: 'description', content: 'Marks several orders as shipped.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const read = requireStaff(args, '/admin/orders?queue=to-ship', 'shipping');
  const ids = readChosenIds(new URL(args.request.url).searchParams);
  if (ids.length === 0) return { found: { orders: [] }, carriers: [] };
  const [found, listed] = await Promise.all([
    read('GET /support/fulfilment', { query: { ids: ids.join(',') } }).catch(() => null),
    read('GET /carriers').catch(() => null),
  ]);
  return { found, carriers: listed?.carriers ?? [] };
}

/** Result of an order; null: shipped. */
type Results = ReadonlyMap<string, string | null>;

/** OPS-13: ships several orders, each with its own tracking number. */
export default function ShipOrdersPage() {
  const { found, carriers } = useLoaderData<typeof loader>();
  return (
    <AdminFrame title="Ship orders">
      {found === null ? (
        <ErrorState title="The orders could not be loaded." onRetry={() => void reloadPage()} />
      ) : (
        <ShipForm orders={found.orders} carriers={carriers} />
      )}
    </AdminFrame>
  );
}

function ShipForm({
  orders,
  carriers,
}: {
  readonly orders: readonly OrderToShip[];
  readonly carriers: readonly Carrier[];
}) {
  const isHydrated = useHydrated();
  const [results, setResults] = useState<Results>(new Map());
  const shippable = orders.filter(({ block }) => block === null);

  const ship = async (data: FormData) => {
    const carrierId = readText(data, 'carrier');
    const body = {
      shipments: shippable.map(({ id, next_shipment: number, lines }) => {
        const reference = readText(data, `reference-${id}`);
        const serials = readOrderSerials(data, id, lines);
        return {
          order_id: id,
          number,
          ...(carrierId !== '' && { carrier_id: carrierId }),
          ...(reference !== '' && { tracking_reference: reference }),
          ...(serials.length > 0 && { serials }),
        };
      }),
    };
    const response = await call('POST /support/shipments', { body });
    rememberCarrier(carrierId);
    setResults(
      new Map([...results, ...response.results.map((one) => [one.order_id, one.refusal?.message ?? null] as const)]),
    );
  };
  const { ref, submit, isBusy, failure, messageOf, recheck } = useCallForm({
    log: 'the orders were not shipped',
    read: (form) => new FormData(form),
    check: (data) =>
      Object.fromEntries(shippable.flatMap(({ id, lines }) => Object.entries(findSerialProblems(data, id, lines)))),
    send: ship,
    describe: () => ({
      text: 'Not every order may have been shipped. Check your connection and try again: nothing ships twice.',
      problems: {},
    }),
    settle: reloadPage,
  });

  if (orders.length === 0) {
    return (
      <EmptyState
        title="No order was chosen."
        action={<ButtonLink to="/admin/orders?queue=to-ship">Choose orders</ButtonLink>}
      />
    );
  }
  return (
    <Stack as="form" ref={ref} gap={24} className={styles.form} onSubmit={submit}>
      {shippable.length > 0 && <ShipLead carriers={carriers} />}
      <OrderList {...{ orders, results, messageOf, recheck }} />
      {failure !== null && (
        <p role="alert" className="danger">
          {failure}
        </p>
      )}
      {results.size > 0 && <output>{summarize(results)}</output>}
      <Row>
        {shippable.length > 0 && (
          <Button type="submit" isBusy={isBusy} disabled={!isHydrated}>
            {shippable.length === 1 ? 'Mark 1 order as shipped' : `Mark ${shippable.length} orders as shipped`}
          </Button>
        )}
        <ButtonLink to="/admin/orders?queue=to-ship" variant="secondary">
          Back to the queue
        </ButtonLink>
      </Row>
      <NeedsScript />
    </Stack>
  );
}

function summarize(results: Results): string {
  const shipped = [...results.values()].filter((one) => one === null).length;
  return `${shipped} shipped, ${results.size - shipped} refused`;
}

const ShipLead = ({ carriers }: { readonly carriers: readonly Carrier[] }) => (
  <>
    <p className="muted small measure">
      Ships everything that is left of each order. Each order is recorded on its own: if one is refused, the others are
      still shipped. Every buyer gets a mail.
    </p>
    <CarrierSelect carriers={carriers} />
  </>
);

const listUnits = (lines: OrderToShip['lines']) =>
  listAsking(listUnshipped(lines).map(({ left, ...line }) => ({ ...line, units: left })));
/** Fields of several orders are in one form. */
const prefixOf = (id: string): string => `${id}.`;
const readOrderSerials = (data: FormData, id: string, lines: OrderToShip['lines']) =>
  readSerials(listUnits(lines), (name) => readText(data, name), prefixOf(id));
const findSerialProblems = (data: FormData, id: string, lines: OrderToShip['lines']) =>
  checkEntered(listUnits(lines), readOrderSerials(data, id, lines), prefixOf(id));

interface OrderListProps extends Pick<FormState, 'messageOf' | 'recheck'> {
  readonly orders: readonly OrderToShip[];
  readonly results: Results;
}

const OrderList = ({ orders, results, messageOf, recheck }: OrderListProps) => (
  <Lines gap={16} isFramed>
    {orders.map((order) => (
      <Grid as="li" key={order.id} foldsAt={767} gap={24} rowGap={8} align="center" className={styles.order}>
        <div className="wrap-anywhere">
          <p className="strong">
            <Link translate="no" className="link unbroken" to={`/admin/orders/${order.id}`}>
              {order.number}
            </Link>
          </p>
          <p className="muted small measure">
            {order.billing.firstName} {order.billing.lastName}, {order.billing.postcode} {order.billing.city}
          </p>
          {order.block !== 'shipped' && <p className="muted small measure">{formatUnshipped(order.lines)}</p>}
        </div>
        <OrderOutcome {...{ order, messageOf, recheck }} result={results.get(order.id)} />
      </Grid>
    ))}
  </Lines>
);

interface OrderOutcomeProps extends Pick<FormState, 'messageOf' | 'recheck'> {
  readonly order: OrderToShip;
  readonly result: string | null | undefined;
}

function OrderOutcome({ order, result, messageOf, recheck }: OrderOutcomeProps) {
  if (order.block !== null) {
    return (
      <p className="strong">{result === null || order.block === 'shipped' ? 'Shipped' : describeBlock(order.block)}</p>
    );
  }
  const lines = listUnits(order.lines);
  const prefix = prefixOf(order.id);
  const problems = Object.fromEntries(
    lines.map(({ position }) => serialInput(position, prefix)).map((name) => [name, messageOf(name)]),
  );
  return (
    <Stack>
      <Field
        label={`Tracking reference of ${order.number} (optional)`}
        name={`reference-${order.id}`}
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        message={result ?? null}
      />
      <SerialFields lines={lines} problems={problems} onChange={recheck} prefix={prefix} order={order.number} />
    </Stack>
  );
}
