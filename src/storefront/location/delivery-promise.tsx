import { getDeliveryPromise } from '#src/shop/delivery-times.ts';
import { useDeliveryPlace } from './delivery-place.ts';

/** How long a delivery takes to the place that the header shows. */
export const DeliveryPromise = () => getDeliveryPromise(useDeliveryPlace());
