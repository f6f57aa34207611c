import type { PaymentStatus } from '../kinds.ts';

const OPEN_POLL_MS = 3_000;
/** Late payments are polled less often. */
const EXPIRED_POLL_MS = 15_000;

const INTERVALS: Readonly<Record<PaymentStatus, number | null>> = {
  pending: OPEN_POLL_MS,
  user_paid: OPEN_POLL_MS,
  paid: null,
  expired: EXPIRED_POLL_MS,
  cancelled: null,
  refunded: null,
};

/** Poll interval of an order in ms; null: none. */
export const choosePollInterval = (status: PaymentStatus): number | null => INTERVALS[status];
