/** Canned answers of support: texts that staff insert into messages. */
import { v7 as uuidv7 } from 'uuid';
import type { Db } from '#src/platform/database/database.ts';
import { Refusal } from '#src/platform/http/call.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { Actor } from '#src/shop/audit-log/actor.ts';
import { changeDocument, newDocument } from '#src/shop/editing/service.ts';
import * as store from './store.ts';
import type { CannedAnswerRow } from './store.ts';

const MAX_ANSWERS = 500;

export type { CannedAnswerRow };

export interface CannedAnswersOptions {
  readonly db: Db;
  readonly clock: Clock;
}

export interface CannedAnswerDraft {
  readonly title: string;
  readonly text: string;
}

type Changed = Promise<CannedAnswerRow | Refusal>;

const TITLE_TAKEN = new Refusal(409, 'title-taken', 'Another answer has this title', { fields: { title: 'is taken' } });
const TOO_MANY = new Refusal(409, 'too-many', `There are ${MAX_ANSWERS} answers already. Delete one first`);

const describeAnswer = (id: string) => ({ what: 'this answer', subject: { kind: 'canned-answer', id } }) as const;

export class CannedAnswers {
  readonly #options: CannedAnswersOptions;

  constructor(options: CannedAnswersOptions) {
    this.#options = options;
  }

  /** By title. */
  list(): Promise<CannedAnswerRow[]> {
    return store.listAnswers(this.#options.db);
  }

  create(draft: CannedAnswerDraft, by: Actor): Changed {
    const id = uuidv7();
    return changeDocument(this.#options, {
      ...describeAnswer(id),
      by,
      lock: async (tx) => {
        await store.lockTitles(tx);
        return newDocument();
      },
      write: async (tx, _none, at) => {
        if ((await store.countAnswers(tx)) >= MAX_ANSWERS) return TOO_MANY;
        const saved = await store.insertAnswer(tx, { ...draft, id, at });
        if (saved === null) return TITLE_TAKEN;
        return { saved, recorded: { action: 'canned_answer.created', before: null, after: pick(saved) } };
      },
    });
  }

  /** @param version of the answer that the caller saw */
  edit(id: string, version: number, draft: CannedAnswerDraft, by: Actor): Changed {
    return changeDocument(this.#options, {
      ...describeAnswer(id),
      by,
      version,
      lock: async (tx) => {
        await store.lockTitles(tx);
        return store.lockAnswer(tx, id);
      },
      write: async (tx, before, at) => {
        if (await store.isTitleTaken(tx, draft.title, id)) return TITLE_TAKEN;
        const saved = await store.updateAnswer(tx, { ...draft, id, at });
        return { saved, recorded: { action: 'canned_answer.edited', before: pick(before), after: pick(saved) } };
      },
    });
  }

  remove(id: string, by: Actor): Changed {
    return changeDocument(this.#options, {
      ...describeAnswer(id),
      by,
      lock: (tx) => store.lockAnswer(tx, id),
      write: async (tx, saved) => {
        await store.deleteAnswer(tx, id);
        return { saved, recorded: { action: 'canned_answer.deleted', before: pick(saved), after: null } };
      },
    });
  }
}

const pick = ({ title, text }: CannedAnswerRow) => ({ title, text });
