import type { FulfilmentStatus, PaymentStatus } from '#src/shop/orders/kinds.ts';
import { isInformational } from '../tasks/staff-task.ts';
import type { StaffTaskKind } from '../tasks/staff-task.ts';

/** What staff do with an order, one step each. */
export const orderActions = [
  'accept',
  'refund',
  'send-refund',
  'withdraw-refund',
  'close-as-loss',
  'cancel',
  'restock',
  'ship',
  'deliver',
] as const;
export type OrderAction = (typeof orderActions)[number];

/** The steps that settle a task, the best first. None: staff wait. */
const STEPS: Readonly<Record<StaffTaskKind, readonly OrderAction[]>> = {
  'reorged-out': [],
  'refund-lost': ['close-as-loss'],
  'refund-uncovered': [],
  'refund-stopped': [],
  'shipped-unpaid': ['accept', 'close-as-loss'],
  'part-double-spent': ['accept'],
  'double-spent': ['cancel'],
  'units-gone': ['restock'],
  'refund-superseded': ['withdraw-refund'],
  'refunded-twice': ['refund'],
  'paid-after-refund': ['refund'],
  'paid-after-write-off': ['refund'],
  claimed: ['refund'],
  withdrawal: ['refund'],
  'refund-to-send': ['send-refund'],
  'late-sold-out': ['restock', 'refund'],
  'late-promo': ['refund'],
  'late-rate': ['accept', 'refund'],
  'late-overdue': ['accept', 'refund'],
  'late-unconfirmed': [],
  'cancelled-paid': ['accept', 'refund'],
  'underpaid-over': ['accept', 'refund'],
  'surplus-ready': ['refund'],
  surplus: [],
  'late-confirming': [],
  'late-no-rate': [],
  'refund-sent': [],
  immature: [],
};

export interface OrderSituation {
  /** The order's task; null for none. */
  readonly task: StaffTaskKind | null;
  /** Whether the viewer can take a step now. */
  readonly can: Readonly<Record<OrderAction, boolean>>;
}

export interface NextAction {
  /** The task that it settles; null if it belongs to none. */
  readonly task: StaffTaskKind | null;
  /** Null: nothing to do now, or nothing that the viewer may do. */
  readonly action: OrderAction | null;
}

/** Whether a task comes before shipping. Not if it only informs, or waits for the buyer of a paid order. */
export const isBeforeShipping = (task: StaffTaskKind): boolean => !isInformational(task) && task !== 'surplus';

/** The one thing that staff do next with an order: the best step of a task, otherwise shipping. */
export function decideNextAction({ task, can }: OrderSituation): NextAction {
  const isOpen = task !== null && isBeforeShipping(task);
  const steps: readonly OrderAction[] = isOpen ? STEPS[task] : ['ship', 'deliver'];
  const action = steps.find((step) => can[step]) ?? null;
  return { task: isOpen || action === null ? task : null, action };
}

interface Rest {
  readonly title: string;
  readonly text: string;
}

const UNPAID: Readonly<Record<Exclude<PaymentStatus, 'paid'>, Rest>> = {
  pending: { title: 'Waiting for the payment', text: 'Nothing to do. The payment is detected automatically.' },
  user_paid: {
    title: 'Waiting for the payment',
    text: 'Nothing to do. The buyer says it was sent; it is detected automatically.',
  },
  expired: { title: 'Not paid in time', text: 'Nothing to do. The buyer can get a new price.' },
  cancelled: { title: 'Cancelled', text: 'Nothing to do.' },
  refunded: { title: 'Refunded', text: 'Nothing to do.' },
};

const PAID: Readonly<Record<FulfilmentStatus, Rest>> = {
  unfulfilled: { title: 'Paid', text: 'Nothing was shipped yet.' },
  partly_shipped: { title: 'Partly shipped', text: 'The rest was not shipped yet.' },
  shipped: { title: 'Shipped', text: 'Nothing to do until it arrives.' },
  delivered: { title: 'Delivered', text: 'Nothing to do.' },
};

/** What an order without a task and without a next step is. */
export const describeRest = (payment: PaymentStatus, fulfilment: FulfilmentStatus): Rest =>
  payment === 'paid' ? PAID[fulfilment] : UNPAID[payment];
