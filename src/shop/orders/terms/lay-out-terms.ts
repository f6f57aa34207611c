import type { TermsContent, TermsDocument } from './terms-content.ts';

/** A paragraph must fit on a page, whatever its script. */
const MAX_PARAGRAPH = 1_500;

/** Pieces of at most this length, between words where there are any. */
function splitLongText(text: string): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > MAX_PARAGRAPH) {
    const space = rest.lastIndexOf(' ', MAX_PARAGRAPH);
    const end = space > 0 ? space : MAX_PARAGRAPH - (/[\uD800-\uDBFF]/.test(rest[MAX_PARAGRAPH - 1] ?? '') ? 1 : 0);
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...pieces, rest];
}

interface Block {
  readonly kind: 'title' | 'heading' | 'paragraph';
  readonly text: string;
}

const listBlocks = ({ title, sections }: TermsDocument): Block[] => [
  { kind: 'title', text: title },
  ...sections.flatMap(({ heading, paragraphs }): Block[] => [
    ...(heading === '' ? [] : [{ kind: 'heading', text: heading } as const]),
    ...paragraphs
      .flatMap((paragraph) => paragraph.split('\n'))
      .flatMap(splitLongText)
      .map((text) => ({ kind: 'paragraph', text }) as const),
  ]),
];

/** The terms of an order as the blocks of a PDF. */
export const layOutTerms = ({ documents, seller }: TermsContent, storedAt: Date) => ({
  title: 'Terms of the order',
  author: seller,
  language: 'en-US',
  createdAt: storedAt,
  footer: [seller, 'Terms of the order'].filter((text) => text !== '').join(' · '),
  blocks: documents.flatMap(listBlocks),
});
