import { useState } from 'react';
import type { DeliveryRange } from '#src/shop/delivery-times.ts';
import { computeArrival, formatArrival, toDay } from '#src/shop/format-arrival.ts';

/** When a parcel arrives that is paid today, in the calendar of the visitor. */
export function ArrivalLine({ times }: { readonly times: readonly DeliveryRange[] }) {
  const [now] = useState(() => new Date());
  return (
    <>
      <strong className="strong">{`Arrives ${formatArrival(computeArrival(toDay(now), times))}`}</strong>
      {' if you pay today'}
    </>
  );
}
