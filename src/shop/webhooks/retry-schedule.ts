/** When deliveries are repeated, given up, and when endpoints are paused and disabled. */

const HOUR_MS = 3_600_000;

/** A delivery that fails at this age is given up. */
export const GIVE_UP_MS = 72 * HOUR_MS;
/** An endpoint with only failures for this long is disabled. */
export const DISABLE_AFTER_MS = 72 * HOUR_MS;

/** The first retry; each further one comes after four times as long, at most after twelve hours. */
export const FIRST_RETRY_MS = 5_000;
const GROWTH = 4;
const MAX_RETRIES_APART = 8_640;
/** The longest pause of an endpoint after failures in a row. */
const MAX_PAUSES_APART = 12;

/**
 * Time to the next attempt, with jitter of 20 percent in both directions.
 * @param tries failed ones in a row, 1 or more @param random from 0 to 1 @param firstRetryMs scales the schedule
 */
export function computeRetryDelayMs(tries: number, random: number, firstRetryMs = FIRST_RETRY_MS): number {
  const factor = Math.min(GROWTH ** Math.min(tries - 1, 20), MAX_RETRIES_APART);
  return Math.round(firstRetryMs * factor * (0.8 + 0.4 * random));
}

/**
 * How long nothing is sent to an endpoint after failures in a row, so that a receiver that is down costs little. None
 * after the first two.
 */
export function computePauseMs(failures: number, firstRetryMs = FIRST_RETRY_MS): number {
  if (failures <= 2) return 0;
  return firstRetryMs * Math.min(2 ** (Math.min(failures, 20) - 3) / 5, MAX_PAUSES_APART);
}

/** Whether a delivery that failed now is given up. */
export const isGivenUp = (now: Date, giveUpAt: Date): boolean => now >= giveUpAt;

/** Status of a success: any 2xx. Redirects are failures. */
export const isSuccessStatus = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** The receiver does not exist any more and never will. */
const GONE_STATUS = 410;

export type DisableReason = 'failing' | 'gone';

/** Why an endpoint is disabled after a failure; null if it is not. */
export function findDisableReason(status: number | null, failingSince: Date, now: Date): DisableReason | null {
  if (status === GONE_STATUS) return 'gone';
  return now.getTime() - failingSince.getTime() >= DISABLE_AFTER_MS ? 'failing' : null;
}
