import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { formatNumber } from '#src/shop/format-number.ts';
import { mayUse } from '#src/shop/permissions.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { Disclosure } from '#src/ui/display/disclosure.tsx';
import { Fact, Facts } from '#src/ui/display/facts.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { ErrorState } from '#src/ui/feedback/states.tsx';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { readRole, requireStaff } from '../../kit/staff-page.ts';
import { useMayUse } from '../../kit/use-may-use.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import { formatBytes } from '../../pictures/format-bytes.ts';
import { Environment, Health } from '../../settings/web/environment.tsx';
import type { SystemState } from '../contract.ts';
import { BackupForm } from './backup-form.tsx';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('System · Back office', matches) },
  { name: 'description', content: 'Health, versions and environment of the shop, and its backups.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const read = requireStaff(args, '/admin/settings/system', 'settings');
  const maySeeAll = mayUse(readRole(args), 'settings-changes');
  const [health, todo, system, environment] = await Promise.all([
    read('GET /support/health').catch(() => null),
    read('GET /support/todo').catch(() => null),
    maySeeAll ? read('GET /support/system').catch(() => null) : null,
    maySeeAll ? read('GET /settings').catch(() => null) : null,
  ]);
  return {
    parts: health?.parts ?? null,
    backup: todo?.backup ?? null,
    system,
    environment: environment?.settings ?? null,
  };
}

const retry = (): void => void reloadPage();

/** OPS-05, OPS-07: health for all who see settings; versions, environment and backups for owners. */
export default function SystemPage() {
  const { parts, backup, system, environment } = useLiveLoaderData<typeof loader>(['settings', 'health']);
  const [maySeeAll, mayBackUp] = [useMayUse('settings-changes'), useMayUse('backups')];
  return (
    <AdminFrame title="System">
      <Section title="State" surface="outlined">
        {parts === null ? (
          <ErrorState title="The state could not be loaded." onRetry={retry} />
        ) : (
          <Health parts={parts} />
        )}
      </Section>
      <Section title="Backup" id="backup" surface="outlined">
        <LastBackup backup={backup} />
        {mayBackUp ? <BackupForm /> : <p className="muted">Only owners can download backups.</p>}
      </Section>
      {maySeeAll && (
        <Section title="Versions" surface="outlined">
          {system === null ? (
            <ErrorState title="The versions could not be loaded." onRetry={retry} />
          ) : (
            <Versions system={system} />
          )}
        </Section>
      )}
      {maySeeAll && (
        <Section title="Environment" id="environment" surface="outlined">
          {environment === null ? (
            <ErrorState title="The environment could not be loaded." onRetry={retry} />
          ) : (
            <Disclosure summary={`${formatNumber(environment.length)} settings of the server`}>
              <Environment settings={environment} />
            </Disclosure>
          )}
        </Section>
      )}
    </AdminFrame>
  );
}

interface LastBackupProps {
  readonly backup: { readonly at: string | null; readonly is_due: boolean } | null;
}

function LastBackup({ backup }: LastBackupProps) {
  return (
    <>
      {backup !== null && (
        <p className={backup.is_due ? 'danger' : undefined}>
          {backup.at === null ? (
            'No backup is recorded.'
          ) : (
            <>
              Last backup: <Moment at={backup.at} shows="moment" />
              {backup.is_due && <span>, which is too old</span>}
            </>
          )}
        </p>
      )}
      <p className="muted measure">
        The file holds the whole database: orders, customers, settings. Uploaded pictures and the seed of your wallet
        are not in it. “Backup” in the operating manual says how to restore it, and how the server writes one every
        night.
      </p>
    </>
  );
}

const Versions = ({ system }: { readonly system: SystemState }) => (
  <Facts layout="beside">
    <Fact label="Shop">{system.version}</Fact>
    <Fact label="Schema of the database">
      {system.schema.number}, {system.schema.name}
    </Fact>
    <Fact label="Node">
      {system.node}, {system.platform}
    </Fact>
    <Fact label="PostgreSQL">{system.postgres}</Fact>
    <Fact label="Size of the database">{formatBytes(system.database_bytes)}</Fact>
    <Fact label="Chain source">
      {system.chain_source}, {system.network}
    </Fact>
    <Fact label="Disk">
      {system.disk === null
        ? 'unknown'
        : `${formatBytes(system.disk.free_bytes)} free of ${formatBytes(system.disk.total_bytes)}`}
    </Fact>
  </Facts>
);
