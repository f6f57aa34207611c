import { z } from 'zod';
import type { Db } from '#src/platform/database/database.ts';
import { faqItem } from './contract.ts';
import type { FaqItem } from './contract.ts';
import { loadFaq } from './store.ts';

/** Texts of the shop, held in memory. Read from the database at startup and on `reload`. */
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

  /** Changes with every reload; invalidates cached pages. */
  get version(): number {
    return this.#version;
  }

  /** Questions and answers in display order, in wire form. */
  listFaq(): readonly FaqItem[] {
    return this.#faq;
  }
}
