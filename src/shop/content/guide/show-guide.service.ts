/** How to buy, as its page shows it: the merchant's text, or the standard one. */
import type { MarkdownDocument } from '#src/platform/markdown/markdown-document.ts';
import type { SectionRow } from '../home/store.ts';
import { LEGAL_KINDS } from '../legal/legal-kind.ts';
import type { LegalKind } from '../legal/legal-kind.ts';
import { fillText } from '../legal/parse.service.ts';
import { fillPlaceholders } from '../placeholders.ts';
import type { TextFigures } from '../text-figures.ts';
import { guideBody } from './contract.ts';
import type { ShownGuide } from './contract.ts';
import { STANDARD_GUIDE } from './standard-guide.ts';

export interface GuideTexts {
  readonly lead: string;
  readonly markdown: string;
}

/** Null without a text of the merchant, or with one that this release does not know. */
export function readOwnGuide(rows: readonly SectionRow[]): GuideTexts | null {
  const row = rows.find(({ name }) => name === 'guide');
  const parsed = row?.isShown === true ? guideBody.safeParse(row.body) : null;
  return parsed?.success === true ? parsed.data : null;
}

/** The text in force: the merchant's, or the standard one. */
export const selectGuide = (rows: readonly SectionRow[]): GuideTexts => readOwnGuide(rows) ?? STANDARD_GUIDE;

/** The text with its figures. A link to a legal text that is not published is plain text. */
export function showGuide(
  { lead, document }: Pick<GuideTexts, 'lead'> & { readonly document: MarkdownDocument },
  figures: TextFigures,
  published: readonly LegalKind[],
): ShownGuide {
  const isHidden = (href: string): boolean =>
    LEGAL_KINDS.some((kind) => href === `/${kind}` && !published.includes(kind));
  return {
    ...fillText(document, figures, (href) => !isHidden(href)),
    lead: fillPlaceholders(lead, figures.values) ?? lead,
  };
}
