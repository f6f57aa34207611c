/** Metrics of the shop that are read from the database, the same in all processes. */
export const SHOP_METRICS = {
  shop_orders: {
    help: 'Orders that are open or were placed within 24 hours, by payment status',
    label: 'status',
  },
  shop_payments: {
    help: 'Payments of orders that are open or were placed within 24 hours, by payment state',
    label: 'state',
  },
  shop_orders_to_ship: { help: 'Paid orders that are not shipped, at most 10,000 are counted' },
  shop_jobs: { help: 'Jobs that wait or are retried, by queue; at most 10,000 of each are counted', label: 'queue' },
  shop_jobs_oldest_age_seconds: { help: 'How long the longest waiting job is due, by queue', label: 'queue' },
  shop_mails_retried: { help: 'Mails that failed and wait for their next attempt' },
  shop_part_ok: { help: 'Whether a part works, as on the first page of the back office', label: 'part' },
  shop_backup_age_seconds: { help: 'Age of the newest recorded backup' },
  shop_backup_due: { help: 'Whether the newest backup is too old, or there is none. Never for a demo shop' },
  shop_chain_tip_height: { help: 'Height of the newest block in the ledger' },
  shop_chain_tip_age_seconds: { help: 'Age of the newest block in the ledger' },
  shop_chain_lag_seconds: { help: 'How long ago the ledger last equalled the chain source' },
} as const satisfies Readonly<Record<string, { readonly help: string; readonly label?: string }>>;

/** Metrics of the shop that each process reads from its memory. */
export const PROCESS_METRICS = {
  shop_rate_age_seconds: { help: 'Age of the bitcoin rate in use' },
  shop_rate_state: { help: '1 for the state of the bitcoin rate: current, delayed or none', label: 'state' },
  shop_rate_usd: { help: 'US dollars for one bitcoin' },
} as const satisfies Readonly<Record<string, { readonly help: string; readonly label?: string }>>;

/** `total` of the rows of each value; values without rows are 0. */
export function sumByValue(
  values: readonly string[],
  rows: readonly { readonly value: string; readonly total: number }[],
): Record<string, number> {
  const sums = new Map<string, number>(values.map((value) => [value, 0]));
  for (const { value, total } of rows) if (sums.has(value)) sums.set(value, (sums.get(value) ?? 0) + total);
  return Object.fromEntries(sums);
}
