/** When an order is expected. Called by loaders, so its texts are not in the browser's scripts. */
import type { DeliveryRange } from '#src/shop/delivery-times.ts';
import { computeArrival, formatArrival } from '#src/shop/format-arrival.ts';
import type { PageContext } from '#src/storefront/page/page-context.ts';
import type { Order } from '../contract.ts';
import { PAYMENTS } from '../list-progress.ts';
import type { Timeline } from '../timeline/contract.ts';

/**
 * The days on which an order that is paid and not delivered is expected, by the merchant's delivery times.
 * @returns null without such times for the country, without a date to start from, and after the last day
 */
export async function loadArrival(
  call: PageContext['call'],
  { payment_status: status, fulfilment_status: fulfilment, billing }: Order,
  { shipments, timeline }: Pick<Timeline, 'shipments' | 'timeline'>,
): Promise<string | null> {
  if (status !== 'paid' || fulfilment === 'delivered') return null;
  const { delivery } = await call('GET /delivery').catch(() => ({ delivery: null }));
  const onItsWay = delivery?.times.find(
    ({ countries, regions }) => countries.includes(billing.country) || regions.includes(billing.region),
  )?.range;
  if (!delivery || !onItsWay) return null;
  const shippedAt = fulfilment === 'shipped' ? shipments.at(-1)?.shipped_at : undefined;
  if (shippedAt !== undefined) return describe(shippedAt, [onItsWay]);
  const paidAt = timeline.findLast(({ kind }) => PAYMENTS.has(kind))?.at;
  return paidAt === undefined || delivery.dispatch === null ? null : describe(paidAt, [delivery.dispatch, onItsWay]);
}

const DAY_MS = 24 * 60 * 60 * 1000;

function describe(start: string, times: readonly DeliveryRange[]): string | null {
  const arrival = computeArrival(new Date(start.slice(0, 10)), times);
  return arrival[1].getTime() + DAY_MS < Date.now() ? null : formatArrival(arrival);
}
