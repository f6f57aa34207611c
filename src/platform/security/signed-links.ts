/**
 * Links that prove that the reader got a mail of the shop: an id with a signature for one purpose. Nothing is stored, so
 * every copy of a mail has the same link, and it has no end.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Db } from '#src/platform/database/database.ts';
import { findOrInsertSecret } from './devices/store.ts';

const TOKEN = /^([\w-]{22})\.([\w-]{43})$/;

export class SignedLinks {
  readonly #key: Buffer;

  /** @param key 256 random bits that only the shop has */
  constructor(key: Buffer) {
    this.#key = key;
  }

  /** Token for a uuid: 66 characters of base64url and a dot. */
  sign(purpose: string, id: string): string {
    const bytes = Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
    return `${bytes}.${this.#createSignature(purpose, bytes).toString('base64url')}`;
  }

  /** The uuid of a token; null if the shop did not sign it for this purpose. */
  read(purpose: string, token: string): string | null {
    const [, bytes = '', signature = ''] = TOKEN.exec(token) ?? [];
    if (bytes === '') return null;
    if (!timingSafeEqual(this.#createSignature(purpose, bytes), Buffer.from(signature, 'base64url'))) return null;
    const hex = Buffer.from(bytes, 'base64url').toString('hex');
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }

  #createSignature(purpose: string, bytes: string): Buffer {
    return createHmac('sha256', this.#key).update(`${purpose}\0${bytes}`).digest();
  }
}

/** Opens the links with the key of the database. The first process creates it. */
export async function openSignedLinks(db: Db): Promise<SignedLinks> {
  return new SignedLinks(await findOrInsertSecret(db, 'signed-links', randomBytes(32)));
}
