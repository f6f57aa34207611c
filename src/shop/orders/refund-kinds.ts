/** What an order was paid too much, or all that was received for it. */
export const refundCovers = ['surplus', 'whole'] as const;
export type RefundCovers = (typeof refundCovers)[number];

export const refundStates = ['made', 'sent', 'confirmed', 'withdrawn'] as const;
export type RefundState = (typeof refundStates)[number];
