import type { OrderToShip } from '#src/shop/orders/fulfilment/contract.ts';
import { call } from '#src/storefront/call.ts';
import { Stack } from '#src/ui/layout/stack.ts';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { SerialFields } from './serial-fields.tsx';
import { useSerials } from './use-serials.ts';
import type { UnitsOfLine } from '../serial-form.ts';

type Shipment = OrderToShip['shipments'][number];

const formatSerials = (serials: Shipment['items'][number]['serials']): string =>
  serials.map(({ number, is_returned: isReturned }) => (isReturned ? `${number} (returned)` : number)).join(', ');

/** OPS-29: the numbers of a parcel's units. */
export const ParcelSerials = ({ items }: { readonly items: Shipment['items'] }) =>
  items
    .filter(({ serials }) => serials.length > 0)
    .map(({ position, name, serials }) => (
      <p key={position} className="muted measure">
        {name}: <span translate="no">{formatSerials(serials)}</span>
      </p>
    ));

interface CorrectSerialsProps {
  readonly orderId: string;
  readonly shipment: Shipment;
  readonly lines: OrderToShip['lines'];
}

/** OPS-29: corrects mistyped numbers of a parcel, or adds those that it was shipped without. */
export function CorrectSerials({ orderId, shipment, lines }: CorrectSerialsProps) {
  const { items, number } = shipment;
  const corrected = items.flatMap(({ position, name, quantity, serials }) => {
    const asked = lines.find((line) => line.position === position)?.serial_kind ?? 'none';
    // The product may not ask for numbers any more.
    const kind = asked === 'none' && serials.length > 0 ? 'serial' : asked;
    return kind === 'none' ? [] : [{ position, name, serial_kind: kind, units: quantity, serials }];
  });
  if (corrected.length === 0) return null;
  return (
    <details>
      <summary className="link">Correct serial numbers of parcel {number}</summary>
      <Stack>
        {corrected.map(({ serials, ...line }) => {
          const recorded = serials.map((one) => one.number);
          // Other numbers were recorded: the form starts anew.
          return <LineSerials key={recorded.join()} {...{ orderId, parcel: number, line, recorded }} />;
        })}
      </Stack>
    </details>
  );
}

interface LineSerialsProps {
  readonly orderId: string;
  readonly parcel: number;
  readonly line: UnitsOfLine;
  readonly recorded: readonly string[];
}

function LineSerials({ orderId, parcel, line, recorded }: LineSerialsProps) {
  const { name, position } = line;
  const serials = useSerials([line]);
  return (
    <ConfirmedAction
      button="Save serial numbers"
      label={`Save serial numbers of ${name} in parcel ${parcel}`}
      question={`Correct the serial numbers of ${name}?`}
      meaning={<p>The buyer sees them on the order page. No mail is sent.</p>}
      confirm="Save serial numbers"
      done="Serial numbers corrected"
      check={serials.check}
      onConfirm={(data) =>
        serials.watch(
          call('PUT /orders/{id}/shipments/{number}/serials', {
            params: { id: orderId, number: String(parcel) },
            body: { position, numbers: serials.read(data).flatMap(({ numbers }) => numbers), seen: [...recorded] },
          }),
        )
      }
    >
      <SerialFields
        lines={serials.lines}
        problems={serials.problems}
        onChange={serials.recheck}
        recorded={{ [position]: recorded }}
      />
    </ConfirmedAction>
  );
}
