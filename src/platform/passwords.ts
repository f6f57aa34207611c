/**
 * Passwords as argon2id hashes in PHC form (RFC 9106; parameters of the OWASP password storage cheat sheet). A hash
 * takes about 19 MiB and 30 ms of a core, so few are made at once and few may wait: a flood of logins must not stop
 * the shop.
 */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';

const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;
const HASH_BYTES = 32;
const SALT_BYTES = 16;
const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{16,86})$/;

export interface Passwords {
  /** The PHC string to store; null when too many wait already. */
  hash(password: string): Promise<string | null>;
  /** @param stored the PHC string, or null for an account that does not exist: that takes just as long. */
  check(password: string, stored: string | null): Promise<'right' | 'wrong' | 'busy'>;
}

export interface PasswordsOptions {
  /** Hashes made at once; 2 when left out. */
  readonly atOnce?: number;
  /** Calls that may wait for their turn; 50 when left out. */
  readonly waiting?: number;
}

interface Cost {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

const COST: Cost = { memory: MEMORY_KIB, passes: PASSES, parallelism: LANES };

export function openPasswords({ atOnce = 2, waiting = 50 }: PasswordsOptions = {}): Passwords {
  const inTurn = turns(atOnce, waiting);
  // Nobody knows the password behind it.
  const ofNobody = { cost: COST, salt: randomBytes(SALT_BYTES), hash: randomBytes(HASH_BYTES) };
  return {
    hash: (password) =>
      inTurn(async () => {
        const salt = randomBytes(SALT_BYTES);
        return write(salt, await derive(password, salt, COST, HASH_BYTES));
      }),
    check: async (password, stored) => {
      const checked = await inTurn(async () => {
        const { cost, salt, hash } = stored === null ? ofNobody : read(stored);
        const derived = await derive(password, salt, cost, hash.length);
        return timingSafeEqual(derived, hash) && stored !== null ? 'right' : 'wrong';
      });
      return checked ?? 'busy';
    },
  };
}

function derive(password: string, salt: Buffer, cost: Cost, length: number): Promise<Buffer> {
  // The same characters typed on another keyboard or system may be encoded otherwise (NIST SP 800-63B, 3.1.1.2).
  const parameters = { message: password.normalize('NFKC'), nonce: salt, tagLength: length, ...cost };
  return new Promise((resolve, reject) => {
    argon2('argon2id', parameters, (error, derived) => (error ? reject(error) : resolve(derived)));
  });
}

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

function write(salt: Buffer, hash: Buffer): string {
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${unpadded(salt)}$${unpadded(hash)}`;
}

function read(stored: string): { cost: Cost; salt: Buffer; hash: Buffer } {
  const [, memory, passes, parallelism, salt = '', hash = ''] = PHC.exec(stored) ?? [];
  if (!memory) throw new Error('a stored password hash is no argon2id hash');
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  return { cost, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') };
}

/** Runs at most `atOnce` tasks at a time, first come first served; null when `waiting` wait already. */
function turns(atOnce: number, waiting: number): <T>(task: () => Promise<T>) => Promise<T | null> {
  let running = 0;
  const queue: (() => void)[] = [];
  return async (task) => {
    if (running >= atOnce) {
      if (queue.length >= waiting) return null;
      // Whoever ends hands its turn on, so `running` stays as it is.
      await new Promise<void>((resolve) => queue.push(resolve));
    } else running += 1;
    try {
      return await task();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
