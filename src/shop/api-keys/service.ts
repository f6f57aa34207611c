/** API keys, with which other systems make the staff calls of their scopes. */
import { v7 as uuidv7 } from 'uuid';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Identity } from '#src/platform/http/call.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import { hashApiKey, issueApiKey } from '#src/platform/security/api-key-token.ts';
import type { ApiKeyMode } from '#src/platform/security/api-key-token.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import type { ApiKey } from './contract.ts';
import { listPermittedCalls, pickScopes } from './scope.ts';
import type { Scope } from './scope.ts';
import * as store from './store.ts';
import type { ApiKeyRow } from './store.ts';

const DAY_MS = 86_400_000;
const TOUCH_MS = 60_000;
const MAX_ACTIVE = 50;
const MAX_LISTED = 200;

export interface ApiKeysOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly mode: ApiKeyMode;
}

export interface NewApiKey {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresInDays: number | null;
}

export class ApiKeys {
  readonly #options: ApiKeysOptions;

  constructor(options: ApiKeysOptions) {
    this.#options = options;
  }

  /** The newest first; revoked ones last. */
  async list() {
    const { clock, db } = this.#options;
    const now = clock.now();
    return (await store.listKeys(db, MAX_LISTED)).map((row) => show(row, now));
  }

  /** The key is returned once. Null if there are too many. */
  async create({ name, scopes, expiresInDays }: NewApiKey, by: StaffActor) {
    const { clock, db, mode } = this.#options;
    const { key, hash, hint } = issueApiKey(mode);
    const [id, createdAt] = [uuidv7(), clock.now()];
    const expiresAt = expiresInDays === null ? null : new Date(createdAt.getTime() + expiresInDays * DAY_MS);
    const isCreated = await transact(db, async (tx) => {
      const row = { id, name, hash, hint, scopes, createdBy: by.userId, createdAt, expiresAt };
      if (!(await store.insertKey(tx, row, MAX_ACTIVE))) return false;
      await recordChange(tx, {
        at: createdAt,
        by,
        action: 'api_key.created',
        subject: { kind: 'api-key', id, name },
        before: null,
        after: { name, scopes, expires_at: expiresAt },
      });
      return true;
    });
    const created = isCreated ? await store.findKey(db, id) : null;
    return created && { apiKey: show(created, createdAt), key };
  }

  /** False if there is no such key, or if it was revoked before. */
  revoke(id: string, by: StaffActor): Promise<boolean> {
    const { clock, db } = this.#options;
    const at = clock.now();
    return transact(db, async (tx) => {
      if (!(await store.revokeKey(tx, id, at))) return false;
      const name = (await store.findKey(tx, id))?.name ?? '';
      const change = { before: { revoked_at: null }, after: { revoked_at: at } };
      await recordChange(tx, { at, by, action: 'api_key.revoked', subject: { kind: 'api-key', id, name }, ...change });
      return true;
    });
  }

  /** Null for an unknown, expired or revoked key, and for one whose creator is no owner any more. */
  async identify(key: string): Promise<Identity | null> {
    const { clock, db, mode } = this.#options;
    const hash = hashApiKey(key, mode);
    const now = clock.now();
    const found = hash && (await store.findValidKey(db, hash, now));
    if (found === null) return null;
    const { id, name, userId, username, lastUsedAt } = found;
    const since = new Date(now.getTime() - TOUCH_MS);
    if (lastUsedAt === null || lastUsedAt <= since) await store.touchKey(db, id, now, since);
    const scopes = pickScopes(found.scopes);
    const calls = listPermittedCalls(scopes);
    const owned: ReadonlySet<string> = new Set(scopes);
    return {
      // A key has no session.
      sessionId: id,
      userId,
      username,
      role: 'owner',
      isStaff: true,
      apiKey: { id, name, allows: (call) => calls.has(call), hasScope: (scope) => owned.has(scope) },
    };
  }
}

function findState({ revokedAt, expiresAt, isOwnerPresent }: ApiKeyRow, now: Date): ApiKey['state'] {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt !== null && expiresAt <= now) return 'expired';
  return isOwnerPresent ? 'active' : 'owner-left';
}

const show = (row: ApiKeyRow, now: Date) => ({
  id: row.id,
  name: row.name,
  hint: row.hint,
  scopes: pickScopes(row.scopes),
  created_by: row.createdBy,
  created_at: row.createdAt,
  expires_at: row.expiresAt,
  revoked_at: row.revokedAt,
  last_used_at: row.lastUsedAt,
  state: findState(row, now),
});
