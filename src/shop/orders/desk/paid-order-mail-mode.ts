/** How staff are told of paid orders. */
export const paidOrderMailModes = ['each', 'hourly', 'never'] as const;
export type PaidOrderMailMode = (typeof paidOrderMailModes)[number];
