/** Fills values into a parsed text, after parsing: they are never Markdown. */
import type { MarkdownDocument, MarkdownToken } from './markdown-document.ts';

export interface FillOptions {
  /** Applied to each run of text outside of code, and to titles. */
  readonly replaceText?: (text: string) => string;
  /** Elements that replace a paragraph with exactly this text. */
  readonly blocks?: Readonly<Record<string, readonly MarkdownToken[]>>;
  /** Whether a link is shown as one. Default: all. */
  readonly isLinked?: (href: string) => boolean;
}

interface FilledSection {
  /** Unique in the document: made of the title. */
  id: string;
  title: string;
  tokens: MarkdownToken[];
}

export interface FilledDocument {
  /** Before the first heading. */
  intro: MarkdownToken[];
  sections: FilledSection[];
}

export function fillDocument({ intro, sections }: MarkdownDocument, options: FillOptions = {}): FilledDocument {
  const { replaceText = (text) => text } = options;
  const ids = new SectionIds();
  return {
    intro: fillTokens(intro, options),
    sections: sections.map(({ title, tokens }) => {
      const filled = replaceText(title);
      return { id: ids.create(filled), title: filled, tokens: fillTokens(tokens, options) };
    }),
  };
}

function fillTokens(
  tokens: readonly MarkdownToken[],
  { replaceText = (text) => text, blocks = {}, isLinked = () => true }: FillOptions,
): MarkdownToken[] {
  const filled: MarkdownToken[] = [];
  /** Of each open element. */
  const open: { readonly isCode: boolean; readonly isShown: boolean }[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token === null) {
      if (open.pop()?.isShown === true) filled.push(null);
    } else if (typeof token !== 'string') {
      const isShown = token.href === undefined || isLinked(token.href);
      open.push({ isCode: token.tag === 'code', isShown });
      if (isShown) filled.push(token);
    } else if (open.at(-1)?.isCode === true) {
      filled.push(token);
    } else {
      const block = isParagraph(tokens, index) && Object.hasOwn(blocks, token) ? blocks[token] : undefined;
      if (block === undefined) filled.push(replaceText(token));
      else {
        // In place of the paragraph, whose end follows.
        filled.pop();
        filled.push(...block.slice(0, -1));
      }
    }
  }
  return filled;
}

/** Whether the text is all of its paragraph. */
function isParagraph(tokens: readonly MarkdownToken[], index: number): boolean {
  const before = tokens[index - 1];
  return typeof before === 'object' && before?.tag === 'p' && tokens[index + 1] === null;
}

/** Makes an id of each title in linear time. */
class SectionIds {
  readonly #ids = new Set<string>();
  /** The lowest number of each stem that may be free. */
  readonly #numbers = new Map<string, number>();

  create(title: string): string {
    const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['section'];
    const stem = words.join('-').slice(0, 60);
    let id = stem;
    let number = this.#numbers.get(stem) ?? 2;
    for (; this.#ids.has(id); number += 1) id = `${stem}-${number}`;
    this.#numbers.set(stem, number);
    this.#ids.add(id);
    return id;
  }
}
