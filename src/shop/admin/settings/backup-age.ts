/** A backup is written every night; one missed night is noticed in the afternoon. */
const MAX_BACKUP_AGE_HOURS = 36;

/** Whether the newest backup is too old, or there is none. */
export const isBackupDue = (at: Date | null, now: Date): boolean =>
  at === null || now.getTime() - at.getTime() > MAX_BACKUP_AGE_HOURS * 3_600_000;
