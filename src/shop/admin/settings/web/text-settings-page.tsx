import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link } from 'react-router';
import { mayUse } from '#src/shop/permissions.ts';
import { Lines } from '#src/ui/layout/lines.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { useRole } from '../../kit/use-may-use.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import { loadSettings } from './load-settings.ts';
import { SettingsFrame } from './settings-frame.tsx';
import { SETTINGS_PAGES } from './settings-pages.ts';

const PAGE = SETTINGS_PAGES.texts;

const TEXTS = [
  ['home', 'Home page'],
  ['faq', 'Questions and answers'],
  ['guide', 'How to buy'],
  ['terms', 'Terms'],
  ['privacy', 'Privacy'],
  ['returns', 'Returns'],
] as const;

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle(`${PAGE.title} · Back office`, matches) },
  { name: 'description', content: 'The announcement, and where all other texts of the shop are edited.' },
];

export const loader = (args: LoaderFunctionArgs) => loadSettings(args, PAGE.path);

/** OPS-07: the announcement, and the way to all other texts. */
export default function TextSettingsPage() {
  const data = useLiveLoaderData<typeof loader>(['settings']);
  const mayRead = mayUse(useRole(), 'catalogue');
  return (
    <SettingsFrame page={PAGE} {...data}>
      {mayRead && (
        <Section title="Other texts" surface="outlined">
          <p className="muted measure">These are edited with a preview, and published when you say so.</p>
          <Lines isFramed>
            {TEXTS.map(([part, text]) => (
              <li key={part}>
                <Link to={`/admin/content?part=${part}`} className="link">
                  {text}
                </Link>
              </li>
            ))}
          </Lines>
        </Section>
      )}
    </SettingsFrame>
  );
}
