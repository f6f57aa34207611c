/** Units of an order line at the moment at which a refund or a return took them. */
export interface UnitsAt {
  readonly at: Date;
  readonly quantity: number;
}

const sum = (units: readonly UnitsAt[]): number => units.reduce((total, { quantity }) => total + quantity, 0);

/**
 * Refunded units that returns took nothing of: they were refunded before a return took others. Every other refunded unit
 * pays for one that a return took.
 * @param refunded by refunds that are not withdrawn
 * @param returned units that returns have; an event with none counts too
 */
export const countRefundedBefore = (refunded: readonly UnitsAt[], returned: readonly UnitsAt[]): number =>
  returned.reduce((most, { at }) => {
    const before = sum(refunded.filter((one) => one.at <= at));
    const returnedBefore = sum(returned.filter((one) => one.at < at));
    return Math.max(most, before - returnedBefore);
  }, 0);
