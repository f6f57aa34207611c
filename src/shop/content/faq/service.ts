/** Staff change the frequently asked questions. */
import { v7 as uuidv7 } from 'uuid';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { Refusal } from '#src/platform/http/call.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import { changeDocument, OUTDATED } from '#src/shop/editing/service.ts';
import type { EditingOptions } from '#src/shop/editing/service.ts';
import { describeText } from '../editing.service.ts';
import { checkPlaceholders, FIGURE_PLACEHOLDERS } from '../placeholders.ts';
import { MAX_QUESTIONS } from './contract.ts';
import * as store from './store.ts';

export interface QuestionTexts {
  readonly question: string;
  readonly answer: string;
}

const TOO_MANY = new Refusal(409, 'too-many', `There are ${MAX_QUESTIONS} questions already. Delete one first`);

export class FaqEditor {
  readonly #options: EditingOptions;

  constructor(options: EditingOptions) {
    this.#options = options;
  }

  async list() {
    return transact(
      this.#options.db,
      async (tx) => ({ version: await store.readFaqVersion(tx), items: [...(await store.loadFaq(tx))] }),
      { isolationLevel: 'repeatable read' },
    );
  }

  /** Messages by field. Empty if there are none. */
  check(texts: QuestionTexts): Readonly<Record<string, string>> {
    const messages: Record<string, string> = {};
    for (const name of ['question', 'answer'] as const) {
      const message = checkPlaceholders(texts[name], FIGURE_PLACEHOLDERS);
      if (message !== null) messages[name] = message;
    }
    return messages;
  }

  add({ question, answer }: QuestionTexts, by: StaffActor): Promise<Refusal | null> {
    const id = uuidv7();
    return changeDocument(this.#options, {
      ...describeText(`faq/${id}`),
      by,
      lock: async (tx) => {
        await this.#lockList(tx, by);
        return { version: 0 };
      },
      write: async (tx) =>
        (await store.insertQuestion(tx, { id, question, answer }, MAX_QUESTIONS))
          ? { saved: null, recorded: { action: 'content.created', before: null, after: { question, answer } } }
          : TOO_MANY,
    });
  }

  edit(id: string, version: number, { question, answer }: QuestionTexts, by: StaffActor): Promise<Refusal | null> {
    return changeDocument(this.#options, {
      ...describeText(`faq/${id}`),
      by,
      version,
      lock: (tx) => store.lockQuestion(tx, id),
      write: async (tx, stored) => {
        await store.updateQuestion(tx, { id, question, answer });
        const before = { question: stored.question, answer: stored.answer };
        return { saved: null, recorded: { action: 'content.edited', before, after: { question, answer } } };
      },
    });
  }

  delete(id: string, version: number, by: StaffActor): Promise<Refusal | null> {
    return changeDocument(this.#options, {
      ...describeText(`faq/${id}`),
      by,
      version,
      lock: async (tx) => {
        await this.#lockList(tx, by);
        return store.lockQuestion(tx, id);
      },
      write: async (tx, { question, answer }) => {
        await store.deleteQuestion(tx, id);
        return { saved: null, recorded: { action: 'content.deleted', before: { question, answer }, after: null } };
      },
    });
  }

  order(ids: readonly string[], version: number, by: StaffActor): Promise<Refusal | null> {
    return changeDocument(this.#options, {
      ...describeText('faq'),
      by,
      version,
      lock: async (tx) => ({ version: await this.#lockList(tx, by), questions: await listQuestions(tx) }),
      write: async (tx, { questions }) => {
        if (!(await store.orderQuestions(tx, ids))) return OUTDATED;
        const after = { questions: await listQuestions(tx) };
        return { saved: null, recorded: { action: 'content.sorted', before: { questions }, after } };
      },
    });
  }

  /** Serializes changes of the list, and makes its version a newer one. Returns its former version. */
  async #lockList(tx: Db, by: StaffActor): Promise<number> {
    return (await store.incrementFaqVersion(tx, this.#options.clock.now(), by.username)) - 1;
  }
}

const listQuestions = async (tx: Db) => (await store.loadFaq(tx)).map(({ question }) => question);
