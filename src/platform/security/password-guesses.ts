/** Limits of password guesses, at login and wherever else a password is required. */
import { restoreAll } from '#src/platform/http/rate-limits.ts';
import type { LimitCounter, Limit, RateLimits, RateLimitResult } from '#src/platform/http/rate-limits.ts';

/** Failures per account from all unknown devices, across processes. */
const accountFailures: Limit = { points: 5, seconds: 60, by: 'caller', isShared: true };
/** Failures per known device and account. */
const deviceFailures: Limit = { points: 5, seconds: 60, by: 'caller', isShared: true };
/** Failures per address, for all accounts. */
const addressFailures: Limit = { points: 30, seconds: 60, by: 'ip', isShared: true };

interface Guess {
  /** The account, or the name that was entered. */
  readonly account: string;
  /** A known device of the account, or the current session. Null if neither. */
  readonly device: string | null;
  readonly ip: string;
}

/** Limits of a guess, in this order. Unknown devices cannot use up the limit of a known one. */
function createCounters({ account, device, ip }: Guess): readonly LimitCounter[] {
  if (device !== null) return [{ name: 'login-failures-device', limit: deviceFailures, key: `${account}:${device}` }];
  return [
    { name: 'login-failures-from', limit: addressFailures, key: ip },
    { name: 'login-failures', limit: accountFailures, key: account },
  ];
}

/**
 * Counts a guess before its password is checked, so that parallel guesses gain nothing and a
 * refused guess costs no hash.
 */
export async function countGuess(limits: RateLimits, guess: Guess): Promise<RateLimitResult> {
  for (const { name, limit, key } of createCounters(guess)) {
    const taken = await limits.consume(name, limit, key);
    if (!taken.ok) return taken;
  }
  return { ok: true };
}

/** Resets the failures after a correct password. */
export async function resetGuesses(limits: RateLimits, guess: Guess): Promise<void> {
  const [first, account] = createCounters(guess);
  if (account === undefined) return first && limits.reset(first.name, first.limit, first.key);
  // Uncounts only this guess of the address. A reset would let the owner of one account guess at others.
  if (first) await limits.restore(first.name, first.limit, first.key);
  await limits.reset(account.name, account.limit, account.key);
}

/** Uncounts a guess whose password was not checked. */
export const restoreGuess = (limits: RateLimits, guess: Guess): Promise<void> =>
  restoreAll(limits, createCounters(guess));

export const toAccountKey = (userId: string): string => `user:${userId}`;
