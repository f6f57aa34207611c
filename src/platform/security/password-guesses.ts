/** Limits of password guesses, at login and wherever else a password is required. */
import { restoreAll } from '#src/platform/http/rate-limits.ts';
import type { LimitCounter, Limit, RateLimits, RateLimitResult } from '#src/platform/http/rate-limits.ts';
import { toSiteKey } from '#src/platform/http/client-key.ts';

const createLimit = (points: number, seconds: number, by: Limit['by'] = 'caller'): Limit => ({
  points,
  seconds,
  by,
  isShared: true,
});
const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;

interface Guess {
  /** The account, or the name that was entered. */
  readonly account: string;
  /** A known device of the account, or the current session. Null if neither. */
  readonly device: string | null;
  readonly ip: string;
}

/**
 * Failures per address, for all accounts. Known devices have a separate count, so that unknown devices
 * cannot use up theirs.
 */
const createAddressCounter = ({ ip, device }: Guess): LimitCounter =>
  device === null
    ? { name: 'login-failures-from', limit: createLimit(30, 60, 'ip'), key: ip }
    : { name: 'login-failures-from-known', limit: createLimit(60, 60, 'ip'), key: ip };

/** Failures of one device with one account: a known device, or the unknown ones of an address. */
function createDeviceCounters({ account, device, ip }: Guess): readonly LimitCounter[] {
  if (device === null) return [{ name: 'login-failures-of', limit: createLimit(5, 60), key: `${account}:${ip}` }];
  const key = `${account}:${device}`;
  return [
    { name: 'login-failures-device', limit: createLimit(5, 60), key },
    { name: 'login-failures-device-an-hour', limit: createLimit(60, HOUR_S), key },
  ];
}

/**
 * The first failures of an address with an account have a limit of their own. So the account's limit
 * rises with the number of addresses, and an attack never uses up the first failures of a new address.
 */
const createFirstCounter = ({ account, ip }: Guess): LimitCounter => ({
  name: 'login-failures-first',
  limit: createLimit(5, DAY_S),
  key: `${account}:${toSiteKey(ip)}`,
});
/** All other failures per account from unknown devices. */
const createRepeatedCounter = ({ account }: Guess): LimitCounter => ({
  name: 'login-failures-repeated',
  limit: createLimit(60, HOUR_S),
  key: account,
});
/** Failures per account from all unknown devices. */
const createAccountCounter = ({ account }: Guess): LimitCounter => ({
  name: 'login-failures',
  limit: createLimit(300, HOUR_S),
  key: account,
});

/** A guess that was counted, with the limits that it counts against. */
interface CountedGuess {
  readonly ok: true;
  readonly counters: readonly LimitCounter[];
}
type CountResult = CountedGuess | Extract<RateLimitResult, { ok: false }>;

/**
 * Counts a guess before its password is checked, so that parallel guesses gain nothing and a
 * refused guess costs no hash. A refused guess counts against the address only.
 */
export async function countGuess(limits: RateLimits, guess: Guess): Promise<CountResult> {
  const address = createAddressCounter(guess);
  const counters: LimitCounter[] = [];
  const count = async (counter: LimitCounter): Promise<RateLimitResult> => {
    const taken = await limits.consume(counter.name, counter.limit, counter.key);
    if (taken.ok) counters.push(counter);
    return taken;
  };
  const countAll = async (): Promise<RateLimitResult> => {
    for (const counter of [address, ...createDeviceCounters(guess)]) {
      const taken = await count(counter);
      if (!taken.ok) return taken;
    }
    if (guess.device !== null) return { ok: true };
    const isFirst = (await count(createFirstCounter(guess))).ok;
    const repeated = isFirst ? null : await count(createRepeatedCounter(guess));
    return repeated?.ok === false ? repeated : count(createAccountCounter(guess));
  };
  const counted = await countAll();
  if (counted.ok) return { ok: true, counters };
  await restoreAll(
    limits,
    counters.filter((counter) => counter !== address),
  );
  return counted;
}

/** Names of the counts that a correct password resets: those of this device with this account. */
const RESET_COUNTS = new Set([
  'login-failures-of',
  'login-failures-device',
  'login-failures-device-an-hour',
  'login-failures-first',
]);

/**
 * Resets the failures of the device after a correct password. Of the limits that others share, it uncounts
 * this guess only: the owner of one account must not get guesses at others.
 */
export async function resetGuesses(limits: RateLimits, { counters }: CountedGuess): Promise<void> {
  for (const { name, limit, key } of counters) {
    if (RESET_COUNTS.has(name)) await limits.reset(name, limit, key);
    else await limits.restore(name, limit, key);
  }
}

/** Uncounts a guess whose password was not checked. */
export const restoreGuess = (limits: RateLimits, { counters }: CountedGuess): Promise<void> =>
  restoreAll(limits, counters);

export const toAccountKey = (userId: string): string => `user:${userId}`;
