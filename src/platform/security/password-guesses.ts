/** How often passwords may be guessed: at a login, and wherever else a password is asked for. */
import { restoreAll } from '#src/platform/http/rate-limits.ts';
import type { LimitCounter, Limit, RateLimits, RateLimitResult } from '#src/platform/http/rate-limits.ts';

/** Failures for one account by all devices that are not known, counted for all processes together. */
const accountFailures: Limit = { points: 5, seconds: 60, by: 'caller', isShared: true };
/** Failures of a known device for its account. */
const deviceFailures: Limit = { points: 5, seconds: 60, by: 'caller', isShared: true };
/** Failures from one address, for whatever accounts. */
const addressFailures: Limit = { points: 30, seconds: 60, by: 'ip', isShared: true };

interface Guess {
  /** Names the account, or what was typed in its place. */
  readonly account: string;
  /** A device that signed in to the account before, or the session that asks again; else null. */
  readonly device: string | null;
  readonly ip: string;
}

/** What a guess counts against, in this order. Strangers cannot use up the count of a known device. */
function createCounters({ account, device, ip }: Guess): readonly LimitCounter[] {
  if (device !== null) return [{ name: 'login-failures-device', limit: deviceFailures, key: `${account}:${device}` }];
  return [
    { name: 'login-failures-from', limit: addressFailures, key: ip },
    { name: 'login-failures', limit: accountFailures, key: account },
  ];
}

/**
 * Counts a guess before its password is checked: guesses sent at once learn no more than guesses in turn, and a
 * refused one costs no hash.
 */
export async function countGuess(limits: RateLimits, guess: Guess): Promise<RateLimitResult> {
  for (const { name, limit, key } of createCounters(guess)) {
    const taken = await limits.consume(name, limit, key);
    if (!taken.ok) return taken;
  }
  return { ok: true };
}

/** The password was right: failures before it are forgotten. */
export async function resetGuesses(limits: RateLimits, guess: Guess): Promise<void> {
  const [first, account] = createCounters(guess);
  if (account === undefined) return first && limits.reset(first.name, first.limit, first.key);
  // Of the address one is handed back: else one's own account would buy guesses at those of others.
  if (first) await limits.restore(first.name, first.limit, first.key);
  await limits.reset(account.name, account.limit, account.key);
}

/** The password was not checked: the guess does not count. */
export const restoreGuess = (limits: RateLimits, guess: Guess): Promise<void> =>
  restoreAll(limits, createCounters(guess));

export const toAccountKey = (userId: string): string => `user:${userId}`;
