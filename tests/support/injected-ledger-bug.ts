/** Deliberate bugs: the simulations must detect each. */
export type InjectedBug =
  | 'reorganisation rolls nothing back'
  | 'reorganisation rolls one block back'
  | 'rows keyed by txid only'
  | 'replaced and dropped outputs stay live'
  | 'paid event duplicated'
  | 'reorganisation without an event'
  | 'returned transaction ignored'
  | 'immature coinbase counted'
  | 'cursor committed without rows'
  | 'cursor moved without a revision check'
  | 'first seen overwritten by the block'
  | 'unconfirmed output counted as confirmed'
  | 'tip not read again after the mempool'
  | 'expiry while the source is down'
  | 'only orders with new outputs reconciled'
  | 'scripts loaded before the mempool';
