/** Staff change the frequently asked questions. */
import { v7 as uuidv7 } from 'uuid';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import { changeContent } from '../change.service.ts';
import type { ChangeOptions, ChangeResult, ContentChange, RefusedChange } from '../change.service.ts';
import { checkPlaceholders, FIGURE_PLACEHOLDERS } from '../placeholders.ts';
import { MAX_QUESTIONS } from './contract.ts';
import * as store from './store.ts';

export interface QuestionTexts {
  readonly question: string;
  readonly answer: string;
}

export class FaqEditor {
  readonly #options: ChangeOptions;

  constructor(options: ChangeOptions) {
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

  add({ question, answer }: QuestionTexts, by: StaffActor): Promise<ChangeResult> {
    const id = uuidv7();
    return this.#changeList(by, async (tx) =>
      (await store.insertQuestion(tx, { id, question, answer }, MAX_QUESTIONS))
        ? { action: 'content.created', of: `faq/${id}`, before: null, after: { question, answer } }
        : 'too-many',
    );
  }

  edit(id: string, version: number, { question, answer }: QuestionTexts, by: StaffActor): Promise<ChangeResult> {
    return changeContent(this.#options, by, async (tx) => {
      const stored = await store.findQuestion(tx, id);
      if (stored === null) return 'not-found';
      const isChanged =
        stored.version === version && (await store.updateQuestion(tx, { id, version, question, answer }));
      if (!isChanged) return 'changed-meanwhile';
      const before = { question: stored.question, answer: stored.answer };
      return { action: 'content.edited', of: `faq/${id}`, before, after: { question, answer } };
    });
  }

  delete(id: string, version: number, by: StaffActor): Promise<ChangeResult> {
    return this.#changeList(by, async (tx) => {
      const stored = await store.findQuestion(tx, id);
      if (stored === null) return 'not-found';
      if (stored.version !== version || !(await store.deleteQuestion(tx, id, version))) return 'changed-meanwhile';
      const before = { question: stored.question, answer: stored.answer };
      return { action: 'content.deleted', of: `faq/${id}`, before, after: null };
    });
  }

  order(ids: readonly string[], version: number, by: StaffActor): Promise<ChangeResult> {
    return this.#changeList(by, async (tx, newVersion) => {
      const listQuestions = async () => ({ questions: (await store.loadFaq(tx)).map(({ question }) => question) });
      const before = await listQuestions();
      const isCurrent = newVersion === version + 1 && (await store.orderQuestions(tx, ids));
      if (!isCurrent) return 'changed-meanwhile';
      return { action: 'content.sorted', of: 'faq', before, after: await listQuestions() };
    });
  }

  // Takes the lock of the order first, so that all changes of the list are serialized.
  #changeList(
    by: StaffActor,
    change: (tx: Db, newVersion: number) => Promise<RefusedChange | ContentChange>,
  ): Promise<ChangeResult> {
    const at = this.#options.clock.now();
    return changeContent(this.#options, by, async (tx) =>
      change(tx, await store.incrementFaqVersion(tx, at, by.username)),
    );
  }
}
