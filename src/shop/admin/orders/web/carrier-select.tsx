import type { Carrier } from '#src/shop/orders/fulfilment/contract.ts';
import { Select } from '#src/ui/fields/field.tsx';

/** Carrier of a shipment, as `carrier` in the form. */
export const CarrierSelect = ({
  carriers,
  chosen = null,
}: {
  readonly carriers: readonly Carrier[];
  /** Name of the carrier that is chosen at first. */
  readonly chosen?: string | null;
}) => (
  <Select label="Carrier" name="carrier" defaultValue={carriers.find(({ name }) => name === chosen)?.id ?? ''}>
    <option value="">None</option>
    {carriers.map(({ id, name }) => (
      <option key={id} value={id}>
        {name}
      </option>
    ))}
  </Select>
);
