import type { Carrier, OrderToShip } from '#src/shop/orders/fulfilment/contract.ts';
import { call } from '#src/storefront/call.ts';
import { Field } from '#src/ui/fields/field.tsx';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { readText } from '../../kit/form-text.ts';
import { CarrierSelect } from './carrier-select.tsx';

export const MAX_REFERENCE = 100;

interface CorrectParcelProps {
  readonly orderId: string;
  readonly shipment: OrderToShip['shipments'][number];
  readonly carriers: readonly Carrier[];
  /** A parcel of a delivered order can’t be undone. */
  readonly isDelivered: boolean;
}

/** OPS-13: corrects the tracking details of a parcel, or undoes one that was recorded by mistake. */
export function CorrectParcel({ orderId, shipment, carriers, isDelivered }: CorrectParcelProps) {
  const { carrier, number, tracking_number: present } = shipment;
  const params = { id: orderId, number: String(number) };
  return (
    <details>
      <summary className="link">Correct parcel {number}</summary>
      <ConfirmedAction
        button="Save tracking details"
        label={`Save tracking details of parcel ${number}`}
        question={`Correct the tracking details of parcel ${number}?`}
        meaning={<p>The buyer gets a mail with the new details.</p>}
        confirm="Save tracking details"
        done="Tracking details corrected"
        onConfirm={(data) => {
          const [reference, carrierId] = [readText(data, 'reference'), readText(data, 'carrier')];
          return call('PUT /orders/{id}/shipments/{number}', {
            params,
            body: { ...(reference && { tracking_reference: reference }), ...(carrierId && { carrier_id: carrierId }) },
          });
        }}
      >
        <CarrierSelect key={carrier} carriers={carriers} chosen={carrier} />
        <Field
          key={present}
          label="Tracking reference (optional)"
          name="reference"
          autoComplete="off"
          spellCheck={false}
          defaultValue={present ?? ''}
          maxLength={MAX_REFERENCE}
        />
      </ConfirmedAction>
      {!isDelivered && (
        <ConfirmedAction
          button="Undo parcel"
          label={`Undo parcel ${number}`}
          isDestructive
          question={`Undo parcel ${number}?`}
          meaning={
            <p>
              Only if it was not handed to the courier. Its units are left to ship again, and the buyer gets a mail that
              it is not on its way.
            </p>
          }
          confirm="Undo parcel"
          done="Parcel undone"
          onConfirm={() => call('POST /orders/{id}/shipments/{number}/undo', { params })}
        />
      )}
    </details>
  );
}
