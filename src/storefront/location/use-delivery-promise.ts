import { useShop } from '../shop-identity.ts';
import { useDeliveryPlace } from './delivery-place.ts';

/** Delivery time to the place in the header; without one the line that the shop has set. Empty if none is set. */
export function useDeliveryPromise(): string {
  const place = useDeliveryPlace();
  const { delivery_line: line = '', promises = [] } = useShop();
  if (!place) return line;
  return promises.find(({ places }) => places.includes(place.country) || places.includes(place.region))?.text ?? '';
}
