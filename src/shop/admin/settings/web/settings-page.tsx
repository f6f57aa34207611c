import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import { loadSettings } from './load-settings.ts';
import { SettingsFrame } from './settings-frame.tsx';
import { findMovedSection, SETTINGS_PAGES } from './settings-pages.ts';

const PAGE = SETTINGS_PAGES.general;

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle(`${PAGE.title} · Back office`, matches) },
  { name: 'description', content: 'Identity, legal identity, order numbers and time zone of the shop.' },
];

export const loader = (args: LoaderFunctionArgs) => loadSettings(args, PAGE.path);

/** OPS-07: what names the shop. Managers read it, owners change it. */
export default function GeneralSettingsPage() {
  const data = useLiveLoaderData<typeof loader>(['settings']);
  const navigate = useNavigate();
  useEffect(() => {
    // Links of before led to sections that have pages of their own now. The server does not see which one.
    const moved = findMovedSection(location.hash.slice(1));
    if (moved !== null) void navigate(moved, { replace: true });
  }, [navigate]);
  return <SettingsFrame page={PAGE} {...data} />;
}
