/** Canned answers of support: texts that staff insert into messages. */
import { v7 as uuidv7 } from 'uuid';
import type { Clock } from '#src/platform/process/clock.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Actor } from '#src/shop/audit-log/actor.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import * as store from './store.ts';
import type { CannedAnswerRow } from './store.ts';

const MAX_ANSWERS = 500;

export interface CannedAnswersOptions {
  readonly db: Db;
  readonly clock: Clock;
}

export interface CannedAnswerDraft {
  readonly title: string;
  readonly text: string;
}

export type CannedAnswerResult =
  | { readonly ok: true; readonly answer: CannedAnswerRow }
  | { readonly ok: false; readonly reason: 'not-found' | 'title-taken' | 'changed-meanwhile' | 'too-many' };

const refuse = (reason: 'not-found' | 'title-taken' | 'changed-meanwhile' | 'too-many') =>
  ({ ok: false, reason }) as const;

export class CannedAnswers {
  readonly #options: CannedAnswersOptions;

  constructor(options: CannedAnswersOptions) {
    this.#options = options;
  }

  /** By title. */
  list(): Promise<CannedAnswerRow[]> {
    return store.listAnswers(this.#options.db);
  }

  async create(draft: CannedAnswerDraft, by: Actor): Promise<CannedAnswerResult> {
    const { clock, db } = this.#options;
    return transact(db, async (tx) => {
      await store.lockTitles(tx);
      if ((await store.countAnswers(tx)) >= MAX_ANSWERS) return refuse('too-many');
      const answer = await store.insertAnswer(tx, { ...draft, id: uuidv7(), at: clock.now() });
      if (answer === null) return refuse('title-taken');
      await this.#record(tx, 'canned_answer.created', null, answer, by);
      return { ok: true, answer };
    });
  }

  /** @param version of the answer that the caller saw */
  async edit(id: string, version: number, draft: CannedAnswerDraft, by: Actor): Promise<CannedAnswerResult> {
    const { clock, db } = this.#options;
    return transact(db, async (tx) => {
      await store.lockTitles(tx);
      const before = await store.lockAnswer(tx, id);
      if (before === null) return refuse('not-found');
      if (before.version !== version) return refuse('changed-meanwhile');
      if (await store.isTitleTaken(tx, draft.title, id)) return refuse('title-taken');
      const answer = await store.updateAnswer(tx, { ...draft, id, at: clock.now() });
      if (answer === null) return refuse('not-found');
      await this.#record(tx, 'canned_answer.edited', before, answer, by);
      return { ok: true, answer };
    });
  }

  /** False if there is no such answer. */
  async remove(id: string, by: Actor): Promise<boolean> {
    return transact(this.#options.db, async (tx) => {
      const deleted = await store.deleteAnswer(tx, id);
      if (deleted !== null) await this.#record(tx, 'canned_answer.deleted', deleted, null, by);
      return deleted !== null;
    });
  }

  async #record(tx: Db, action: string, before: CannedAnswerRow | null, after: CannedAnswerRow | null, by: Actor) {
    const { id = '' } = after ?? before ?? {};
    const change = { at: this.#options.clock.now(), by, action, before: pick(before), after: pick(after) };
    await recordChange(tx, { ...change, subject: { kind: 'canned-answer', id } });
  }
}

const pick = (row: CannedAnswerRow | null) => row && { title: row.title, text: row.text };
