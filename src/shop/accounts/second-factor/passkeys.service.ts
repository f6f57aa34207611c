/** Passkeys of the team, as a second factor beside the authenticator app. */
import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Identity } from '#src/platform/http/call.ts';
import { hashToken } from '#src/platform/security/tokens.ts';
import {
  CHALLENGE_SECONDS,
  describeAssertion,
  describeCreation,
  verifyAssertion,
  verifyCreation,
} from '#src/platform/security/webauthn.ts';
import type { AssertionJson, RegistrationJson, RelyingParty, StoredPasskey } from '#src/platform/security/webauthn.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { Actor } from '#src/shop/audit-log/actor.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import type { Profile } from '../profile/service.ts';
import type { LoginClient } from '../service.ts';
import { RefusedError } from './attempts.service.ts';
import type { Attempts, CodeResult, PendingLogin, PendingLoginResult } from './attempts.service.ts';
import { hasFactor } from './has-factor.store.ts';
import type { PasskeyTransport } from './passkey-transport.ts';
import * as passkeyStore from './passkeys.store.ts';
import type { ChallengeOwner } from './passkeys.store.ts';
import { createRecoveryCodes } from './recovery-codes.service.ts';
import * as store from './store.ts';

const CHALLENGE_BYTES = 32;
export const MAX_PASSKEYS = 20;

export interface PasskeysOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly profile: Pick<Profile, 'endSessions' | 'sendNotice'>;
  readonly attempts: Attempts;
  /** Origin of the public URL. */
  readonly origin: string;
  readonly getShopName: () => string;
}

type OwnSession = Pick<Identity, 'userId' | 'sessionId'>;

export interface AddedPasskey {
  readonly name: string;
  readonly credential: RegistrationJson & {
    readonly response: { readonly transports?: readonly PasskeyTransport[] | undefined };
  };
}

export class Passkeys {
  readonly #options: PasskeysOptions;

  constructor(options: PasskeysOptions) {
    this.#options = options;
  }

  // ---- the own passkeys

  /** Options for the browser to create a passkey. Null if the session has ended. */
  async start({ userId, sessionId, username }: Pick<Identity, 'userId' | 'sessionId' | 'username'>) {
    const { db } = this.#options;
    const known = await passkeyStore.listPasskeys(db, userId);
    const challenge = await this.#issueChallenge({ sessionId });
    return challenge && describeCreation({ party: this.#party, challenge, userId, username, known });
  }

  /** Adds the created passkey. Returns recovery codes if it is the first factor, else none. */
  async add({ userId, sessionId }: OwnSession, { name, credential }: AddedPasskey, by: Actor): Promise<CodeResult> {
    const { db, clock } = this.#options;
    const challenge = await passkeyStore.consumeChallenge(db, { sessionId }, clock.now());
    if (challenge === null) return { ok: false, reason: 'challenge-expired' };
    const created = await verifyCreation(this.#party, challenge, credential);
    if (created === null) return { ok: false, reason: 'wrong-passkey' };
    const transports = credential.response.transports ?? [];
    try {
      const recoveryCodes = await transact(db, async (tx) => {
        await store.lockAccount(tx, userId);
        const isFirst = !(await hasFactor(tx, userId));
        await this.#insert(tx, userId, { ...created, name, transports });
        return this.#finishAdding(tx, { userId, sessionId, name, by, isFirst });
      });
      return { ok: true, recoveryCodes };
    } catch (error) {
      if (error instanceof RefusedError) return { ok: false, reason: error.reason };
      throw error;
    }
  }

  async #insert(
    tx: Db,
    userId: string,
    passkey: StoredPasskey & { readonly name: string; readonly transports: readonly PasskeyTransport[] },
  ): Promise<void> {
    if ((await passkeyStore.listPasskeys(tx, userId)).length >= MAX_PASSKEYS) throw new RefusedError('too-many');
    const row = { id: uuidv7(), userId, createdAt: this.#options.clock.now(), ...passkey };
    if (!(await passkeyStore.insertPasskey(tx, row))) throw new RefusedError('already-registered');
  }

  async #finishAdding(
    tx: Db,
    { userId, sessionId, name, by, isFirst }: OwnSession & { name: string; by: Actor; isFirst: boolean },
  ): Promise<readonly string[]> {
    const { profile } = this.#options;
    // Sessions from before the second factor end.
    if (isFirst) await profile.endSessions(tx, userId, sessionId);
    await profile.sendNotice(tx, userId, 'passkey-added');
    const recoveryCodes = isFirst ? await createRecoveryCodes(tx, userId) : [];
    await this.#record(tx, { userId, by, action: 'account.passkey-added', before: null, after: { passkey: name } });
    return recoveryCodes;
  }

  /** Removes a passkey of the account. Recovery codes end with the last factor. False if there is none with this id. */
  remove(userId: string, id: string, by: Actor): Promise<boolean> {
    const { db, profile } = this.#options;
    return transact(db, async (tx) => {
      await store.lockAccount(tx, userId);
      const name = await passkeyStore.deletePasskey(tx, userId, id);
      if (name === null) return false;
      if (!(await hasFactor(tx, userId))) await store.deleteRecoveryCodes(tx, userId);
      await profile.sendNotice(tx, userId, 'passkey-removed');
      await this.#record(tx, { userId, by, action: 'account.passkey-removed', before: { passkey: name }, after: null });
      return true;
    });
  }

  // ---- login

  /** What a pending login can be completed with. Null if it has ended. @param pendingToken value of its cookie */
  async startLogin(pendingToken: string | null) {
    const { db, clock } = this.#options;
    const loginHash = pendingToken === null ? null : hashToken(pendingToken);
    const userId = loginHash && (await store.findPendingLogin(db, loginHash, clock.now()));
    if (!loginHash || !userId) return null;
    const { confirmedAt } = await store.findFactorState(db, userId);
    const known = await passkeyStore.listPasskeys(db, userId);
    const challenge = known.length === 0 ? null : await this.#issueChallenge({ loginHash });
    return {
      has_app: confirmedAt !== null,
      passkey_options: challenge && describeAssertion(this.#party, challenge, known),
    };
  }

  /** Completes a pending login. @param pendingToken value of its cookie */
  completeLogin(
    pendingToken: string | null,
    credential: AssertionJson,
    client: LoginClient,
  ): Promise<PendingLoginResult> {
    return this.#options.attempts.completeLogin(pendingToken, client, (login) => this.#check(login, credential));
  }

  async #check({ userId, tokenHash }: PendingLogin, credential: AssertionJson) {
    const { db, clock } = this.#options;
    const challenge = await passkeyStore.consumeChallenge(db, { loginHash: tokenHash }, clock.now());
    if (challenge === null) throw new RefusedError('challenge-expired');
    const id = Buffer.from(credential.id, 'base64url');
    const passkey = (await passkeyStore.listPasskeys(db, userId)).find(({ credentialId }) => credentialId.equals(id));
    const counter = passkey ? await verifyAssertion(this.#party, challenge, credential, passkey) : null;
    if (!passkey || counter === null) throw new RefusedError('wrong-passkey');
    return async (tx: Db): Promise<boolean> => {
      if (!(await passkeyStore.markUsed(tx, passkey.id, counter, clock.now()))) throw new RefusedError('wrong-passkey');
      return false;
    };
  }

  // ---- shared

  get #party(): RelyingParty {
    const { origin, getShopName } = this.#options;
    return { origin, name: getShopName() || 'Shop' };
  }

  /** Null if the session or login has ended. */
  async #issueChallenge(owner: ChallengeOwner): Promise<Buffer | null> {
    const { db, clock } = this.#options;
    const challenge = randomBytes(CHALLENGE_BYTES);
    const expiresAt = new Date(clock.now().getTime() + CHALLENGE_SECONDS * 1000);
    return (await passkeyStore.saveChallenge(db, owner, { challenge, expiresAt })) ? challenge : null;
  }

  #record(
    tx: Db,
    {
      userId,
      ...change
    }: {
      readonly userId: string;
      readonly by: Actor;
      readonly action: string;
      readonly before: { readonly passkey: string } | null;
      readonly after: { readonly passkey: string } | null;
    },
  ): Promise<void> {
    const subject = { kind: 'account', id: userId } as const;
    return recordChange(tx, { at: this.#options.clock.now(), subject, ...change });
  }
}
