import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { Badge } from '#src/ui/display/badge.tsx';
import { ButtonLink } from '#src/ui/controls/button.tsx';
import { Columns } from '#src/ui/layout/columns.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { ErrorState } from '#src/ui/feedback/states.tsx';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { requireStaff } from '../../kit/staff-page.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Integrations · Back office', matches) },
  { name: 'description', content: 'Webhooks and API keys, which connect other systems.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const read = requireStaff(args, '/admin/settings/integrations', 'integrations');
  const [webhooks, keys] = await Promise.all([
    read('GET /webhooks').catch(() => null),
    read('GET /api-keys').catch(() => null),
  ]);
  return {
    endpoints: webhooks?.endpoints.map(({ state }) => state) ?? null,
    keys: keys?.api_keys.map(({ state }) => state) ?? null,
  };
}

const count = (number: number, one: string, many: string): string =>
  number === 0 ? `No ${many} yet` : `${number} ${number === 1 ? one : many}`;

/** OPS-19: how many webhooks and API keys there are, and whether one needs attention. */
export default function IntegrationsPage() {
  const { endpoints, keys } = useLiveLoaderData<typeof loader>(['integrations']);
  return (
    <AdminFrame title="Integrations">
      <Columns width={20}>
        <Section title="Webhooks" surface="outlined">
          <p className="muted">The shop reports orders, payments and stock to other systems.</p>
          <Counts states={endpoints} one="endpoint" many="endpoints" active="enabled" attention="off" />
          <ButtonLink to="/admin/webhooks" variant="secondary">
            Manage webhooks
          </ButtonLink>
        </Section>
        <Section title="API keys" surface="outlined">
          <p className="muted">Other systems read and change what their keys permit.</p>
          <Counts states={keys} one="key" many="keys" active="active" attention="not in use any more" />
          <ButtonLink to="/admin/api-keys" variant="secondary">
            Manage API keys
          </ButtonLink>
        </Section>
      </Columns>
    </AdminFrame>
  );
}

interface CountsProps {
  /** Null: they could not be loaded. */
  readonly states: readonly string[] | null;
  readonly one: string;
  readonly many: string;
  /** The state of those that work. */
  readonly active: string;
  /** What the others are. */
  readonly attention: string;
}

function Counts({ states, one, many, active, attention }: CountsProps) {
  if (states === null) {
    return <ErrorState title={`The ${many} could not be loaded.`} onRetry={() => void reloadPage()} />;
  }
  const others = states.filter((state) => state !== active).length;
  return (
    <p>
      {count(states.length, one, many)}{' '}
      {others > 0 && (
        <Badge>
          {others} {attention}
        </Badge>
      )}
    </p>
  );
}
