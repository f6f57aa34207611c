import { useState } from 'react';
import type { Carrier } from '#src/shop/orders/fulfilment/contract.ts';
import { readStored, writeStored } from '#src/ui/browser/browser-storage.ts';
import { Select } from '#src/ui/fields/field.tsx';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';

/** Id of the carrier of the last shipment that was recorded in this browser. */
const LAST_KEY = 'last_carrier';

/** Chooses it for the next shipment. @param id empty for none */
export const rememberCarrier = (id: string): void => writeStored(LAST_KEY, id === '' ? null : id);

interface CarrierSelectProps {
  readonly carriers: readonly Carrier[];
  /** Name of the carrier that is chosen at first, null for none; by default the one of the last shipment. */
  readonly chosen?: string | null;
}

/** Carrier of a shipment, as `carrier` in the form. */
export function CarrierSelect(props: CarrierSelectProps) {
  const isHydrated = useHydrated();
  // The server does not know the last one.
  return <CarrierChoice key={String(isHydrated)} {...props} last={isHydrated ? readStored(LAST_KEY) : null} />;
}

function CarrierChoice({ carriers, chosen, last }: CarrierSelectProps & { readonly last: string | null }) {
  // A shipment in another tab changes nothing here.
  const [first] = useState(
    () => carriers.find(({ id, name }) => (chosen === undefined ? id === last : name === chosen))?.id ?? '',
  );
  return (
    <Select label="Carrier" name="carrier" defaultValue={first}>
      <option value="">None</option>
      {carriers.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  );
}
