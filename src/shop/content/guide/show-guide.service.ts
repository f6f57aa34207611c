/** How to buy, as its page shows it: the merchant's text, or the standard one. */
import type { SectionRow } from '../home/store.ts';
import { LEGAL_KINDS } from '../legal/legal-kind.ts';
import type { LegalKind } from '../legal/legal-kind.ts';
import { parseLegalText } from '../legal/parse.service.ts';
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

/** The text with its figures. A link to a legal text that is not published is plain text. */
export function showGuide(
  rows: readonly SectionRow[],
  figures: TextFigures,
  published: readonly LegalKind[],
): ShownGuide {
  const { lead, markdown } = readOwnGuide(rows) ?? STANDARD_GUIDE;
  let linked = markdown;
  for (const kind of LEGAL_KINDS.filter((one) => !published.includes(one))) {
    linked = linked.replaceAll(new RegExp(String.raw`\[([^\]\n]{0,200})\]\(/${kind}\)`, 'g'), '$1');
  }
  return { ...parseLegalText(linked, figures), lead: fillPlaceholders(lead, figures.values) ?? lead };
}
