import { z } from 'zod';
import type { Db } from '#src/platform/database/database.ts';
import { faqItem } from './contract.ts';
import type { FaqItem } from './contract.ts';
import { loadFaq } from './store.ts';

/** The shop's own texts, held in memory: read from the database once and again on `reload`. */
export class Content {
  readonly #db: Db;
  #faq: readonly FaqItem[] = [];
  #version = 0;

  private constructor(db: Db) {
    this.#db = db;
  }

  static async open(db: Db): Promise<Content> {
    const content = new Content(db);
    await content.reload();
    return content;
  }

  async reload(): Promise<void> {
    const rows = await loadFaq(this.#db);
    this.#faq = rows.map(({ id, question, answer }) => z.encode(faqItem, { id, question, answer }));
    this.#version += 1;
  }

  /** Rises with every reload: a page that was kept shows older texts. */
  get version(): number {
    return this.#version;
  }

  /** Questions and answers in the order of the shop, in wire form. */
  listFaq(): readonly FaqItem[] {
    return this.#faq;
  }
}
