/** Turns the Markdown of a text into elements, with the figures of the settings. */
import { fillDocument } from '#src/platform/markdown/fill-document.ts';
import type { FilledDocument } from '#src/platform/markdown/fill-document.ts';
import type { MarkdownDocument, MarkdownToken } from '#src/platform/markdown/markdown-document.ts';
import type { TextParser } from '#src/platform/markdown/markdown-parser.ts';
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

/** A parsed text with its figures. Links for which `isLinked` is false are plain text. */
export const fillText = (
  document: MarkdownDocument,
  figures: TextFigures,
  isLinked: (href: string) => boolean = () => true,
): FilledDocument =>
  fillDocument(document, {
    replaceText: (text) => fillPlaceholders(text, figures.values) ?? text,
    blocks: { [`{${CONFIRMATION_TABLE}}`]: createTable(figures) },
    isLinked,
  });

/** An earlier release may have stored a text with too many elements: it is shown as it was written. */
export const parseStored = async (parser: TextParser, markdown: string): Promise<MarkdownDocument> =>
  (await parser.parse(markdown)) ?? { intro: [{ tag: 'pre' }, markdown, null], sections: [] };

/** Parses stored texts when they are first shown, each once. */
export class StoredTexts {
  readonly #parser: TextParser;
  readonly #parsed = new Map<string, Promise<MarkdownDocument>>();

  constructor(parser: TextParser) {
    this.#parser = parser;
  }

  parse(markdown: string): Promise<MarkdownDocument> {
    const known = this.#parsed.get(markdown);
    if (known) return known;
    const parsing = parseStored(this.#parser, markdown);
    this.#parsed.set(markdown, parsing);
    // Tried again when it is shown again.
    parsing.catch(() => this.#parsed.delete(markdown));
    return parsing;
  }

  /** Forgets all other texts. */
  keep(markdowns: readonly string[]): void {
    for (const markdown of this.#parsed.keys()) if (!markdowns.includes(markdown)) this.#parsed.delete(markdown);
  }
}
