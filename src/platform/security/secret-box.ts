/** Encrypts small secrets for the database with AES-256-GCM and a key of the shop. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Db } from '#src/platform/database/database.ts';
import { findOrInsertSecret } from './devices/store.ts';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export class SecretBox {
  readonly #key: Buffer;

  /** @param key 256 random bits */
  constructor(key: Buffer) {
    this.#key = key;
  }

  /** @param context what the secret belongs to; it opens with the same context only */
  seal(secret: Uint8Array, context: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#key, nonce).setAAD(Buffer.from(context));
    return Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
  }

  /** Throws if the text was changed, or sealed with another key or context. */
  open(sealed: Uint8Array, context: string): Buffer {
    const bytes = Buffer.from(sealed);
    const decipher = createDecipheriv(ALGORITHM, this.#key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  }
}

/** The box of the shop, with the same key in every process. */
export const openSecretBox = async (db: Db): Promise<SecretBox> =>
  new SecretBox(await findOrInsertSecret(db, 'secret-box', randomBytes(32)));
