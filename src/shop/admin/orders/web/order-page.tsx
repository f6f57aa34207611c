import { useState } from 'react';
import type { ComponentProps } from 'react';
import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import type { ShownInvoice } from '#src/shop/invoices/contract.ts';
import { InvoiceList } from '#src/shop/invoices/web/invoice-list.tsx';
import type { Carrier, OrderToShip } from '#src/shop/orders/fulfilment/contract.ts';
import type { OrderNote } from '#src/shop/orders/desk/contract.ts';
import { OrderNumber } from '#src/shop/orders/web/order-number.tsx';
import { OrderStatus } from '#src/shop/orders/web/order-status.tsx';
import type { ShownTerms } from '#src/shop/orders/terms/contract.ts';
import { OrderTerms } from '#src/shop/orders/terms/web/order-terms.tsx';
import { isRefundStopped } from '#src/shop/orders/web/read-order.ts';
import type { RefundsOfOrder } from '#src/shop/refunds/contract.ts';
import { SideColumns } from '#src/storefront/layout/side-columns.tsx';
import { rethrowAsNotFound } from '#src/storefront/page/page-responses.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Notice } from '#src/ui/display/notice.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { requireStaff } from '../../kit/staff-page.ts';
import { useMayUse } from '../../kit/use-may-use.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import { WithdrawalsForStaff } from '#src/shop/returns/withdrawal/web/staff-withdrawals.tsx';
import { RefundList } from '../../refunds/web/refund-list.tsx';
import type { StaffTaskKind } from '../../tasks/staff-task.ts';
import { describeStaffTask } from '../../tasks/staff-task-messages.ts';
import { decideNextAction } from '../next-action.ts';
import type { OrderAction } from '../next-action.ts';
import type { WholeOrder } from '../contract.ts';
import { isGivenUpHere } from './cancel-by-staff.tsx';
import { LoadedPart } from './loaded-part.tsx';
import { PaymentLink } from './manual-order.tsx';
import { NextStep } from './next-step.tsx';
import { OrderDrawers, useOrderDrawers } from './order-drawers.tsx';
import type { OrderDrawer } from './order-drawers.tsx';
import { OtherOrders } from './order-head.tsx';
import { Amounts, History, Outputs, PaidTo } from './order-ledger.tsx';
import { OrderNotes } from './order-notes.tsx';
import styles from './order-page.module.css';
import { Customer, DeliveryAddress, Tickets } from './order-side.tsx';
import { OrderedItems } from './ordered-items.tsx';
import type { RepeatMailProps } from './repeat-mail.tsx';
import { Ship } from './ship.tsx';

export const meta: MetaFunction<typeof loader> = ({ loaderData, matches }) => [
  {
    title: formatPageTitle(`${loaderData ? `Order ${loaderData.whole.order.number}` : 'Order'} · Back office`, matches),
  },
  { name: 'description', content: 'An order with its payment and actions.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const id = args.params['id'] ?? '';
  const call = requireStaff(args, `/admin/orders/${id}`, 'orders');
  const params = { id };
  const [whole, refunds, toShip, listed, noted, mails, documents, withdrawals, placed] = await Promise.all([
    call('GET /support/orders/{id}', { params }),
    // The order is shown even if a part of it could not be loaded.
    call('GET /orders/{id}/refunds', { params }).catch(() => null),
    call('GET /support/fulfilment', { query: { ids: id } }).catch(() => null),
    call('GET /carriers').catch(() => null),
    call('GET /orders/{id}/notes', { params }).catch(() => null),
    call('GET /orders/{id}/mails', { params }).catch(() => null),
    call('GET /support/orders/{id}/invoices', { params }).catch(() => null),
    call('GET /support/orders/{id}/withdrawals', { params }).catch(() => null),
    call('GET /support/orders/{id}/terms', { params }).catch(() => null),
  ]).catch(rethrowAsNotFound);
  return {
    whole,
    refunds,
    shipping: toShip?.orders[0] ?? null,
    carriers: listed?.carriers ?? [],
    notes: noted?.notes ?? null,
    mails,
    invoices: documents?.invoices ?? [],
    withdrawals,
    terms: placed?.terms ?? null,
  };
}

type Loaded = ReturnType<typeof useLiveLoaderData<typeof loader>>;

/** Without what a refund would return now: the rate differs every few seconds, and a preview asks for it. */
const readState = ({ refunds, ...rest }: Loaded): unknown => [rest, refunds && { ...refunds, returns: null }];

/** OPS-03, OPS-30: an order, its next step first. */
export default function OrderPage() {
  const loaded = useLiveLoaderData<typeof loader>(['orders', 'payments', 'refunds'], readState);
  // Drawers and what was typed belong to one order.
  return <Shown key={loaded.whole.order.id} {...loaded} />;
}

interface ShownProps {
  readonly whole: WholeOrder;
  readonly refunds: RefundsOfOrder | null;
  readonly shipping: OrderToShip | null;
  readonly carriers: readonly Carrier[];
  readonly notes: readonly OrderNote[] | null;
  readonly mails: Omit<RepeatMailProps, 'orderId'> | null;
  readonly invoices: readonly ShownInvoice[];
  readonly withdrawals: ComponentProps<typeof WithdrawalsForStaff> | null;
  readonly terms: ShownTerms;
}

/** What the viewer can do with an order now. */
function useSteps({
  whole,
  refunds,
  shipping,
  hasRefund,
}: Pick<ShownProps, 'whole' | 'refunds' | 'shipping'> & { readonly hasRefund: boolean }): Record<OrderAction, boolean> {
  const [mayDecide, mayShip, mayRestock] = [useMayUse('money'), useMayUse('shipping'), useMayUse('stock')];
  const hasUnsent = mayDecide && refunds !== null && refunds.refunds.some(({ state }) => state === 'made');
  return {
    accept: mayDecide && whole.settling.amount_btc !== null,
    refund: hasRefund,
    'send-refund': hasUnsent,
    'withdraw-refund': hasUnsent,
    'close-as-loss': mayDecide && whole.can_be_closed_as_loss,
    cancel: mayDecide && isGivenUpHere(whole),
    restock: mayRestock,
    ship: mayShip && shipping !== null && shipping.block === null,
    deliver: mayShip && shipping?.fulfilment_status === 'shipped',
  };
}

/** The last value that could be loaded. */
function useLastLoaded<Value>(value: Value | null): Value | null {
  const [last, setLast] = useState(value);
  if (value !== null && value !== last) setLast(value);
  return value ?? last;
}

function Shown({ whole, refunds, shipping, carriers, notes, mails, invoices, withdrawals, terms }: ShownProps) {
  const { order } = whole;
  const mayShip = useMayUse('shipping');
  const [drawer, setDrawer] = useState<OrderDrawer | null>(null);
  const ofDrawers = { whole, refunds: useLastLoaded(refunds), mails };
  const has = useOrderDrawers(ofDrawers);
  const can = useSteps({ whole, refunds: ofDrawers.refunds, shipping, hasRefund: has.refund });
  const next = decideNextAction({ task: whole.attention?.kind ?? null, can });
  return (
    <AdminFrame
      title={
        <>
          Order <OrderNumber number={order.number} />
        </>
      }
      beside={
        <>
          <OrderStatus order={order} isForStaff />
          <div className={styles.tools}>
            {has.refund && next.action !== 'refund' && (
              <Button variant="tertiary" onClick={() => setDrawer('refund')}>
                Refund
              </Button>
            )}
            {has.actions && (
              <Button variant="tertiary" onClick={() => setDrawer('actions')}>
                More actions
              </Button>
            )}
            <OtherOrders whole={whole} />
          </div>
        </>
      }
    >
      <NextStep whole={whole} shipping={shipping} next={next} onOpenDrawer={setDrawer} />
      <SideColumns
        sidebar={
          <>
            <Customer whole={whole} />
            <DeliveryAddress whole={whole} shipping={shipping} />
            <LoadedPart data={notes} failure="The notes could not be loaded.">
              {(loaded) => <OrderNotes orderId={order.id} notes={loaded} />}
            </LoadedPart>
            <Tickets whole={whole} />
            <OrderTerms terms={terms} path={`/support/orders/${order.id}/terms/pdf`} />
            {/* Last, since it appears a moment after the payment and must not move what staff are reading. */}
            <InvoiceList invoices={invoices} toPath={(id) => `/support/invoices/${id}/pdf`} />
          </>
        }
      >
        <OrderedItems order={order} />
        <LoadedPart data={withdrawals} failure="The withdrawals could not be loaded.">
          {(loaded) => <WithdrawalsForStaff {...loaded} />}
        </LoadedPart>
        {mayShip && (
          <LoadedPart data={shipping} failure="The parcels could not be loaded.">
            {(loaded) => <Ship shipping={loaded} carriers={carriers} />}
          </LoadedPart>
        )}
        <LoadedPart data={refunds} failure="The refunds could not be loaded.">
          {(loaded) => <RefundList id="refunds" refunds={loaded} isStopped={isRefundStopped(order)} />}
        </LoadedPart>
        <Payment whole={whole} isTaskShown={next.task !== null} />
        <PaymentLink whole={whole} />
        <Section title="Timeline" gap={12}>
          <History timeline={whole.timeline} />
        </Section>
      </SideColumns>
      <OrderDrawers {...ofDrawers} open={drawer} onClose={() => setDrawer(null)} />
    </AdminFrame>
  );
}

interface PaymentProps {
  readonly whole: WholeOrder;
  /** The task of the order is at the top of the page. */
  readonly isTaskShown: boolean;
}

const Payment = ({ whole, isTaskShown }: PaymentProps) => (
  <Section title="Payment" surface="outlined">
    {whole.attention !== null && !isTaskShown && <Information kind={whole.attention.kind} />}
    <Amounts whole={whole} />
    <Section title="Payment address" level={3} size={16} gap={4}>
      <PaidTo address={whole.address} />
    </Section>
    <Section title="Transactions" level={3} size={16} gap={12}>
      <Outputs
        outputs={whole.outputs}
        more_dust={whole.more_dust}
        required={whole.order.payment.required_confirmations}
      />
    </Section>
  </Section>
);

/** What a task says that only informs. */
function Information({ kind }: { readonly kind: StaffTaskKind }) {
  const { title, text } = describeStaffTask(kind);
  return (
    <Notice>
      <p className="strong">{title}</p>
      <p className="measure">{text}</p>
    </Notice>
  );
}
