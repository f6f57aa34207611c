import type { DeliveryPromise } from '#src/shop/delivery-times.ts';
import { useShop } from '../shop-identity.ts';
import { useDeliveryPlace } from './delivery-place.ts';

/** Delivery to the place in the header; without one the line that the shop has set. The text is empty if none is set. */
export function useDeliveryPromise(): Pick<DeliveryPromise, 'text' | 'times'> {
  const place = useDeliveryPlace();
  const { delivery_line: line = '', promises = [] } = useShop();
  const isOfPlace = (name: string) => name === place?.country || name === place?.region;
  return (place && promises.find(({ places }) => places.some(isOfPlace))) ?? { text: place ? '' : line };
}
