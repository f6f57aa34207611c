import { getDeliveryPromise } from '#src/shop/delivery-times.ts';
import { useDeliveryPlace } from './delivery-place.ts';

/** Delivery time to the place in the header. */
export const DeliveryPromise = () => getDeliveryPromise(useDeliveryPlace());
