import type { DeliveryRange } from '#src/shop/delivery-times.ts';
import { computeArrival, formatArrival } from '#src/shop/shipping/arrival-date.ts';

/** When a parcel arrives that is paid today, in the calendar of the visitor. */
export function ArrivalLine({ times }: { readonly times: readonly DeliveryRange[] }) {
  const now = new Date();
  const today = new Date(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()));
  return (
    <>
      <strong className="strong">{`Arrives ${formatArrival(computeArrival(today, times))}`}</strong>
      {' if you pay today'}
    </>
  );
}
