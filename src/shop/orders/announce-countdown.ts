const ANNOUNCED_MINUTES = [10, 5, 1] as const;

/**
 * Announces a countdown to screen readers at 10, 5 and 1 minutes.
 * @param beforeS seconds left at the previous call
 * @param nowS seconds left now
 * @returns null unless one of the three was passed in between
 */
export function announceCountdown(beforeS: number, nowS: number): string | null {
  // After a suspended tab, only the last mark is current.
  const minutes = ANNOUNCED_MINUTES.findLast((mark) => beforeS > mark * 60 && nowS <= mark * 60);
  if (minutes === undefined || nowS <= 0) return null;
  return minutes === 1 ? '1 minute left to pay' : `${minutes} minutes left to pay`;
}
