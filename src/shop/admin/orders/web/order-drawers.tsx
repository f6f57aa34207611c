import type { RefundsOfOrder } from '#src/shop/refunds/contract.ts';
import { Drawer } from '../../kit/drawer.tsx';
import { useMayUse } from '../../kit/use-may-use.ts';
import { hasManualRefunds, ManualRefunds } from '../../refunds/web/manual-refunds.tsx';
import { hasRefundForms, RefundForms } from '../../refunds/web/refund-forms.tsx';
import type { WholeOrder } from '../contract.ts';
import { AcceptAsPaid, isAcceptable } from './accept-as-paid.tsx';
import { CancelByStaff, isGivenUpHere } from './cancel-by-staff.tsx';
import { CloseAsLoss } from './close-as-loss.tsx';
import { isManuallyChangeable, ManualOrder } from './manual-order.tsx';
import { RepeatMail } from './repeat-mail.tsx';
import type { RepeatMailProps } from './repeat-mail.tsx';

/** Refunds and rare actions, which wait in a drawer until they are needed. */
export type OrderDrawer = 'actions' | 'refund';

interface OrderDrawersProps {
  readonly whole: WholeOrder;
  /** Null: they could not be loaded, or the viewer makes none. */
  readonly refunds: RefundsOfOrder | null;
  readonly mails: Omit<RepeatMailProps, 'orderId'> | null;
  readonly open: OrderDrawer | null;
  readonly onClose: () => void;
}

/** Which drawers of an order have content for the viewer. */
export function useOrderDrawers({
  whole,
  refunds,
  mails,
}: Pick<OrderDrawersProps, 'whole' | 'refunds' | 'mails'>): Readonly<Record<OrderDrawer, boolean>> {
  const [mayDecide, mayCreate] = [useMayUse('money'), useMayUse('manual-orders')];
  return {
    refund: refunds !== null && mayDecide && (hasRefundForms(refunds) || hasManualRefunds(refunds)),
    actions:
      (mayDecide && (isAcceptable(whole) || isGivenUpHere(whole) || whole.can_be_closed_as_loss)) ||
      (mayCreate && isManuallyChangeable(whole)) ||
      (mails !== null && mails.mails.length > 0),
  };
}

/** The drawers of an order. */
export function OrderDrawers({ whole, refunds, mails, open, onClose }: OrderDrawersProps) {
  const [mayDecide, mayCreate] = [useMayUse('money'), useMayUse('manual-orders')];
  const { id } = whole.order;
  return (
    <>
      <Drawer title="Refund" isOpen={open === 'refund'} onClose={onClose}>
        {mayDecide && refunds !== null && (
          <>
            <RefundForms orderId={id} refunds={refunds} />
            <ManualRefunds orderId={id} refunds={refunds} />
          </>
        )}
      </Drawer>
      <Drawer title="More actions" isOpen={open === 'actions'} onClose={onClose}>
        {mayDecide && <AcceptAsPaid whole={whole} />}
        {mayCreate && <ManualOrder whole={whole} />}
        {mayDecide && (
          <>
            <CancelByStaff whole={whole} />
            <CloseAsLoss whole={whole} />
          </>
        )}
        {mails !== null && <RepeatMail orderId={id} {...mails} />}
      </Drawer>
    </>
  );
}
