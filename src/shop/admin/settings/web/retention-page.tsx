import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { ErrorState } from '#src/ui/feedback/states.tsx';
import { requireStaff } from '../../kit/staff-page.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import { loadSettings } from './load-settings.ts';
import { PERIODS, RetentionPreview } from '#src/shop/personal-data/web/retention-preview.tsx';
import { SettingsFrame } from './settings-frame.tsx';
import { SETTINGS_PAGES } from './settings-pages.ts';

const PAGE = SETTINGS_PAGES.retention;

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle(`${PAGE.title} · Back office`, matches) },
  { name: 'description', content: 'How long data are kept, and what would be erased.' },
];

/** Other periods from the query. What is no number is left out. */
const readPeriods = (url: string): Readonly<Record<string, string>> => {
  const parameters = new URL(url).searchParams;
  return Object.fromEntries(
    PERIODS.flatMap(({ name, minimum }) => {
      const value = parameters.get(name) ?? '';
      return /^\d{1,2}$/.test(value) && Number(value) >= minimum && Number(value) <= 30 ? [[name, value]] : [];
    }),
  );
};

export async function loader(args: LoaderFunctionArgs) {
  const read = requireStaff(args, PAGE.path, 'settings');
  const query = readPeriods(args.request.url);
  const [settings, preview] = await Promise.all([
    loadSettings(args, PAGE.path),
    read('GET /shop/retention', { query }).catch(() => null),
  ]);
  return { settings, preview, query };
}

/** OPS-26: how long data are kept, and what would be erased. */
export default function RetentionPage() {
  const { settings, preview, query } = useLiveLoaderData<typeof loader>(['settings']);
  return (
    <SettingsFrame page={PAGE} {...settings}>
      {preview === null || settings.stored === null ? (
        <ErrorState title="What would be erased could not be loaded." onRetry={() => void reloadPage()} />
      ) : (
        <RetentionPreview preview={preview} stored={settings.stored.retention} chosen={query} />
      )}
    </SettingsFrame>
  );
}
