/**
 * Encrypts backups with a passphrase. A file begins with a line of text that names the format and how the key is
 * derived (argon2id); pieces of 64 KiB follow, each sealed with AES-256-GCM. The nonce holds the position of a piece
 * and whether it is the last one, so no piece can be changed, moved, removed or left out at the end.
 */
import { argon2, createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { DatabaseRefusedError } from './database-refused-error.ts';

const NAME = 'crypto-market encrypted backup 1';
const HEADER = /^crypto-market encrypted backup 1 argon2id m=(\d{1,7}) t=(\d{1,2}) p=(\d) salt=([A-Za-z0-9_-]{22})\n$/;
const MAX_HEADER_BYTES = 200;
const CIPHER = 'aes-256-gcm';
const SALT_BYTES = 16;
const KEY_BYTES = 32;
const TAG_BYTES = 16;
const NONCE_BYTES = 12;
const PIECE_BYTES = 65_536;
const SEALED_BYTES = PIECE_BYTES + TAG_BYTES;

interface Cost {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}
/** About a third of a second and 64 MiB: a backup is encrypted rarely, and attacked without a limit of attempts. */
const COST: Cost = { memory: 65_536, passes: 3, parallelism: 1 };
/** A file must not make a restore take all memory. */
const MAX_MEMORY_KIB = 1_048_576;

function deriveKey(passphrase: string, salt: Buffer, cost: Cost): Promise<Buffer> {
  // Other keyboards and systems may encode the same characters differently.
  const parameters = { message: passphrase.normalize('NFKC'), nonce: salt, tagLength: KEY_BYTES, ...cost };
  return new Promise((resolve, reject) => {
    argon2('argon2id', parameters, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

function createNonce(position: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUInt32BE(position, NONCE_BYTES - 5);
  nonce[NONCE_BYTES - 1] = isLast ? 1 : 0;
  return nonce;
}

/** Encrypts files with one key. */
export interface BackupCipher {
  readonly encrypt: (plain: AsyncIterable<Uint8Array>) => AsyncGenerator<Buffer>;
}

/** Derives the key of a new file. Use it once. */
export async function createBackupCipher(passphrase: string): Promise<BackupCipher> {
  const salt = randomBytes(SALT_BYTES);
  const key = await deriveKey(passphrase, salt, COST);
  const { memory, passes, parallelism } = COST;
  const header = Buffer.from(
    `${NAME} argon2id m=${memory} t=${passes} p=${parallelism} salt=${salt.toString('base64url')}\n`,
  );
  const seal = (piece: Buffer, position: number, isLast: boolean): Buffer => {
    const cipher = createCipheriv(CIPHER, key, createNonce(position, isLast)).setAAD(header);
    return Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()]);
  };
  return {
    encrypt: async function* encrypt(plain) {
      yield header;
      let position = 0;
      let rest = Buffer.alloc(0);
      for await (const bytes of plain) {
        rest = Buffer.concat([rest, bytes]);
        // The last piece is written at the end, when it is known to be the last.
        for (; rest.length > PIECE_BYTES; rest = rest.subarray(PIECE_BYTES)) {
          yield seal(rest.subarray(0, PIECE_BYTES), position++, false);
        }
      }
      yield seal(rest, position, true);
    },
  };
}

/** Whether a file, of which these are the first bytes, was encrypted here. */
export const isEncryptedBackup = (start: Buffer): boolean => start.subarray(0, NAME.length).toString('latin1') === NAME;

const createUnreadable = (): DatabaseRefusedError =>
  new DatabaseRefusedError('The passphrase is wrong, or this backup is damaged or truncated. Nothing was restored.');

function readHeader(line: Buffer): { readonly cost: Cost; readonly salt: Buffer } {
  const [, memory, passes, parallelism, salt] = HEADER.exec(line.toString('latin1')) ?? [];
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const isUsable = cost.memory >= 8 * cost.parallelism && cost.memory <= MAX_MEMORY_KIB;
  if (salt === undefined || !isUsable || cost.passes < 1 || cost.parallelism < 1) throw createUnreadable();
  return { cost, salt: Buffer.from(salt, 'base64url') };
}

/** Decrypts a file. @throws DatabaseRefusedError for another passphrase, and at the first piece that was changed */
export async function* decryptBackup(sealed: AsyncIterable<Uint8Array>, passphrase: string): AsyncGenerator<Buffer> {
  let open: ((piece: Buffer, isLast: boolean) => Buffer) | null = null;
  let rest = Buffer.alloc(0);
  for await (const bytes of sealed) {
    rest = Buffer.concat([rest, bytes]);
    if (open === null) {
      const end = rest.indexOf('\n') + 1;
      if (end === 0 && rest.length <= MAX_HEADER_BYTES) continue;
      open = await createOpener(rest.subarray(0, end), passphrase);
      rest = rest.subarray(end);
    }
    for (; rest.length > SEALED_BYTES; rest = rest.subarray(SEALED_BYTES)) {
      yield open(rest.subarray(0, SEALED_BYTES), false);
    }
  }
  if (open === null) throw createUnreadable();
  yield open(rest, true);
}

async function createOpener(header: Buffer, passphrase: string): Promise<(piece: Buffer, isLast: boolean) => Buffer> {
  const { cost, salt } = readHeader(header);
  const key = await deriveKey(passphrase, salt, cost);
  let position = 0;
  return (piece, isLast) => {
    if (piece.length < TAG_BYTES) throw createUnreadable();
    const decipher = createDecipheriv(CIPHER, key, createNonce(position++, isLast), { authTagLength: TAG_BYTES });
    decipher.setAAD(header).setAuthTag(piece.subarray(-TAG_BYTES));
    try {
      return Buffer.concat([decipher.update(piece.subarray(0, -TAG_BYTES)), decipher.final()]);
    } catch {
      throw createUnreadable();
    }
  };
}
