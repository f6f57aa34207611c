/** Turns the Markdown of a legal text into elements, with the figures of the settings. */
import { parseMarkdown } from '#src/platform/parse-markdown.ts';
import type { MarkdownDocument, MarkdownToken } from '#src/platform/parse-markdown.ts';
import { CONFIRMATION_TABLE, fillPlaceholders } from '../placeholders.ts';
import type { TextFigures } from '../text-figures.ts';

const element = (tag: 'tr' | 'th' | 'td' | 'thead' | 'tbody' | 'table', children: readonly MarkdownToken[]) =>
  [{ tag }, ...children, null] as const;

/** The rows of `confirmations`, with their headings. */
function createTable({ confirmations }: TextFigures): readonly MarkdownToken[] {
  const headings = ['Total of the order', 'Confirmations'].flatMap((text) => element('th', [text]));
  const rows = confirmations.flatMap((cells) =>
    element(
      'tr',
      cells.flatMap((text) => element('td', [text])),
    ),
  );
  return element('table', [...element('thead', element('tr', headings)), ...element('tbody', rows)]);
}

export const parseLegalText = (markdown: string, figures: TextFigures): MarkdownDocument =>
  parseMarkdown(markdown, {
    replaceText: (text) => fillPlaceholders(text, figures.values) ?? text,
    blocks: { [`{${CONFIRMATION_TABLE}}`]: createTable(figures) },
  });
