import type { FilledDocument } from '#src/platform/markdown/fill-document.ts';
import type { MarkdownToken } from '#src/platform/markdown/markdown-document.ts';
import { toPlainText } from '#src/platform/markdown/plain-text.ts';
import type { TermsDocument, TermsSection } from './terms-content.ts';

/** The published terms as plain text. Links are followed by their addresses, which a printed text needs. */
export function composeTerms(
  { intro, sections }: Pick<FilledDocument, 'intro' | 'sections'>,
  number: number,
  shopUrl: string,
): TermsDocument {
  const toSection = (heading: string, tokens: readonly MarkdownToken[]): TermsSection => ({
    heading,
    paragraphs: toPlainText(spellLinks(tokens, shopUrl))
      .split('\n\n')
      .filter((paragraph) => paragraph !== ''),
  });
  return {
    title: `Terms and conditions (version ${number})`,
    sections: [toSection('', intro), ...sections.map(({ title, tokens }) => toSection(title.trim(), tokens))].filter(
      ({ heading, paragraphs }) => heading !== '' || paragraphs.length > 0,
    ),
  };
}

function spellLinks(tokens: readonly MarkdownToken[], shopUrl: string): MarkdownToken[] {
  /** Of each open element; null: it is no link. */
  const open: ({ readonly address: string; readonly start: number } | null)[] = [];
  const spelled: MarkdownToken[] = [];
  for (const token of tokens) {
    if (token === null) {
      const link = open.pop() ?? null;
      if (link !== null) {
        const text = spelled.slice(link.start).filter((one) => typeof one === 'string');
        if (text.join('') !== link.address) spelled.push(` (${link.address})`);
      }
    } else if (typeof token === 'object') {
      const href = token.href ?? null;
      const address = href?.startsWith('mailto:') === true ? href.slice('mailto:'.length) : href;
      open.push(
        address === null
          ? null
          : { address: /^[/#?]/.test(address) ? `${shopUrl}${address}` : address, start: spelled.length + 1 },
      );
    }
    spelled.push(token);
  }
  return spelled;
}
