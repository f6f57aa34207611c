/** Whether a price has no bitcoin amount because there is no rate now. */
export const isWithoutRate = (btc: number | null, usd: number): boolean => !btc && usd > 0;
