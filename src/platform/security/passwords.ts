/**
 * Passwords as argon2id hashes in PHC form (RFC 9106; parameters of the OWASP password storage
 * cheat sheet). A hash takes about 19 MiB and 30 ms of CPU time, so concurrency and queue are limited
 * and clients are served round robin. Clients that only fail wait for all others.
 */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { FairQueue } from '#src/platform/fair-queue.ts';
import type { FairQueueOptions } from '#src/platform/fair-queue.ts';
import { runOutsideQueue } from '#src/platform/http/work-queue.ts';
import { RecentFailures } from './recent-failures.ts';

const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;
const HASH_BYTES = 32;
const SALT_BYTES = 16;
const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{16,86})$/;

export interface Passwords {
  /**
   * Returns the PHC string to store. Null if the queue is full.
   * @param client key for the round robin; default: the shop itself
   */
  hash(password: string, client?: string): Promise<string | null>;
  /** @param stored the PHC string. Null for an unknown account, which takes the same time. */
  check(password: string, stored: string | null, client?: string): Promise<'right' | 'wrong' | 'busy'>;
}

const SHOP_CLIENT = 'the shop';
/** About three seconds of CPU time. */
const LIMITS: FairQueueOptions = { concurrency: 2, maxWaiting: 250, maxWaitingPerClient: 10 };

interface Cost {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

const COST: Cost = { memory: MEMORY_KIB, passes: PASSES, parallelism: LANES };

export function openPasswords(limits: Partial<FairQueueOptions> = {}): Passwords {
  const failures = new RecentFailures();
  const queue = new FairQueue({ ...LIMITS, isSuspect: (client) => failures.isSuspect(client), ...limits });
  // A call that waits for a hash must not keep calls out that need none.
  const run = <T>(client: string, task: () => Promise<T>) => runOutsideQueue(() => queue.run(client, task));
  // The hash of a random password.
  const ofNobody = { cost: COST, salt: randomBytes(SALT_BYTES), hash: randomBytes(HASH_BYTES) };
  return {
    hash: (password, client = SHOP_CLIENT) =>
      run(client, async () => {
        const salt = randomBytes(SALT_BYTES);
        return formatHash(salt, await derive(password, salt, COST, HASH_BYTES));
      }),
    check: async (password, stored, client = SHOP_CLIENT) => {
      const checked = await run(client, async () => {
        const { cost, salt, hash } = stored === null ? ofNobody : parseHash(stored);
        const derived = await derive(password, salt, cost, hash.length);
        const isRight = timingSafeEqual(derived, hash) && stored !== null;
        failures.record(client, isRight);
        return isRight ? 'right' : 'wrong';
      });
      return checked ?? 'busy';
    },
  };
}

function derive(password: string, salt: Buffer, cost: Cost, length: number): Promise<Buffer> {
  // Other keyboards and systems may encode the same characters differently (NIST SP 800-63B, 3.1.1.2).
  const parameters = { message: password.normalize('NFKC'), nonce: salt, tagLength: length, ...cost };
  return new Promise((resolve, reject) => {
    argon2('argon2id', parameters, (error, derived) => (error ? reject(error) : resolve(derived)));
  });
}

const toUnpaddedBase64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

function formatHash(salt: Buffer, hash: Buffer): string {
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${toUnpaddedBase64(salt)}$${toUnpaddedBase64(hash)}`;
}

function parseHash(stored: string): { cost: Cost; salt: Buffer; hash: Buffer } {
  const [, memory, passes, parallelism, salt = '', hash = ''] = PHC.exec(stored) ?? [];
  if (!memory) throw new Error('a stored password hash is not an argon2id hash');
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  return { cost, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') };
}
