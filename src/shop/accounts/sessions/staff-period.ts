/** How long sessions of members of the team live, whatever those of customers do. */
const HOUR_MS = 3_600_000;
const IDLE_MS = 12 * HOUR_MS;
const MAX_AGE_MS = 24 * HOUR_MS;

export interface StaffPeriod {
  /** Sessions that were last seen before have ended. */
  readonly staffIdleSince: Date;
  /** Sessions that began before have ended. */
  readonly staffSince: Date;
}

export const getStaffPeriod = (now: Date): StaffPeriod => ({
  staffIdleSince: new Date(now.getTime() - IDLE_MS),
  staffSince: new Date(now.getTime() - MAX_AGE_MS),
});

/** Why a session of the team ended. */
export type SessionEnd = 'idle' | 'too-old';

/** Null if the session has not ended. */
export function findEnd(
  { createdAt, lastSeenAt }: { readonly createdAt: Date; readonly lastSeenAt: Date },
  now: Date,
): SessionEnd | null {
  const { staffIdleSince, staffSince } = getStaffPeriod(now);
  if (createdAt <= staffSince) return 'too-old';
  return lastSeenAt <= staffIdleSince ? 'idle' : null;
}
