/** Passkeys of the team, as a second factor beside the authenticator app. */
import { randomBytes } from 'node:crypto';
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
import type { AssertionJson, RegistrationJson, RelyingParty } from '#src/platform/security/webauthn.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { LoginClient } from '../login.service.ts';
import type { ConfirmedWith } from '../factor-change.ts';
import { RefusedError } from './attempts.service.ts';
import type { AttemptResult, Attempts, OwnSession, PendingLoginResult } from './attempts.service.ts';
import type { ChangeOutcome, ChangingMember, FactorChanges } from './changes.service.ts';
import { markFactorConfirmed } from './changes.store.ts';
import type { PasskeyTransport } from './passkey-transport.ts';
import * as passkeyStore from './passkeys.store.ts';
import type { ChallengeOwner } from './passkeys.store.ts';
import * as pendingLogins from '../pending-logins.store.ts';
import * as store from './store.ts';

const CHALLENGE_BYTES = 32;

export interface PasskeysOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly attempts: Attempts;
  readonly changes: FactorChanges;
  /** Origin of the public URL. */
  readonly origin: string;
  readonly getShopName: () => string;
}

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
  async start(member: Pick<Identity, 'userId' | 'sessionId' | 'username'>) {
    const { db, attempts, changes } = this.#options;
    const { userId, sessionId, username } = member;
    // Refused here already, so that nobody creates a passkey for nothing.
    const allowed = await attempts.run(userId, (tx) => changes.authorise(tx, member));
    if (!allowed.ok) return allowed;
    const known = await passkeyStore.listPasskeys(db, userId);
    const challenge = await this.#issueChallenge({ sessionId });
    const options = challenge && describeCreation({ party: this.#party, challenge, userId, username, known });
    return { ok: true, value: options } as const;
  }

  /** Adds the created passkey. */
  async add(member: ChangingMember, { name, credential }: AddedPasskey): Promise<AttemptResult<ChangeOutcome>> {
    const { db, clock, attempts, changes } = this.#options;
    const { userId, sessionId } = member;
    const challenge = await passkeyStore.consumeChallenge(db, { sessionId }, clock.now());
    if (challenge === null) return { ok: false, reason: 'challenge-expired' };
    const created = await verifyCreation(this.#party, challenge, credential);
    if (created === null) return { ok: false, reason: 'wrong-passkey' };
    const passkey = { ...created, name, transports: credential.response.transports ?? [] };
    return attempts.run(userId, (tx) => changes.perform(tx, member, { kind: 'add-passkey', passkey }));
  }

  /** Removes a passkey of the account. */
  remove(member: ChangingMember, passkeyId: string): Promise<AttemptResult<ChangeOutcome>> {
    const { attempts, changes } = this.#options;
    return attempts.run(member.userId, async (tx) => {
      const isOwn = (await passkeyStore.listPasskeys(tx, member.userId)).some(({ id }) => id === passkeyId);
      if (!isOwn) throw new RefusedError('not-found');
      return changes.perform(tx, member, { kind: 'remove-passkey', passkeyId });
    });
  }

  // ---- changes

  /** What a session can confirm a passkey with. Null: there is none. */
  async startVerification({ userId, sessionId }: Pick<Identity, 'userId' | 'sessionId'>) {
    const known = await passkeyStore.listPasskeys(this.#options.db, userId);
    const challenge = known.length === 0 ? null : await this.#issueChallenge({ sessionId });
    return challenge && describeAssertion(this.#party, challenge, known);
  }

  /** Uses a passkey, so that the session can make changes. */
  async verify(session: OwnSession, credential: AssertionJson): Promise<AttemptResult<null>> {
    const { attempts, clock } = this.#options;
    const { userId, sessionId } = session;
    return attempts.guessAfter(session, async () => {
      const markUsed = await this.#check(userId, { sessionId }, credential);
      return async (tx) => {
        await markUsed(tx);
        await markFactorConfirmed(tx, sessionId, clock.now());
        return null;
      };
    });
  }

  // ---- login

  /** What a pending login can be completed with. Null if it has ended. @param pendingToken value of its cookie */
  async startLogin(pendingToken: string | null) {
    const { db, clock } = this.#options;
    const loginHash = pendingToken === null ? null : hashToken(pendingToken);
    const userId = loginHash && (await pendingLogins.findPendingLogin(db, loginHash, clock.now()));
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
    return this.#options.attempts.completeLogin(pendingToken, client, ({ userId, tokenHash }) =>
      this.#check(userId, { loginHash: tokenHash }, credential),
    );
  }

  // ---- shared

  /** Uses the challenge of a session or login, in no transaction: it is used whatever the result. */
  async #check(userId: string, owner: ChallengeOwner, credential: AssertionJson) {
    const { db, clock } = this.#options;
    const challenge = await passkeyStore.consumeChallenge(db, owner, clock.now());
    if (challenge === null) throw new RefusedError('challenge-expired');
    const id = Buffer.from(credential.id, 'base64url');
    const passkey = (await passkeyStore.listPasskeys(db, userId)).find(({ credentialId }) => credentialId.equals(id));
    const counter = passkey ? await verifyAssertion(this.#party, challenge, credential, passkey) : null;
    if (!passkey || counter === null) throw new RefusedError('wrong-passkey');
    return async (tx: Db): Promise<ConfirmedWith> => {
      if (!(await passkeyStore.markUsed(tx, passkey.id, counter, clock.now()))) throw new RefusedError('wrong-passkey');
      return 'factor';
    };
  }

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
}
