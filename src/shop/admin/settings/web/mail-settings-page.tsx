import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import { loadSettings } from './load-settings.ts';
import { SettingsFrame } from './settings-frame.tsx';
import { SETTINGS_PAGES } from './settings-pages.ts';

const PAGE = SETTINGS_PAGES.mail;

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle(`${PAGE.title} · Back office`, matches) },
  { name: 'description', content: 'Sender, footer and staff address of mails.' },
];

export const loader = (args: LoaderFunctionArgs) => loadSettings(args, PAGE.path);

/** OPS-07: mails of the shop. */
export default function MailSettingsPage() {
  const data = useLiveLoaderData<typeof loader>(['settings']);
  return <SettingsFrame page={PAGE} {...data} />;
}
