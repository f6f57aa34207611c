/**
 * Parses Markdown from an author into a flat list of elements with a closed set of tags. Raw HTML
 * stays text, and links go to pages of this site, the web or a mail address only.
 */
import createMarkdownIt from 'markdown-it';
import { MARKDOWN_TAGS } from './markdown-document.ts';
import type { MarkdownDocument, MarkdownTag, MarkdownToken } from './markdown-document.ts';

// Deeper lists and quotes are text: the renderer is recursive.
const parser = createMarkdownIt({ html: false, linkify: false, typographer: false });
parser.set({ maxNesting: 20 });

type Token = ReturnType<typeof parser.parse>[number];

const TAGS: ReadonlySet<string> = new Set(MARKDOWN_TAGS);
const isTag = (tag: string): tag is MarkdownTag => TAGS.has(tag);
/** Heading levels of the page's own frame end at one. */
const FIRST_LEVEL = 2;
const LAST_LEVEL = 6;

const SAFE_LINK = /^(?:https?:\/\/[^\s\\]+|mailto:[^\s\\]+|\/(?![/\\])[^\s\\]*|#[^\s\\]*)$/i;
/** Whether a link leads to this site, to the web or to a mail address. */
export const isSafeLink = (href: string): boolean => SAFE_LINK.test(href);

export function parseMarkdown(source: string): MarkdownDocument {
  const tokens = parser.parse(source, {});
  const levels = [...new Set(tokens.filter(({ type }) => type === 'heading_open').map(({ tag }) => tag))].toSorted();
  const writer = new Writer(levels);
  for (const [index, token] of tokens.entries()) writer.add(token, tokens[index - 1]);
  return writer.document;
}

/** The text of inline tokens without its markup. */
function flatten(tokens: readonly Token[]): string {
  return tokens
    .map(({ type, content, children }) => {
      if (type === 'image') return flatten(children ?? []);
      return type === 'softbreak' || type === 'hardbreak' ? ' ' : content;
    })
    .join('');
}

class Writer {
  readonly document: MarkdownDocument = { intro: [], sections: [] };
  readonly #levels: readonly string[];
  /** Whether each open link is shown as one. */
  readonly #links: boolean[] = [];
  #target: MarkdownToken[] = this.document.intro;

  constructor(levels: readonly string[]) {
    this.#levels = levels;
  }

  add(token: Token, before: Token | undefined): void {
    const { type, children, hidden } = token;
    if (hidden) return;
    if (type === 'inline') {
      if (before?.type === 'heading_open' && this.#isTop(before)) this.#startSection(flatten(children ?? []));
      else for (const child of children ?? []) this.#addInline(child);
      return;
    }
    if (type === 'fence' || type === 'code_block') this.#addCodeBlock(token.content);
    else if (type === 'hr') this.#target.push({ tag: 'hr' }, null);
    else if (type === 'heading_open' || type === 'heading_close') this.#addHeading(token);
    else this.#addElement(token);
  }

  /** Headings of the highest level start sections; they are at the top of the document only. */
  #isTop({ tag, level }: Token): boolean {
    return tag === this.#levels[0] && level === 0;
  }

  #addHeading(token: Token): void {
    if (this.#isTop(token)) return;
    const level = Math.min(FIRST_LEVEL + this.#levels.indexOf(token.tag), LAST_LEVEL);
    const tag = `h${level}`;
    if (token.nesting < 0) this.#target.push(null);
    else if (isTag(tag)) this.#target.push({ tag });
  }

  #startSection(title: string): void {
    const tokens: MarkdownToken[] = [];
    this.document.sections.push({ title, tokens });
    this.#target = tokens;
  }

  #addElement({ tag, nesting }: Token): void {
    if (nesting < 0) this.#target.push(null);
    else if (nesting > 0 && isTag(tag)) this.#target.push({ tag });
  }

  #addCodeBlock(content: string): void {
    this.#target.push({ tag: 'pre' }, { tag: 'code' }, content.replace(/\n$/, ''), null, null);
  }

  #addInline(token: Token): void {
    const { type, content, children } = token;
    switch (type) {
      case 'text':
        if (content !== '') this.#target.push(content);
        return;
      case 'softbreak':
        this.#target.push(' ');
        return;
      case 'hardbreak':
        this.#target.push({ tag: 'br' }, null);
        return;
      case 'code_inline':
        this.#target.push({ tag: 'code' }, content, null);
        return;
      case 'image':
        // Pages load no pictures of authors: the description is shown.
        this.#target.push(flatten(children ?? []));
        return;
      case 'link_open':
        this.#openLink(String(token.attrGet('href') ?? ''));
        return;
      case 'link_close':
        if (this.#links.pop() === true) this.#target.push(null);
        return;
      default:
        if (token.tag !== '') this.#addElement(token);
        else if (content !== '') this.#target.push(content);
    }
  }

  #openLink(href: string): void {
    const isShown = isSafeLink(href);
    this.#links.push(isShown);
    if (isShown) this.#target.push({ tag: 'a', href });
  }
}
