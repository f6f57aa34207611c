import type { Carrier } from '#src/shop/orders/fulfilment/contract.ts';
import { Select } from '#src/ui/field.tsx';

/** Carrier of a shipment, as `carrier` in the form. */
export const CarrierSelect = ({ carriers }: { readonly carriers: readonly Carrier[] }) => (
  <Select label="Carrier" name="carrier" defaultValue="">
    <option value="">None</option>
    {carriers.map(({ id, name }) => (
      <option key={id} value={id}>
        {name}
      </option>
    ))}
  </Select>
);
