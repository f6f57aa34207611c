import type { ShopDays } from '#src/shop/shop-days.ts';

const isWholeMonth = (from: string, to: string): boolean => {
  const [year = 0, month = 0] = from.split('-').map(Number);
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return from.endsWith('-01') && to === `${from.slice(0, 8)}${last}`;
};

/** Name of an exported file by its days: `orders.csv`, `orders-2026-11.csv`, `orders-2026-11-03-to-2026-11-09.csv`. */
export function formatExportName(what: string, { from, to }: ShopDays): string {
  if (from !== undefined && to !== undefined) {
    if (isWholeMonth(from, to)) return `${what}-${from.slice(0, 7)}.csv`;
    return from === to ? `${what}-${from}.csv` : `${what}-${from}-to-${to}.csv`;
  }
  return `${[what, ...(from === undefined ? [] : ['from', from]), ...(to === undefined ? [] : ['to', to])].join('-')}.csv`;
}
