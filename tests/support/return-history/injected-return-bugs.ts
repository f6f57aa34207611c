/** Deliberate bugs: the histories of orders with returns must detect each. */
export type ReturnBug =
  | 'a withdrawn refund leaves its return closed'
  | 'any serial number is received'
  | 'a changed return is refunded'
  | 'a deduction is left out of the sum'
  | 'a stopped unit is shipped'
  | 'a deadline is on no list'
  | 'returned units are sold twice'
  | 'a refund takes a unit twice';
