/** Creates recovery codes. They come with the first factor of any kind. */
import { createHash, randomBytes } from 'node:crypto';
import type { Db } from '#src/platform/database/database.ts';
import { generateRecoveryCode, RECOVERY_CODE_BYTES, RECOVERY_CODES } from './recovery-code.ts';
import * as store from './store.ts';

export const hashRecoveryCode = (userId: string, code: string): Buffer =>
  createHash('sha256').update(`${userId}\0${code}`).digest();

export interface NewRecoveryCodes {
  readonly codes: readonly string[];
  readonly hashes: readonly Buffer[];
}

/** New recovery codes, which are not stored. */
export function generateRecoveryCodes(userId: string): NewRecoveryCodes {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    generateRecoveryCode([...randomBytes(RECOVERY_CODE_BYTES)]),
  );
  return { codes, hashes: codes.map((code) => hashRecoveryCode(userId, code)) };
}

/** Replaces all recovery codes of the account, and returns the new ones. */
export async function createRecoveryCodes(tx: Db, userId: string): Promise<readonly string[]> {
  const { codes, hashes } = generateRecoveryCodes(userId);
  await store.replaceRecoveryCodes(tx, userId, hashes);
  return codes;
}
