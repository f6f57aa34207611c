import type { ReactNode } from 'react';
import type { Order } from '../contract.ts';
import { listProgress } from '../list-progress.ts';
import type { Timeline } from '../timeline/contract.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { classNames } from '#src/ui/styles/class-names.ts';
import { CopyButton } from '#src/ui/copy/copy-button.tsx';
import { Fact, Facts } from '#src/ui/display/facts.tsx';
import { Icon } from '#src/ui/graphics/icons.tsx';
import { Lines } from '#src/ui/layout/lines.ts';
import { Row } from '#src/ui/layout/row.ts';
import { Stack } from '#src/ui/layout/stack.ts';
import styles from './order-parcel.module.css';

type Shipment = Timeline['shipments'][number];

/** Text classes of a step. */
const NAMES = { done: '', next: 'strong', ahead: 'muted' } as const;

interface OrderParcelProps {
  readonly order: Order;
  readonly orderTimeline: Pick<Timeline, 'timeline' | 'shipments'>;
  /** Expected days, as text; null if unknown. */
  readonly arrival: string | null;
  /** State of the payment. */
  readonly status: ReactNode;
}

/** Where an order is: its state, when it arrives, its progress and its parcels. */
export function OrderParcel({ order, orderTimeline, arrival, status }: OrderParcelProps) {
  const { shipments, timeline } = orderTimeline;
  const steps = listProgress(order, timeline);
  const isSplit = shipments.length > 1 || order.fulfilment_status === 'partly_shipped';
  return (
    <Stack as="section" gap={24} surface="outlined" aria-label="Delivery">
      <Stack gap={12}>{status}</Stack>
      {arrival !== null && (
        <p className={styles.arrival}>
          <span className="muted small">Expected</span> <strong>{arrival}</strong>
        </p>
      )}
      {steps.length > 0 && (
        <ol className={classNames(styles.steps, 'screen-only')}>
          {steps.map(({ name, state, at }) => (
            <li key={name} data-state={state} aria-current={state === 'next' ? 'step' : undefined}>
              <span className={styles.dot}>{state === 'done' && <Icon name="check" size={14} />}</span>
              <span className={NAMES[state]}>{name}</span>
              {state !== 'done' && <span className="visually-hidden">not yet</span>}
              {at !== null && (
                <span className="muted fine tabular">
                  <Moment at={at} shows="day" />
                </span>
              )}
            </li>
          ))}
        </ol>
      )}
      {shipments.length > 0 && (
        <Lines>
          {shipments.map((shipment) => (
            <Parcel key={shipment.number} shipment={shipment} isSplit={isSplit} />
          ))}
        </Lines>
      )}
    </Stack>
  );
}

function Parcel({ shipment, isSplit }: { readonly shipment: Shipment; readonly isSplit: boolean }) {
  const { carrier, items, number, shipped_at: at, tracking_number: reference, tracking_url: url } = shipment;
  return (
    <Row as="li" justify="between" align="start" gap={16}>
      <Facts layout="columns" className={styles.facts}>
        <Fact label={isSplit ? `Parcel ${number} shipped` : 'Shipped'}>
          <Moment at={at} shows="moment" />
        </Fact>
        {carrier !== null && <Fact label="Carrier">{carrier}</Fact>}
        {reference !== null && (
          <Fact label="Tracking reference">
            <Row gap={8} rowGap={0}>
              <code translate="no">{reference}</code>
              <CopyButton text={reference} contentName="tracking reference" variant="quaternary" />
            </Row>
          </Fact>
        )}
        {isSplit && (
          <Fact label="Contains">{items.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ')}</Fact>
        )}
        {items
          .filter(({ serials }) => serials.length > 0)
          .map(({ name, serials }) => (
            <Fact
              key={serials.join()}
              label={serials.length === 1 ? `Serial number of ${name}` : `Serial numbers of ${name}`}
            >
              <span translate="no">{serials.join(', ')}</span>
            </Fact>
          ))}
      </Facts>
      {url !== null && (
        <a className={classNames(styles.track, 'screen-only')} href={url} target="_blank" rel="noreferrer">
          <span aria-hidden="true">Track</span>
          <span className="visually-hidden">{isSplit ? `Track parcel ${number}` : 'Track the parcel'}</span>
        </a>
      )}
    </Row>
  );
}
