/** What waits for staff, beside the links of the menu. */
import { useEffect } from 'react';
import { call } from '#src/storefront/call.ts';
import { createStore } from '#src/ui/react/store.ts';
import type { StaffTopic } from '../live/staff-topics.ts';
import { useStaffTopics } from './use-staff-changes.ts';

export type WaitingKind =
  | 'to_ship'
  | 'returns'
  | 'withdrawals'
  | 'payments'
  | 'failed_invoices'
  | 'low_stock'
  | 'tickets'
  | 'reviews'
  | 'new_messages';

const TEXTS: Readonly<Record<WaitingKind, string>> = {
  to_ship: 'to ship',
  returns: 'to handle',
  withdrawals: 'to answer',
  payments: 'to decide',
  failed_invoices: 'failed',
  low_stock: 'low',
  tickets: 'to answer',
  reviews: 'to approve',
  new_messages: 'new',
};
export const describeWaiting = (kind: WaitingKind): string => TEXTS[kind];

/** Changes that change what waits. */
export const waitingTopics: readonly StaffTopic[] = [
  'orders',
  'payments',
  'refunds',
  'stock',
  'tickets',
  'reviews',
  'messages',
  'invoices',
];

/** Another page of the back office shows the same counts. */
const RELOAD_AFTER_MS = 2_000;

type Waiting = Readonly<Record<WaitingKind, number>>;

const counts = createStore<{ readonly todo: Waiting | null }>({ todo: null });
let loadedAt = 0;

async function load(): Promise<void> {
  loadedAt = Date.now();
  try {
    counts.update({ todo: await call('GET /support/todo') });
  } catch {
    // The menu works without the counts.
  }
}

/** Keeps the counts current while the menu is shown. */
export function useWaitingCounts(): void {
  useEffect(() => {
    if (Date.now() - loadedAt > RELOAD_AFTER_MS) void load();
  }, []);
  useStaffTopics(waitingTopics, () => void load());
}

/** Null until the counts are loaded. */
export const useWaiting = (): Waiting | null => counts.use(({ todo }) => todo);
