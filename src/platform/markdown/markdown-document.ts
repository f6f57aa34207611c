/** A parsed Markdown text: a flat list of elements with a closed set of tags. */
export const MARKDOWN_TAGS = [
  'p',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'ul',
  'ol',
  'li',
  'strong',
  'em',
  's',
  'a',
  'code',
  'pre',
  'blockquote',
  'hr',
  'br',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
] as const;
export type MarkdownTag = (typeof MARKDOWN_TAGS)[number];

/** Text, the start of an element, or null for the end of the innermost one. `hr` and `br` end too. */
export type MarkdownToken = string | null | { tag: MarkdownTag; href?: string };

interface MarkdownSection {
  title: string;
  tokens: MarkdownToken[];
}

/** A text, divided at its highest headings. */
export interface MarkdownDocument {
  /** Before the first heading. */
  intro: MarkdownToken[];
  sections: MarkdownSection[];
}

/** The message beside a text that has too many elements to be shown. */
export const TOO_COMPLEX = 'has too many headings, lists, links or table cells. Shorten it';

/** Tokens of a document that is shown. Rendering a page of as many takes less than 50 ms. */
const MAX_TOKENS = 8_000;
/** A section has a heading and a link in the table of contents. */
const TOKENS_PER_SECTION = 8;
/** Pages show elements recursively. */
const MAX_DEPTH = 60;

/** Whether a document is too long, or nested too deeply, to be shown. */
export function isTooComplex({ intro, sections }: MarkdownDocument): boolean {
  const lists = [intro, ...sections.map(({ tokens }) => tokens)];
  const length = lists.reduce((sum, tokens) => sum + tokens.length, sections.length * TOKENS_PER_SECTION);
  return length > MAX_TOKENS || lists.some((tokens) => getDepth(tokens) > MAX_DEPTH);
}

function getDepth(tokens: readonly MarkdownToken[]): number {
  let [depth, deepest] = [0, 0];
  for (const token of tokens) {
    if (token === null) depth -= 1;
    else if (typeof token !== 'string') depth += 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
