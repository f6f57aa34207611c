/** Deliberate bugs: the order simulations must detect each. */
export type OrderBug =
  | 'closing as a loss is refused'
  | 'cancelling by staff is refused'
  | 'loss of a sent refund is not reported'
  | 'a page shows confirmed too early'
  | 'a mail is composed when queued'
  | 'staff tasks describe a final loss as temporary'
  | 'the mail of a withdrawn refund is sent'
  | 'a lost sale stays in the books';
