import type { BillingDetails } from '#src/shop/orders/stored-order.ts';

/** Delivery details of test orders. */
export const billing: BillingDetails = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  region: 'Europe',
  country: 'GB',
  streetAddress: 'Elm Street',
  houseNumber: '45',
  city: 'London',
  postcode: 'W8 4AA',
};
