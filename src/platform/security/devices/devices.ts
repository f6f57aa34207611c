/**
 * Recognises browsers that signed in to an account before, by a signed cookie. Limits count such a
 * browser separately, so that strangers who fail cannot lock an account's owner out. The cookie does
 * not prove an identity.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Db } from '#src/platform/database/database.ts';
import { findOrInsertSecret } from './store.ts';

/** Two subjects for each of five accounts. */
const MAX_ENTRIES = 10;
const ENTRY = /^([\w-]{22})\.([\w-]{43})$/;
export const DEVICE_COOKIE_SECONDS = 400 * 24 * 60 * 60;

/** `__Host-` binds the cookie to this host. Browsers accept it over https only. */
export const getDeviceCookieName = (isHttps: boolean): string => (isHttps ? '__Host-device' : 'device');

export class Devices {
  readonly #key: Buffer;

  /** @param key 256 random bits that only the shop has */
  constructor(key: Buffer) {
    this.#key = key;
  }

  /**
   * Id of the device for a subject. Null if the cookie has no valid signature for it.
   * @param subject an account, by its id or its address
   */
  findDeviceId(cookie: string | null, subject: string): string | null {
    const found = parseEntries(cookie).find(({ id, signature }) => timingSafeEqual(this.#sign(id, subject), signature));
    return found?.id ?? null;
  }

  /** Adds these subjects to the device cookie. The id of the device stays the same. */
  issueCookie(cookie: string | null, subjects: readonly string[]): string {
    const known = subjects.map((subject) => this.findDeviceId(cookie, subject)).find((id) => id !== null);
    const id = known ?? randomBytes(16).toString('base64url');
    const added = subjects.map((subject) => `${id}.${this.#sign(id, subject).toString('base64url')}`);
    const before = parseEntries(cookie).map(({ text }) => text);
    return [...new Set([...added, ...before])].slice(0, MAX_ENTRIES).join('~');
  }

  #sign(id: string, subject: string): Buffer {
    return createHmac('sha256', this.#key).update(`device\0${id}\0${subject}`).digest();
  }
}

interface Entry {
  readonly text: string;
  readonly id: string;
  readonly signature: Buffer;
}

function parseEntries(cookie: string | null): Entry[] {
  return (cookie ?? '')
    .slice(0, 1000)
    .split('~')
    .slice(0, MAX_ENTRIES)
    .flatMap((text) => {
      const [, id = '', signature = ''] = ENTRY.exec(text) ?? [];
      return id === '' ? [] : [{ text, id, signature: Buffer.from(signature, 'base64url') }];
    });
}

/** @param generation counts up when the devices of the account are forgotten */
export const formatAccountSubject = (userId: string, generation = 0): string =>
  generation === 0 ? `account:${userId}` : `account:${userId}:${generation}`;
export const formatAddressSubject = (emailKey: string): string => `address:${emailKey}`;

/** Opens the devices with the key of the database. The first process creates it. */
export async function openDevices(db: Db): Promise<Devices> {
  return new Devices(await findOrInsertSecret(db, 'device-cookie', randomBytes(32)));
}
