import type { OrderToShip } from '#src/shop/orders/fulfilment/contract.ts';
import { findCountryName } from '#src/shop/regions.ts';
import { call } from '#src/storefront/call.ts';
import { Field } from '#src/ui/fields/field.tsx';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { readText } from '../../kit/form-text.ts';

const FIELDS = [
  ['firstName', 'First name'],
  ['lastName', 'Last name'],
  ['streetAddress', 'Street'],
  ['houseNumber', 'House number'],
  ['city', 'City'],
  ['postcode', 'Postcode'],
] as const;

/** OPS-13: changes the address of an order with units to ship. The country stays. */
export function ChangeAddress({ shipping: { billing, id, number } }: { readonly shipping: OrderToShip }) {
  const country = findCountryName(billing.country) ?? billing.country;
  return (
    <details>
      <summary className="link">Change address</summary>
      <ConfirmedAction
        key={JSON.stringify(billing)}
        button="Change address"
        question={`Change the delivery address of ${number}?`}
        meaning={<p>The buyer gets a mail. The change is in the timeline and in the audit log.</p>}
        confirm="Change address"
        done="Address changed"
        onConfirm={(data) =>
          call('PUT /orders/{id}/address', {
            params: { id },
            body: {
              firstName: readText(data, 'firstName'),
              lastName: readText(data, 'lastName'),
              streetAddress: readText(data, 'streetAddress'),
              houseNumber: readText(data, 'houseNumber'),
              city: readText(data, 'city'),
              postcode: readText(data, 'postcode'),
              phone: readText(data, 'phone'),
              note: readText(data, 'note'),
            },
          })
        }
      >
        {FIELDS.map(([name, label]) => (
          <Field
            key={name}
            label={label}
            name={name}
            required
            maxLength={100}
            autoComplete="off"
            defaultValue={billing[name]}
          />
        ))}
        <Field label="Phone (optional)" name="phone" maxLength={40} autoComplete="off" defaultValue={billing.phone} />
        <Field
          label="Note for the courier (optional)"
          name="note"
          maxLength={500}
          autoComplete="off"
          defaultValue={billing.note}
          hint={`The country stays ${country}.`}
        />
      </ConfirmedAction>
    </details>
  );
}
