import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { TextElements } from '#src/storefront/layout/text-elements.tsx';
import { TextPage } from '#src/storefront/layout/text-page.tsx';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { ButtonLink } from '#src/ui/controls/button.tsx';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('How to buy with bitcoin', matches) },
  {
    name: 'description',
    content: 'Buy with bitcoin, step by step: get a wallet, get bitcoin, order and pay. No experience needed.',
  },
];

export const loader = ({ context }: LoaderFunctionArgs) => context.get(pageContext).call('GET /guide');

export default function HowToBuyPage() {
  const { lead, intro, sections } = useLoaderData<typeof loader>();
  return (
    <TextPage
      title="How to buy with bitcoin"
      lead={lead}
      intro={intro.length > 0 ? <TextElements tokens={intro} /> : undefined}
      sections={sections.map(({ id, title, tokens }) => ({ id, title, body: <TextElements tokens={tokens} /> }))}
      end={<ButtonLink to="/catalog">Shop now</ButtonLink>}
    />
  );
}
