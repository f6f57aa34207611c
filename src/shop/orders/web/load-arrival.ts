/** When an order is expected. Called by loaders, so its texts are not in the browser's scripts. */
import { estimateArrival, formatArrival } from '#src/shop/estimate-arrival.ts';
import type { PageContext } from '#src/storefront/page/page-context.ts';
import type { Order } from '../contract.ts';
import type { Timeline } from '../timeline/contract.ts';

/**
 * The days on which an order that is paid and not delivered is expected, by the merchant's delivery times.
 * @returns null without such times for the country, or without a date to start from
 */
export async function loadArrival(
  call: PageContext['call'],
  { payment_status: status, fulfilment_status: fulfilment, billing }: Order,
  { shipments, timeline }: Pick<Timeline, 'shipments' | 'timeline'>,
): Promise<string | null> {
  if (status !== 'paid' || fulfilment === 'delivered') return null;
  const { delivery } = await call('GET /delivery').catch(() => ({ delivery: null }));
  const area = delivery?.times.find(
    ({ countries, regions }) => countries.includes(billing.country) || regions.includes(billing.region),
  );
  if (!delivery || !area?.range) return null;
  const shippedAt = fulfilment === 'shipped' ? shipments.at(-1)?.shipped_at : undefined;
  if (shippedAt !== undefined) return formatArrival(estimateArrival(new Date(shippedAt), [area.range]));
  const paidAt = timeline.findLast(({ kind }) => PAID.has(kind))?.at;
  if (paidAt === undefined || delivery.dispatch === null) return null;
  return formatArrival(estimateArrival(new Date(paidAt), [delivery.dispatch, area.range]));
}

/** What lets an order be shipped. */
const PAID: ReadonlySet<Timeline['timeline'][number]['kind']> = new Set(['paid', 'paid_again', 'paid_anew', 'settled']);
