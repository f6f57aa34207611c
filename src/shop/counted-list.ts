import { formatNumber } from './format-number.ts';

/** A filtered list of the back office ends after this many; further matches are neither listed nor counted. */
export const MAX_COUNTED = 10_000;

/** Such as `10,000+`. @param hasMore whether more match than are counted */
export const formatTotal = (total: number, hasMore: boolean): string => `${formatNumber(total)}${hasMore ? '+' : ''}`;
