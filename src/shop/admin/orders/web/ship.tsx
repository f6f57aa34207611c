import { useState } from 'react';
import type { Carrier, OrderToShip } from '#src/shop/orders/fulfilment/contract.ts';
import { call } from '#src/storefront/call.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { ButtonLink } from '#src/ui/controls/button.tsx';
import { Checkbox } from '#src/ui/fields/checkbox.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { Row } from '#src/ui/layout/row.ts';
import { Field } from '#src/ui/fields/field.tsx';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { readText } from '../../kit/form-text.ts';
import { describeBlock, formatUnshipped, listUnshipped } from '../shipping-messages.ts';
import { CarrierSelect, rememberCarrier } from './carrier-select.tsx';
import { CorrectSerials, ParcelSerials } from './parcel-serials.tsx';
import { SerialFields } from './serial-fields.tsx';
import { useSerials } from './use-serials.ts';
import { CorrectParcel, MAX_REFERENCE } from './correct-parcel.tsx';
import styles from './ship.module.css';

interface ShipProps {
  readonly shipping: OrderToShip;
  readonly carriers: readonly Carrier[];
}

/** OPS-03, OPS-13: parcels of an order, the next one, and its delivery. */
export function Ship({ shipping, carriers }: ShipProps) {
  const { id, block, fulfilment_status: fulfilment, lines, number, shipments } = shipping;
  // An unpaid order has nothing to ship and no parcel.
  if (block !== null && shipments.length === 0) return null;
  return (
    <Section id="delivery" title="Delivery" surface="outlined">
      {shipments.map((shipment) => (
        <Stack key={shipment.number} gap={4} className={styles.parcel}>
          <h3 className="medium">
            {shipments.length > 1 || fulfilment === 'partly_shipped'
              ? `Parcel ${shipment.number}, shipped `
              : 'Shipped '}
            <Moment at={shipment.shipped_at} shows="moment" />
          </h3>
          <p className="muted measure">
            {shipment.items.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ')}
          </p>
          <ParcelSerials items={shipment.items} />
          {(shipment.carrier !== null || shipment.tracking_number !== null) && (
            <p className="muted measure">
              {[shipment.carrier, shipment.tracking_number && `Reference ${shipment.tracking_number}`]
                .filter(Boolean)
                .join(' · ')}
            </p>
          )}
          <Row as="p" gap={16} rowGap={4} className={styles.links}>
            {shipment.tracking_url !== null && (
              <a className="link accent" href={shipment.tracking_url} target="_blank" rel="noreferrer">
                Track parcel {shipment.number}
              </a>
            )}
            <ButtonLink to={`/admin/orders/packing-slips?id=${id}&shipment=${shipment.number}`} variant="quaternary">
              Packing slip {shipment.number}
            </ButtonLink>
          </Row>
          <CorrectParcel
            orderId={id}
            shipment={shipment}
            carriers={carriers}
            isDelivered={fulfilment === 'delivered'}
          />
          <CorrectSerials orderId={id} shipment={shipment} lines={lines} />
        </Stack>
      ))}
      {fulfilment === 'partly_shipped' && (
        <p className="muted measure">
          Left to ship: {formatUnshipped(lines)}
          {block === null ? '.' : `. ${describeBlock(block)}`}
        </p>
      )}
      {block === null && <NextParcel key={shipping.next_shipment} {...{ shipping, carriers }} />}
      {fulfilment === 'shipped' && (
        <ConfirmedAction
          button="Mark as delivered"
          question={`Mark ${number} as delivered?`}
          meaning={<p>The buyer sees it on the order page.</p>}
          confirm="Mark as delivered"
          done="Marked as delivered"
          onConfirm={() => call('POST /orders/{id}/deliver', { params: { id } })}
        />
      )}
    </Section>
  );
}

function describeNext(number: string, { isPart, isRest }: { readonly isPart: boolean; readonly isRest: boolean }) {
  if (isPart) return { button: 'Ship these units', question: `Ship a part of ${number}?` };
  return isRest
    ? { button: 'Ship the rest', question: `Ship the rest of ${number}?` }
    : { button: 'Mark as shipped', question: `Mark ${number} as shipped?` };
}

function NextParcel({ shipping, carriers }: ShipProps) {
  const { id, lines, next_shipment: parcel, number, shipments } = shipping;
  const left = listUnshipped(lines);
  const canSplit = left.reduce((sum, line) => sum + line.left, 0) > 1;
  const [isPart, setIsPart] = useState(false);
  const [units, setUnits] = useState<Readonly<Record<number, number>>>({});
  const serials = useSerials(
    left.map((line) => ({ ...line, units: isPart ? (units[line.position] ?? line.left) : line.left })),
  );
  const readLines = (data: FormData) =>
    left.map(({ position }) => ({ position, quantity: Number(readText(data, `units-${position}`)) || 0 }));
  const { button, question } = describeNext(number, { isPart, isRest: shipments.length > 0 });
  return (
    <>
      <ConfirmedAction
        button={button}
        variant="primary"
        question={question}
        meaning={<p>The buyer gets a mail with the tracking reference.</p>}
        confirm={button}
        done="Marked as shipped"
        check={serials.check}
        onConfirm={(data) => {
          const [reference, carrier] = [readText(data, 'reference'), readText(data, 'carrier')];
          const numbers = serials.read(data);
          const shipped = call('POST /orders/{id}/ship', {
            params: { id },
            body: {
              number: parcel,
              ...(reference !== '' && { tracking_reference: reference }),
              ...(carrier !== '' && { carrier_id: carrier }),
              // What is seen here: the buyer may have withdrawn from units since.
              lines: isPart ? readLines(data) : left.map(({ position, left: quantity }) => ({ position, quantity })),
              ...(numbers.length > 0 && { serials: numbers }),
            },
          });
          return serials.watch(shipped.then(() => rememberCarrier(carrier)));
        }}
      >
        <CarrierSelect carriers={carriers} />
        <Field
          label="Tracking reference (optional)"
          name="reference"
          autoComplete="off"
          spellCheck={false}
          maxLength={MAX_REFERENCE}
        />
        {canSplit && (
          <Checkbox checked={isPart} onChange={({ currentTarget }) => setIsPart(currentTarget.checked)}>
            Ship only some units
          </Checkbox>
        )}
        {isPart &&
          left.map((line) => (
            <Field
              key={line.position}
              label={`Units of ${line.name}`}
              name={`units-${line.position}`}
              type="number"
              inputMode="numeric"
              min={0}
              max={line.left}
              required
              defaultValue={line.left}
              hint={`${line.left} left`}
              onChange={({ currentTarget }) =>
                setUnits((before) => ({ ...before, [line.position]: Number(currentTarget.value) || 0 }))
              }
            />
          ))}
        <SerialFields lines={serials.lines} problems={serials.problems} onChange={serials.recheck} />
      </ConfirmedAction>
      <p>
        <ButtonLink to={`/admin/orders/packing-slips?id=${id}`} variant="secondary">
          Packing slip
        </ButtonLink>
      </p>
    </>
  );
}
