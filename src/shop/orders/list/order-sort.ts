/** How staff sort the list of orders: by the time of the order, or by its total. */
export const orderSorts = ['newest', 'oldest', 'highest', 'lowest'] as const;
export type OrderSort = (typeof orderSorts)[number];
