import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link } from 'react-router';
import { mayUse } from '#src/shop/permissions.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { Section } from '#src/ui/section.tsx';
import { ErrorState } from '#src/ui/states.tsx';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { readRole, requireStaff } from '../../kit/staff-page.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import { Environment, Health } from './environment.tsx';
import { SettingsForm, SettingsList } from './section-form.tsx';
import { sectionForms } from './settings-sections.ts';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Settings · Back office', matches) },
  { name: 'description', content: 'Identity and settings of the shop, and the state of its parts.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const read = requireStaff(args, '/admin/settings', 'settings');
  const mayChange = mayUse(readRole(args), 'settings-changes');
  const [sections, health, environment] = await Promise.all([
    read('GET /shop/settings').catch(() => null),
    read('GET /support/health').catch(() => null),
    mayChange ? read('GET /settings').catch(() => null) : null,
  ]);
  return { sections, parts: health?.parts ?? null, environment: environment?.settings ?? null, mayChange };
}

const retry = (): void => void reloadPage();

/** OPS-07: settings of the shop. Managers read them, owners change them. */
export default function SettingsPage() {
  const { sections, parts, environment, mayChange } = useLiveLoaderData<typeof loader>(['settings']);
  return (
    <AdminFrame title="Settings">
      {!mayChange && <p className="muted measure">Only owners can change settings.</p>}
      {sections === null ? (
        <ErrorState title="The settings could not be loaded." onRetry={retry} />
      ) : (
        sectionForms.map((section) => (
          <Section key={section.id} id={section.id} title={section.title} surface="outlined">
            <p className="muted measure">{section.text}</p>
            {section.related && (
              <Link to={section.related.to} className="link">
                {section.related.text}
              </Link>
            )}
            {mayChange ? (
              <SettingsForm section={section} stored={sections[section.id]} timeZones={sections.time_zones} />
            ) : (
              <SettingsList section={section} stored={sections[section.id]} />
            )}
          </Section>
        ))
      )}
      <Section title="State" surface="outlined">
        {parts === null ? (
          <ErrorState title="The state could not be loaded." onRetry={retry} />
        ) : (
          <Health parts={parts} />
        )}
      </Section>
      {mayChange && (
        <Section title="Environment" id="environment" surface="outlined">
          {environment === null ? (
            <ErrorState title="The environment could not be loaded." onRetry={retry} />
          ) : (
            <Environment settings={environment} />
          )}
        </Section>
      )}
    </AdminFrame>
  );
}
