/** When staff get mails about paid orders. */
export const paidOrderMailModes = ['each', 'hourly', 'never'] as const;
export type PaidOrderMailMode = (typeof paidOrderMailModes)[number];
