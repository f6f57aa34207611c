const ANNOUNCED_MINUTES = [10, 5, 1] as const;

/**
 * What a screen reader is told of a countdown: at 10, 5 and 1 minutes, and nothing in between.
 * @param beforeS seconds left when it was last looked at
 * @param nowS seconds left
 * @returns null when none of the three has been passed since
 */
export function announceCountdown(beforeS: number, nowS: number): string | null {
  // After a long sleep only the last one passed is true.
  const minutes = ANNOUNCED_MINUTES.findLast((mark) => beforeS > mark * 60 && nowS <= mark * 60);
  if (minutes === undefined || nowS <= 0) return null;
  return minutes === 1 ? '1 minute left to pay' : `${minutes} minutes left to pay`;
}
