import type { LineValue } from '#src/shop/orders/stored-order.ts';
import { formatLineName } from '#src/shop/orders/fulfilment/show-shipments.ts';

/** Name of a line with its chosen values. */
export const nameLine = ({ name, values }: { readonly name: string; readonly values: readonly LineValue[] }): string =>
  formatLineName({ name, property_values: values });
