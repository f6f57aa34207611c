/** How often passwords may be guessed: at a login, and wherever else a password is asked for. */
import type { Limit, RateLimits, Taken } from './http/rate-limits.ts';

/** Wrong passwords for one account, from wherever they come: counted for all processes together. */
const accountFailures: Limit = { points: 5, seconds: 60, by: 'caller', isShared: true };
/** Wrong passwords from one address, for whatever accounts. */
const addressFailures: Limit = { points: 30, seconds: 60, by: 'ip' };

interface Guess {
  /** Names the account, or what was typed in its place. */
  readonly account: string;
  readonly ip: string;
  readonly isRight: boolean;
}

/**
 * Counted after the check and before the answer: guesses sent all at once learn no more than guesses in turn, and once
 * the limit is reached the right password is refused like a wrong one.
 */
export async function countGuess(limits: RateLimits, { account, ip, isRight }: Guess): Promise<Taken> {
  const ofAccount = await limits.take('login-failures', accountFailures, account);
  const ofAddress = await limits.take('login-failures-from', addressFailures, ip);
  for (const taken of [ofAccount, ofAddress]) if (!taken.ok) return taken;
  if (!isRight) return { ok: true };
  await limits.forget('login-failures', accountFailures, account);
  // Not forgotten, only handed back: else one's own account would buy guesses at those of others.
  await limits.giveBack('login-failures-from', addressFailures, ip);
  return { ok: true };
}

export const accountToCount = (userId: string): string => `user:${userId}`;
