/**
 * Changes of the second factors of an account. With a factor, a password and a session are not enough: the
 * app or a passkey must have been used in the session just before. A recovery code is accepted instead, but
 * the change then waits for a day, in which the owner of the account can cancel it.
 */
import { v7 as uuidv7 } from 'uuid';
import type { Clock } from '#src/platform/process/clock.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Identity } from '#src/platform/http/call.ts';
import type { Mails, MailToEnqueue } from '#src/platform/mail/mails.ts';
import { hashToken, issueToken } from '#src/platform/security/tokens.ts';
import type { Actor } from '#src/shop/audit-log/actor.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import type { MailKind } from '#src/shop/mail-kinds.ts';
import type { NoticeKind } from '../profile/notice-kind.ts';
import type { Profile } from '../profile/service.ts';
import { RefusedError } from './attempts.service.ts';
import * as changeStore from './changes.store.ts';
import type { FactorChange, NewPasskey, PendingChange } from './changes.store.ts';
import { hasFactor } from '../has-factor.store.ts';
import * as passkeyStore from './passkeys.store.ts';
import { createRecoveryCodes } from './recovery-codes.service.ts';
import * as store from './store.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** How long a used factor, or recovery code, authorises changes. */
const CONFIRMED_MS = 10 * MINUTE_MS;
const DELAY_MS = DAY_MS;
/** Mails about a change also go to addresses that the account had so recently. */
const FORMER_ADDRESS_MS = 7 * DAY_MS;
export const MAX_PASSKEYS = 20;

/** Kind of the mail that this service enqueues; `issueLink` supplies its data. */
export const FACTOR_CHANGE_MAIL = 'second-factor-change';

export interface FactorChangesOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly mails: Pick<Mails<MailKind>, 'enqueue'>;
  readonly profile: Pick<Profile, 'endSessions' | 'sendNotice' | 'prepareNotice' | 'findContactOf'>;
}

export interface ChangingMember extends Pick<Identity, 'userId' | 'sessionId'> {
  readonly by: Actor;
}

export interface ChangeOutcome {
  /** New ones, if the first factor was added. */
  readonly recoveryCodes: readonly string[];
  /** Null: it has taken effect. */
  readonly takesEffectAt: Date | null;
}

/** @param noticeId of a former address; empty for the present one */
const createMail = (id: string, noticeId: string): MailToEnqueue<MailKind> => ({
  kind: FACTOR_CHANGE_MAIL,
  event: noticeId === '' ? `factor-change.${id}` : `factor-change.${id}.${noticeId}`,
  data: { id, notice: noticeId },
});

/** Recovery codes of a first factor; null if the change is not possible any more. */
type Applied = readonly string[] | null;

interface Applying {
  readonly userId: string;
  /** Session that stays; null for none. */
  readonly sessionId: string | null;
  readonly by: Actor;
}

export class FactorChanges {
  readonly #options: FactorChangesOptions;

  constructor(options: FactorChangesOptions) {
    this.#options = options;
  }

  /** The change that waits, and what the session has confirmed. */
  async find({ userId, sessionId }: Pick<Identity, 'userId' | 'sessionId'>) {
    const { db } = this.#options;
    return {
      pending: await changeStore.findChange(db, userId),
      confirmedWith: this.#readConfirmed(await changeStore.findSessionFactor(db, sessionId)),
    };
  }

  /**
   * Whether a change would take effect now or after a day. The account is locked.
   * @throws RefusedError if it is not allowed
   */
  async authorise(tx: Db, { userId, sessionId }: Pick<Identity, 'userId' | 'sessionId'>): Promise<'now' | 'later'> {
    if (await changeStore.findChange(tx, userId)) throw new RefusedError('change-pending');
    if (!(await hasFactor(tx, userId))) return 'now';
    const confirmed = this.#readConfirmed(await changeStore.findSessionFactor(tx, sessionId));
    if (confirmed === null) throw new RefusedError('factor-not-confirmed');
    return confirmed === 'factor' ? 'now' : 'later';
  }

  #readConfirmed({ confirmedAt, recoveryCodeUsedAt }: changeStore.SessionFactor): 'factor' | 'recovery-code' | null {
    const since = this.#options.clock.now().getTime() - CONFIRMED_MS;
    if (confirmedAt !== null && confirmedAt.getTime() > since) return 'factor';
    return recoveryCodeUsedAt !== null && recoveryCodeUsedAt.getTime() > since ? 'recovery-code' : null;
  }

  /**
   * Makes the change, or stores it to take effect after a day. The account is locked.
   * @throws RefusedError if it is not allowed or not possible
   */
  async perform(tx: Db, member: ChangingMember, change: FactorChange): Promise<ChangeOutcome> {
    const when = await this.authorise(tx, member);
    await this.#check(tx, member.userId, change);
    if (when === 'later') {
      return { recoveryCodes: [], takesEffectAt: await this.#store(tx, member, change) };
    }
    const recoveryCodes = await this.#apply(tx, member, change);
    if (recoveryCodes === null) throw new RefusedError('not-set-up');
    // Who has just set a factor up has it at hand.
    if (change.kind === 'add-app' || change.kind === 'add-passkey') {
      await changeStore.markFactorConfirmed(tx, member.sessionId, this.#options.clock.now());
    }
    return { recoveryCodes, takesEffectAt: null };
  }

  async #check(tx: Db, userId: string, change: FactorChange): Promise<void> {
    const isPossible = {
      'add-app': () => Promise.resolve(true),
      'remove-app': () => store.hasApp(tx, userId),
      'add-passkey': () => Promise.resolve(true),
      'remove-passkey': () => Promise.resolve(true),
      'replace-recovery-codes': () => hasFactor(tx, userId),
    }[change.kind];
    if (!(await isPossible())) throw new RefusedError('not-set-up');
    if (change.kind !== 'add-passkey') return;
    if ((await passkeyStore.listPasskeys(tx, userId)).length >= MAX_PASSKEYS) throw new RefusedError('too-many');
    const isRegistered = await passkeyStore.isRegistered(tx, change.passkey.credentialId);
    if (isRegistered) throw new RefusedError('already-registered');
  }

  // ---- changes that wait

  async #store(tx: Db, { userId, sessionId, by }: ChangingMember, change: FactorChange): Promise<Date> {
    const { clock, mails } = this.#options;
    const id = uuidv7();
    const requestedAt = clock.now();
    const takesEffectAt = new Date(requestedAt.getTime() + DELAY_MS);
    const isStored = await changeStore.insertChange(tx, { id, userId, requestedAt, takesEffectAt, change });
    if (!isStored) throw new RefusedError('change-pending');
    // One recovery code authorises one change.
    await changeStore.markRecoveryCodeUsed(tx, sessionId, null);
    await mails.enqueue(tx, [createMail(id, '')]);
    await this.#mailFormerAddresses(tx, { id, userId, requestedAt });
    await recordChange(tx, {
      at: requestedAt,
      by,
      action: 'account.second-factor-change-requested',
      subject: { kind: 'account', id: userId },
      before: null,
      after: { change: change.kind, takes_effect_at: takesEffectAt.toISOString() },
    });
    return takesEffectAt;
  }

  /**
   * Mails a change that waits to the address that the account had until now: the first mail may not have been sent
   * yet. Call it in the transaction that changes the address.
   */
  async onAddressChanged(tx: Db, userId: string): Promise<void> {
    const pending = await changeStore.findChange(tx, userId);
    if (pending) await this.#mailFormerAddresses(tx, pending);
  }

  /** Once to each address. */
  async #mailFormerAddresses(
    tx: Db,
    { id, userId, requestedAt }: Pick<PendingChange, 'id' | 'userId' | 'requestedAt'>,
  ): Promise<void> {
    const since = new Date(requestedAt.getTime() - FORMER_ADDRESS_MS);
    const former = await changeStore.listFormerAddresses(tx, userId, since);
    await this.#options.mails.enqueue(
      tx,
      former.map((noticeId) => createMail(id, noticeId)),
    );
  }

  /** Data of a mail about a change that waits; null if it does not any more. @param noticeId of a former address */
  async issueLink(id: string, noticeId: string | null) {
    const { db, profile } = this.#options;
    const pending = await changeStore.findChangeById(db, id);
    const notice = noticeId === null ? null : await profile.prepareNotice(noticeId);
    const contact = pending && (await profile.findContactOf(pending.userId));
    if (!pending || !contact || (noticeId !== null && notice === null)) return null;
    const { token, hash } = issueToken();
    if (!(await changeStore.addToken(db, id, hash))) return null;
    const recipient = notice === null ? contact : { ...contact, email: notice.recipient, isConfirmed: true };
    const { change, takesEffectAt } = pending;
    return { ...recipient, kind: change.kind, takesEffectAt, token };
  }

  /** Cancels the change of the account that waits. False if none does. */
  async cancel(userId: string, by: Actor): Promise<boolean> {
    const pending = await changeStore.findChange(this.#options.db, userId);
    return pending !== null && this.#cancel(pending, by);
  }

  /** Cancels the change of a link in a mail. Returns the account; null if the link is not valid any more. */
  async cancelByLink(token: string, client: { readonly ip: string; readonly userAgent: string | null }) {
    const tokenHash = hashToken(token);
    const change = tokenHash && (await changeStore.findChangeByToken(this.#options.db, tokenHash));
    if (!change) return null;
    const { userId, username } = change;
    return (await this.#cancel(change, { kind: 'staff', userId, username, ...client })) ? userId : null;
  }

  #cancel({ id, userId }: Pick<PendingChange, 'id' | 'userId'>, by: Actor): Promise<boolean> {
    return transact(this.#options.db, async (tx) => {
      await store.lockAccount(tx, userId);
      const cancelled = await changeStore.takeChange(tx, id);
      if (cancelled === null) return false;
      await this.#recordCancelled(tx, cancelled, by);
      return true;
    });
  }

  async #recordCancelled(tx: Db, { userId, change }: PendingChange, by: Actor): Promise<void> {
    await this.#options.profile.sendNotice(tx, userId, 'factor-change-cancelled');
    await recordChange(tx, {
      at: this.#options.clock.now(),
      by,
      action: 'account.second-factor-change-cancelled',
      subject: { kind: 'account', id: userId },
      before: { change: change.kind },
      after: null,
    });
  }

  /** Makes the change that is due longest, once over all processes. Returns whether there was one. */
  async applyNext(): Promise<boolean> {
    const { db, clock, profile } = this.#options;
    const due = await changeStore.findDueChange(db, clock.now());
    if (due === null) return false;
    await transact(db, async (tx) => {
      await store.lockAccount(tx, due.userId);
      const pending = await changeStore.takeChange(tx, due.id);
      const contact = pending && (await profile.findContactOf(due.userId));
      if (!pending || !contact) return;
      const { userId, change } = pending;
      const by: Actor = { kind: 'staff', userId, username: contact.username, ip: null, userAgent: null };
      const applied = await this.#apply(tx, { userId, sessionId: null, by }, change);
      // Such as a passkey that another account has registered meanwhile.
      if (applied === null) await this.#recordCancelled(tx, pending, by);
    });
    return true;
  }

  // ---- the changes themselves

  #apply(tx: Db, applying: Applying, change: FactorChange): Promise<Applied> {
    switch (change.kind) {
      case 'add-app':
        return this.#addApp(tx, applying);
      case 'remove-app':
        return this.#removeApp(tx, applying);
      case 'add-passkey':
        return this.#addPasskey(tx, applying, change.passkey);
      case 'remove-passkey':
        return this.#removePasskey(tx, applying, change.passkeyId);
      case 'replace-recovery-codes':
        return this.#replaceRecoveryCodes(tx, applying, change.codeHashes);
      default:
        return change satisfies never;
    }
  }

  async #addApp(tx: Db, { userId, sessionId, by }: Applying): Promise<Applied> {
    const { clock, profile } = this.#options;
    const isFirst = !(await hasFactor(tx, userId));
    if (!(await store.markConfirmed(tx, userId, clock.now()))) return null;
    await profile.endSessions(tx, userId, sessionId);
    await this.#finish(tx, { userId, by }, 'second-factor-added', { second_factor: false }, { second_factor: true });
    return isFirst ? createRecoveryCodes(tx, userId) : [];
  }

  async #removeApp(tx: Db, { userId, by }: Applying): Promise<Applied> {
    if (!(await store.deleteApp(tx, userId))) return null;
    await this.#deleteUselessCodes(tx, userId);
    await this.#finish(tx, { userId, by }, 'second-factor-removed', { second_factor: true }, { second_factor: false });
    return [];
  }

  async #addPasskey(tx: Db, { userId, sessionId, by }: Applying, passkey: NewPasskey): Promise<Applied> {
    const { clock, profile } = this.#options;
    const isFirst = !(await hasFactor(tx, userId));
    const row = { id: uuidv7(), userId, createdAt: clock.now(), ...passkey };
    if (!(await passkeyStore.insertPasskey(tx, row))) return null;
    // Sessions from before the second factor end.
    if (isFirst) await profile.endSessions(tx, userId, sessionId);
    await this.#finish(tx, { userId, by }, 'passkey-added', null, { passkey: passkey.name });
    return isFirst ? createRecoveryCodes(tx, userId) : [];
  }

  async #removePasskey(tx: Db, { userId, by }: Applying, passkeyId: string): Promise<Applied> {
    const name = await passkeyStore.deletePasskey(tx, userId, passkeyId);
    if (name === null) return null;
    await this.#deleteUselessCodes(tx, userId);
    await this.#finish(tx, { userId, by }, 'passkey-removed', { passkey: name }, null);
    return [];
  }

  async #replaceRecoveryCodes(tx: Db, { userId, by }: Applying, hashes: readonly Buffer[]): Promise<Applied> {
    if (!(await hasFactor(tx, userId))) return null;
    await store.replaceRecoveryCodes(tx, userId, hashes);
    const state = { second_factor: true };
    await this.#finish(tx, { userId, by }, 'recovery-codes-replaced', state, state);
    return [];
  }

  /** Recovery codes end with the last factor. */
  async #deleteUselessCodes(tx: Db, userId: string): Promise<void> {
    if (!(await hasFactor(tx, userId))) await store.deleteRecoveryCodes(tx, userId);
  }

  async #finish(
    tx: Db,
    { userId, by }: Pick<Applying, 'userId' | 'by'>,
    change: NoticeKind,
    before: Readonly<Record<string, boolean | string>> | null,
    after: Readonly<Record<string, boolean | string>> | null,
  ): Promise<void> {
    await this.#options.profile.sendNotice(tx, userId, change);
    const subject = { kind: 'account', id: userId } as const;
    await recordChange(tx, { at: this.#options.clock.now(), by, action: `account.${change}`, subject, before, after });
  }
}
