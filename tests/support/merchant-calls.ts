/** Calls by which staff run the shop. Their fields are tested from the contract, not from examples. */
export const isMerchantCall = (key: string): boolean =>
  /^\w+ \/(?:carriers|catalogue|content|imports|inventory|low-stock|pictures|shipping|shop|stock-alerts|support|tax)(?:[-/]|$)/.test(
    key,
  ) || / \/orders\/\{id\}\/(?:address|mails|notes)$/.test(key);
