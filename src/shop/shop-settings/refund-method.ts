/** What a refund returns: the dollars paid at the rate of the refund, or the satoshis that paid them. */
export const refundMethods = ['value', 'kind'] as const;
export type RefundMethod = (typeof refundMethods)[number];
