import type { LoaderFunctionArgs, MetaDescriptor, MetaArgs } from 'react-router';
import { cacheFragment } from '#src/platform/pages/browser/fragment-cache.tsx';
import { TextElements } from '#src/storefront/layout/text-elements.tsx';
import { TextPage } from '#src/storefront/layout/text-page.tsx';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { rethrowAsNotFound } from '#src/storefront/page/page-responses.ts';
import { formatDate, UTC } from '#src/shop/format.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import type { PublicText } from '../contract.ts';
import { LEGAL_TITLES } from '../legal-kind.ts';
import type { LegalKind } from '../legal-kind.ts';

interface LegalTextProps {
  readonly kind: LegalKind;
  readonly text: PublicText;
}

/** The text in force; 404 if none is published. */
export async function loadLegalText({ context }: Pick<LoaderFunctionArgs, 'context'>, kind: LegalKind) {
  const { call } = context.get(pageContext);
  return { kind, text: await call('GET /legal/{kind}', { params: { kind } }).catch(rethrowAsNotFound) };
}

export const describeLegalText = (loaded: LegalTextProps | undefined, matches: MetaArgs['matches']): MetaDescriptor[] =>
  loaded
    ? [
        { title: formatPageTitle(LEGAL_TITLES[loaded.kind], matches) },
        { name: 'description', content: `${LEGAL_TITLES[loaded.kind]}. ${loaded.text.summary}` },
      ]
    : [];

function LegalTextPage({ kind, text }: LegalTextProps) {
  const { summary, published_at: publishedAt, intro, sections } = text;
  return (
    <TextPage
      title={LEGAL_TITLES[kind]}
      lead={summary}
      updated={formatDate(publishedAt, 'day', UTC)}
      intro={intro.length > 0 ? <TextElements tokens={intro} /> : undefined}
      sections={sections.map(({ id, title, tokens }) => ({ id, title, body: <TextElements tokens={tokens} /> }))}
    />
  );
}

/** A legal text of the shop. */
export const LegalText = cacheFragment(LegalTextPage);
