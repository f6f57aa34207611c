/** Staff change the frequently asked questions. */
import { v7 as uuidv7 } from 'uuid';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { changeContent } from '../change.service.ts';
import type { ChangeOptions, ChangeResult } from '../change.service.ts';
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

  add(texts: QuestionTexts, by: string): Promise<ChangeResult> {
    const id = uuidv7();
    return this.#changeList(by, async (tx) =>
      (await store.insertQuestion(tx, { id, ...texts }, MAX_QUESTIONS)) ? null : 'too-many',
    );
  }

  edit(id: string, version: number, texts: QuestionTexts): Promise<ChangeResult> {
    return changeContent(this.#options, async (tx) => {
      if (await store.updateQuestion(tx, { id, version, ...texts })) return null;
      return (await store.hasQuestion(tx, id)) ? 'changed-meanwhile' : 'not-found';
    });
  }

  delete(id: string, version: number, by: string): Promise<ChangeResult> {
    return this.#changeList(by, async (tx) => {
      if (await store.deleteQuestion(tx, id, version)) return null;
      return (await store.hasQuestion(tx, id)) ? 'changed-meanwhile' : 'not-found';
    });
  }

  order(ids: readonly string[], version: number, by: string): Promise<ChangeResult> {
    return this.#changeList(by, async (tx, newVersion) => {
      const isCurrent = newVersion === version + 1 && (await store.orderQuestions(tx, ids));
      return isCurrent ? null : 'changed-meanwhile';
    });
  }

  // Takes the lock of the order first, so that all changes of the list are serialized.
  #changeList(
    by: string,
    change: (tx: Db, newVersion: number) => Promise<'changed-meanwhile' | 'not-found' | 'too-many' | null>,
  ): Promise<ChangeResult> {
    const at = this.#options.clock.now();
    return changeContent(this.#options, async (tx) => change(tx, await store.incrementFaqVersion(tx, at, by)));
  }
}
