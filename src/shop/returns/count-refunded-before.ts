/** Units of an order line that a refund or a return took. */
export interface UnitsInOrder {
  /** Lower for what took its units earlier. */
  readonly sequence: bigint;
  readonly quantity: number;
}

const sum = (units: readonly UnitsInOrder[]): number => units.reduce((total, { quantity }) => total + quantity, 0);

/**
 * Refunded units that returns took nothing of: they were refunded before a return took others. Every other refunded unit
 * pays for one that a return took.
 * @param refunded by refunds that are not withdrawn
 * @param returned units that returns have; an event with none counts too
 */
export const countRefundedBefore = (refunded: readonly UnitsInOrder[], returned: readonly UnitsInOrder[]): number =>
  returned.reduce((most, { sequence }) => {
    const before = sum(refunded.filter((one) => one.sequence < sequence));
    const returnedBefore = sum(returned.filter((one) => one.sequence < sequence));
    return Math.max(most, before - returnedBefore);
  }, 0);
