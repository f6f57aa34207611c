/** What staff do with contact messages. Answers are mails, enqueued in the transaction that stores them. */
import { v7 as uuidv7 } from 'uuid';
import type { Clock } from '#src/platform/process/clock.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Mails } from '#src/platform/mail/mails.ts';
import { toRowRange } from '#src/shop/list-pages.ts';
import { getActorId } from '#src/shop/audit-log/actor.ts';
import type { Actor } from '#src/shop/audit-log/actor.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import type { MailKind } from '#src/shop/mail-kinds.ts';
import * as store from './inbox.store.ts';
import type { ContactState, InboxQuery, StoredMessage } from './inbox.store.ts';

export const ANSWER_MAIL = 'contact-answer';

/** Deduplication key of the mail of an answer. */
const getAnswerMailEvent = (answerId: string): string => `${ANSWER_MAIL}.${answerId}`;

export interface InboxOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly mails: Pick<Mails<MailKind>, 'enqueue' | 'eraseContentOf'>;
  /** Called in the transaction that deletes a message. */
  readonly onDeleted: (tx: Db, messageId: string) => Promise<void>;
}

export type AnswerResult =
  | { readonly ok: true; readonly message: StoredMessage }
  | { readonly ok: false; readonly reason: 'not-found' | 'answered-meanwhile' | 'spam' };

export class ContactInbox {
  readonly #options: InboxOptions;

  constructor(options: InboxOptions) {
    this.#options = options;
  }

  /** Newest first, with the number of new messages. */
  async list(filter: Pick<InboxQuery, 'state' | 'q'>, page: number) {
    const { db } = this.#options;
    const place = toRowRange(page);
    const { messages, total, hasMore } = await store.listMessages(db, { ...filter, ...place });
    return { messages, total, has_more: hasMore, page, ...(await store.countMessages(db)) };
  }

  find(id: string): Promise<StoredMessage | null> {
    return store.findMessage(this.#options.db, id);
  }

  /** @param seenId id of the newest answer that the caller saw */
  async answer(id: string, text: string, seenId: string | null, by: Actor): Promise<AnswerResult> {
    const { clock, db, mails } = this.#options;
    const authorId = getActorId(by);
    if (authorId === null) throw new Error('an answer has an author');
    return transact(db, async (tx): Promise<AnswerResult> => {
      const message = await store.lockMessage(tx, id);
      if (message === null) return { ok: false, reason: 'not-found' };
      if (message.is_suspect) return { ok: false, reason: 'spam' };
      if ((message.answers.at(-1)?.id ?? null) !== seenId) return { ok: false, reason: 'answered-meanwhile' };
      const answer = { id: uuidv7(), messageId: id, text: text.replaceAll(/\r\n?/g, '\n'), created_at: clock.now() };
      await store.insertAnswer(tx, { ...answer, authorId });
      await store.setState(tx, id, 'answered');
      await mails.enqueue(tx, [{ kind: ANSWER_MAIL, event: getAnswerMailEvent(answer.id), data: { id: answer.id } }]);
      return { ok: true, message: await this.#finish(tx, 'message.answered', message, by) };
    });
  }

  /** Marks a message as done or opens it again. Null if there is none. */
  setDone(id: string, isDone: boolean, by: Actor): Promise<StoredMessage | null> {
    return this.#change(id, isDone ? 'message.done' : 'message.reopened', by, async (tx, message) => {
      const reopened: ContactState = message.answers.length > 0 ? 'answered' : 'new';
      const isChanged = (message.state === 'done') !== isDone;
      if (isChanged) await store.setState(tx, id, isDone ? 'done' : reopened);
      return isChanged;
    });
  }

  /** Null if there is no such message. */
  setSpam(id: string, isSpam: boolean, by: Actor): Promise<StoredMessage | null> {
    return this.#change(
      id,
      isSpam ? 'message.marked_as_spam' : 'message.marked_as_no_spam',
      by,
      async (tx, message) => {
        if (message.is_suspect === isSpam) return false;
        await store.setSpam(tx, id, isSpam);
        return true;
      },
    );
  }

  /** Deletes a message, its answers, and copies of both in stored mails. False if there is none. */
  async remove(id: string, by: Actor): Promise<boolean> {
    const { db, mails, onDeleted } = this.#options;
    return transact(db, async (tx) => {
      const message = await store.lockMessage(tx, id);
      if (message === null) return false;
      await store.deleteMessage(tx, id);
      await mails.eraseContentOf(
        tx,
        message.answers.map((answer) => getAnswerMailEvent(answer.id)),
      );
      await onDeleted(tx, id);
      await this.#record(tx, 'message.deleted', message, null, by);
      return true;
    });
  }

  /** The address and text of an answer; null if its message was deleted. */
  readAnswerMail(answerId: string): Promise<{ readonly email: string; readonly text: string } | null> {
    return store.findAnswer(this.#options.db, answerId);
  }

  /** @param work whether anything changed */
  async #change(
    id: string,
    action: string,
    by: Actor,
    work: (tx: Db, message: StoredMessage) => Promise<boolean>,
  ): Promise<StoredMessage | null> {
    return transact(this.#options.db, async (tx) => {
      const message = await store.lockMessage(tx, id);
      if (message === null) return null;
      return (await work(tx, message)) ? this.#finish(tx, action, message, by) : message;
    });
  }

  async #finish(tx: Db, action: string, before: StoredMessage, by: Actor): Promise<StoredMessage> {
    const after = await store.findMessage(tx, before.id);
    if (after === null) throw new Error('a locked message was not found');
    await this.#record(tx, action, before, after, by);
    return after;
  }

  /** Without names and texts, which retention and erasure delete. */
  async #record(tx: Db, action: string, before: StoredMessage, after: StoredMessage | null, by: Actor): Promise<void> {
    await recordChange(tx, {
      at: this.#options.clock.now(),
      by,
      action,
      subject: { kind: 'message', id: before.id },
      before: pick(before),
      after: after && pick(after),
    });
  }
}

const pick = (message: StoredMessage) => ({
  state: message.state,
  is_spam: message.is_suspect,
  answers: message.answers.map((answer) => answer.id),
});
