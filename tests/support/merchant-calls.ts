/** Calls by which staff run the shop. Their fields are tested from the contract, not from examples. */
export const isMerchantCall = (key: string): boolean =>
  /^\w+ \/(?:catalogue|content|imports|inventory|low-stock|pictures|shipping|shop|stock-alerts|support\/promotions|tax)(?:[-/]|$)/.test(
    key,
  );
