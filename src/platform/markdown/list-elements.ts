/** A whole text as one list of elements, for a page that shows it below a heading of level 2. */
import type { MarkdownDocument, MarkdownTag, MarkdownToken } from './markdown-document.ts';

const HEADING = /^h([2-6])$/;

export function listElements({ intro, sections }: MarkdownDocument): MarkdownToken[] {
  const listed: MarkdownToken[] = [];
  /** Level of the heading before. */
  let last = 2;
  const add = (tokens: readonly MarkdownToken[]): void => {
    for (const [index, token] of tokens.entries()) {
      const level = getLevel(token);
      if (level === null) {
        // The end of a heading without a text, which is left out with it.
        if (!(token === null && isEmptyHeading(tokens, index - 1))) listed.push(token);
      } else if (!isEmptyHeading(tokens, index)) {
        // No level is skipped.
        last = Math.min(level + 1, last + 1, 6);
        listed.push({ tag: toHeading(last) });
      }
    }
  };
  add(intro);
  for (const { title, tokens } of sections) {
    if (title.trim() !== '') add([{ tag: 'h2' }, title, null]);
    add(tokens);
  }
  return listed;
}

const getLevel = (token: MarkdownToken | undefined): number | null => {
  const level = typeof token === 'object' && token !== null ? HEADING.exec(token.tag)?.[1] : undefined;
  return level === undefined ? null : Number(level);
};

const isEmptyHeading = (tokens: readonly MarkdownToken[], index: number): boolean =>
  getLevel(tokens[index]) !== null && tokens[index + 1] === null;

const toHeading = (level: number): MarkdownTag => (['h2', 'h3', 'h4', 'h5', 'h6'] as const)[level - 2] ?? 'h6';
