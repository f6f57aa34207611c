/**
 * `npm run bench -- reset [--pairs N]`: checks that response times of both password reset calls do not
 * reveal whether an address has an account. AUC is how often a known address took longer than an
 * unknown one; 0.5 is chance.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { startSpawnedShop } from '../../tests/support/spawned-shop.ts';
import type { SpawnedShop } from '../../tests/support/spawned-shop.ts';
import { runWithShopDatabase } from '../../tests/support/stock-stress.ts';

const GOAL = 0.55;
const ACCOUNTS = 200;
const WARM_UP = 100;

const formatKnownEmail = (at: number): string => `known-${String(at).padStart(4, '0')}@bench.example`;
const formatUnknownEmail = (at: number): string => `other-${String(at).padStart(4, '0')}@bench.example`;

async function makeAccounts(shop: SpawnedShop): Promise<void> {
  const emails = Array.from({ length: ACCOUNTS }, (_, at) => formatKnownEmail(at));
  const ids = emails.map(() => uuidv7());
  await runWithShopDatabase(shop, (db) =>
    sql`insert into users (id, username, username_key, email, email_key, password_hash, created_at)
      select id, email, email, email, email, '', now() from unnest(${ids}::uuid[], ${emails}::text[]) as made (id, email)
    `.execute(db),
  );
}

async function measureTime(shop: SpawnedShop, path: string, body: object, status: number): Promise<number> {
  const began = performance.now();
  const response = await shop.api('POST', path, { body });
  const took = performance.now() - began;
  if (response.status !== status) throw new Error(`${path} returned ${response.status}`);
  return took;
}

const CALLS = [
  { path: '/users/request-password-reset', status: 200, bodyOf: (email: string) => ({ email }) },
  {
    path: '/users/reset-password',
    status: 400,
    bodyOf: (email: string) => ({ email, code: 'ABCDEFGH', newPassword: 'crypto-market' }),
  },
];

interface Times {
  readonly known: number[];
  readonly unknown: number[];
}

async function measure(
  shop: SpawnedShop,
  { path, status, bodyOf }: (typeof CALLS)[number],
  pairs: number,
): Promise<Times> {
  const times: Times = { known: [], unknown: [] };
  for (let pair = -WARM_UP; pair < pairs; pair += 1) {
    const at = (pair + WARM_UP) % ACCOUNTS;
    const both = [
      { kind: 'known', email: formatKnownEmail(at) },
      { kind: 'unknown', email: formatUnknownEmail(at) },
    ] as const;
    // Random order, since the second call may be slowed by the work of the first.
    for (const { kind, email } of randomInt(2) === 0 ? both : both.toReversed()) {
      const took = await measureTime(shop, path, bodyOf(email), status);
      if (pair >= 0) times[kind].push(took);
    }
  }
  return times;
}

/** How often a value of the first list is larger than one of the second; a tie counts half. */
function computeAuc(first: readonly number[], second: readonly number[]): number {
  const ranked = [...first.map((ms) => ({ ms, isFirst: true })), ...second.map((ms) => ({ ms, isFirst: false }))];
  ranked.sort((a, b) => a.ms - b.ms);
  let smaller = 0;
  let pairs = 0;
  for (let at = 0; at < ranked.length;) {
    let end = at;
    while (end < ranked.length && ranked[end]?.ms === ranked[at]?.ms) end += 1;
    const tied = ranked.slice(at, end);
    const firsts = tied.filter(({ isFirst }) => isFirst).length;
    pairs += firsts * (smaller + (tied.length - firsts) / 2);
    smaller += tied.length - firsts;
    at = end;
  }
  return pairs / (first.length * second.length);
}

const computeMedian = (list: readonly number[]): number =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;

const { values } = parseArgs({ options: { pairs: { type: 'string', default: '1000' } } });
const pairs = Number(values.pairs);
if (!Number.isInteger(pairs) || pairs < 1) {
  console.error('--pairs takes a whole number above 0.');
  process.exit(1);
}

const shop = await startSpawnedShop({ settings: { LOG_LEVEL: 'error' } });
try {
  await makeAccounts(shop);
  let isGoalMet = true;
  for (const call of CALLS) {
    const times = await measure(shop, call, pairs);
    const area = computeAuc(times.known, times.unknown);
    isGoalMet &&= Math.max(area, 1 - area) <= GOAL;
    console.log(
      `${call.path}: AUC ${area.toFixed(3)} over ${pairs} pairs; ` +
        `medians ${computeMedian(times.known).toFixed(2)} ms known, ${computeMedian(times.unknown).toFixed(2)} ms unknown`,
    );
  }
  console.log(`goal: at most ${GOAL} in either direction: ${isGoalMet ? 'met' : 'MISSED'}`);
  process.exitCode = isGoalMet ? 0 : 1;
} finally {
  await shop.stop();
}
