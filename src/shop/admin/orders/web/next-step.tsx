import type { MouseEvent, ReactNode } from 'react';
import { Moment } from '#src/storefront/moment.tsx';
import { Button, ButtonLink } from '#src/ui/controls/button.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import type { OrderToShip } from '#src/shop/orders/fulfilment/contract.ts';
import { describeStaffTask, isUrgent } from '../../tasks/staff-task-messages.ts';
import type { WholeOrder } from '../contract.ts';
import { describeRest } from '../next-action.ts';
import type { NextAction, OrderAction } from '../next-action.ts';
import { formatUnshipped } from '../shipping-messages.ts';
import styles from './next-step.module.css';

/** Where a step is done: in a drawer, in a part of the page, or on another page. */
type Place =
  | { readonly drawer: 'actions' | 'refund' }
  | { readonly part: 'delivery' | 'refunds' }
  | { readonly to: string };

const STEPS: Readonly<Record<OrderAction, { readonly text: string; readonly place: Place }>> = {
  accept: { text: 'Accept payment', place: { drawer: 'actions' } },
  refund: { text: 'Refund', place: { drawer: 'refund' } },
  'send-refund': { text: 'Send the refund', place: { part: 'refunds' } },
  'withdraw-refund': { text: 'Withdraw the refund', place: { part: 'refunds' } },
  'close-as-loss': { text: 'Record the loss', place: { drawer: 'actions' } },
  cancel: { text: 'Cancel the order', place: { drawer: 'actions' } },
  restock: { text: 'Restock', place: { to: '/admin/inventory' } },
  ship: { text: 'Ship', place: { part: 'delivery' } },
  deliver: { text: 'Confirm delivery', place: { part: 'delivery' } },
};

interface NextStepProps {
  readonly whole: WholeOrder;
  readonly shipping: OrderToShip | null;
  readonly next: NextAction;
  readonly onOpenDrawer: (drawer: 'actions' | 'refund') => void;
}

/** The one thing to do next with an order, or why there is none. */
export function NextStep({ whole, shipping, next: { action, task }, onOpenDrawer }: NextStepProps) {
  const { attention, order } = whole;
  const step = action && <Step action={action} onOpenDrawer={onOpenDrawer} />;
  if (task !== null && attention !== null) {
    const { title, text } = describeStaffTask(task);
    return (
      <Strip title={title} action={step} tone={isUrgent(task) ? 'bad' : 'task'}>
        {text} Since <Moment at={attention.since} shows="moment" />.
      </Strip>
    );
  }
  if (action === 'ship' && shipping !== null)
    return (
      <Strip title="Ready to ship" action={step} tone="task">
        {formatUnshipped(shipping.lines)}
      </Strip>
    );
  const { title, text } = describeRest(order.payment_status, order.fulfilment_status);
  return (
    <Strip title={title} action={step}>
      {action === 'deliver' ? 'Mark it as delivered once it has arrived.' : text}
    </Strip>
  );
}

interface StripProps {
  readonly title: string;
  readonly action: ReactNode;
  readonly tone?: 'bad' | 'task';
  readonly children: ReactNode;
}

const Strip = ({ title, action, tone, children }: StripProps) => (
  <div className={styles.strip} data-tone={tone}>
    <Section title={title} size={16} gap={4} className={styles.step}>
      <p className="small">{children}</p>
    </Section>
    {action}
  </div>
);

/** Brings a part of the page into view, with the focus on its first field. */
function showPart(event: MouseEvent<HTMLAnchorElement>): void {
  const part = document.querySelector<HTMLElement>(event.currentTarget.hash);
  if (part === null) return;
  event.preventDefault();
  const fields = [...part.querySelectorAll<HTMLElement>('form :is(select, input, textarea, button)')];
  fields.find((field) => field.checkVisibility())?.focus({ preventScroll: true });
  part.scrollIntoView({ block: 'nearest' });
}

function Step({ action, onOpenDrawer }: { readonly action: OrderAction } & Pick<NextStepProps, 'onOpenDrawer'>) {
  const { text, place } = STEPS[action];
  if ('to' in place) return <ButtonLink to={place.to}>{text}</ButtonLink>;
  if ('part' in place)
    return (
      <ButtonLink to={`#${place.part}`} prefetch="none" onClick={showPart}>
        {text}
      </ButtonLink>
    );
  return <Button onClick={() => onOpenDrawer(place.drawer)}>{text}</Button>;
}
