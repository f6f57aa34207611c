/** Amounts of a payment as they are written; from those on the wire. */

/** To the satoshi, as it is to be sent: six decimals, or up to eight where they say something. */
export const exactBtcText = (btc: number): string => btc.toFixed(8).replace(/0{1,2}$/, '');

/** Whole satoshi, without separators. */
export const satsText = (btc: number): string => Math.round(btc * 1e8).toString();

const GROUPED = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2, minimumFractionDigits: 2 });

/** A rate: two decimals, its thousands apart. */
export const rateText = (usdPerBtc: number): string => GROUPED.format(usdPerBtc);

/** Digits in groups of three, from the end. */
export const groupedText = (digits: string): string => digits.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
