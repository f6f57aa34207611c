/** Deliberate bugs: the order simulations must detect each. */
export type OrderBug =
  | 'closing as a loss is refused'
  | 'give-up is refused'
  | 'loss of a sent refund is silent'
  | 'a page says confirmed too early'
  | 'a mail is written when it is queued'
  | 'staff read that a final loss mends itself'
  | 'a refund mail is sent although it was withdrawn';
