/** Deliberate bugs: the simulations must detect each. */
export type InjectedBug =
  | 'reorganisation rolls nothing back'
  | 'reorganisation rolls one block back'
  | 'rows keyed by txid alone'
  | 'replaced and dropped outputs stay live'
  | 'paid event doubled'
  | 'silent reorganisation'
  | 'returned transaction ignored'
  | 'coinbase counted early'
  | 'cursor committed without rows'
  | 'cursor moved without comparing'
  | 'first seen overwritten by the block'
  | 'unconfirmed output counted as confirmed'
  | 'tip not asked again after the mempool'
  | 'expiry while the source is down'
  | 'orders settled only when touched'
  | 'scripts loaded before the mempool';
