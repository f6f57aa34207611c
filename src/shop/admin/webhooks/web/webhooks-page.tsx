import { useState } from 'react';
import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import type { WebhookEndpoint } from '#src/shop/webhooks/endpoints/contract.ts';
import { call } from '#src/storefront/call.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { Row } from '#src/ui/layout/row.ts';
import { EmptyState, ErrorState } from '#src/ui/feedback/states.tsx';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { DirectAction } from '../../kit/direct-action.tsx';
import { ListRow, RowLink, RowList } from '../../kit/row-list.tsx';
import { ShownOnce } from '../../kit/shown-once.tsx';
import { requireStaff } from '../../kit/staff-page.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import { EMPTY_ENDPOINT, EndpointFields } from './endpoint-fields.tsx';
import { EndpointBadge } from './state-badges.tsx';
import styles from './webhooks.module.css';

const MAX_ENDPOINTS = 10;

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Webhooks · Back office', matches) },
  { name: 'description', content: 'Endpoints that are sent events of the shop.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const read = requireStaff(args, '/admin/webhooks', 'integrations');
  const listed = await read('GET /webhooks').catch(() => null);
  return { endpoints: listed?.endpoints ?? null };
}

/** OPS-19: endpoints of webhooks, for owners. */
export default function WebhooksPage() {
  const { endpoints } = useLiveLoaderData<typeof loader>(['integrations']);
  const [secret, setSecret] = useState<string | null>(null);
  const [added, setAdded] = useState(EMPTY_ENDPOINT);
  return (
    <AdminFrame title="Webhooks">
      <p className="muted measure">
        The shop sends a request to your bookkeeping, ERP or warehouse when something happens. Each request is signed
        and repeated for three days until it succeeds.
      </p>
      {secret !== null && (
        <ShownOnce
          title="Signing secret"
          text="Your receiver verifies the signature of each request with this secret. It is not shown again."
          secret={secret}
          contentName="secret"
          onStored={() => setSecret(null)}
        />
      )}
      {endpoints === null && (
        <ErrorState title="The endpoints could not be loaded." onRetry={() => void reloadPage()} />
      )}
      {endpoints?.length === 0 && <EmptyState title="There are no endpoints yet. Add the first one below." />}
      {endpoints !== null && endpoints.length > 0 && (
        <RowList>
          {endpoints.map((endpoint) => (
            <ListRow key={endpoint.id} className={styles.endpoint}>
              <EndpointRow endpoint={endpoint} />
            </ListRow>
          ))}
        </RowList>
      )}
      {endpoints !== null && endpoints.length >= MAX_ENDPOINTS ? (
        <p className="muted measure">There are ten endpoints, the maximum. Delete one to add another.</p>
      ) : (
        <Section title="Add an endpoint" surface="outlined">
          <DirectAction
            button="Add endpoint"
            meaning="From now on the shop sends the selected events to this URL."
            done="Endpoint added"
            onSubmit={async () => {
              const created = await call('POST /webhooks', { body: added });
              setSecret(created.secret);
              setAdded(EMPTY_ENDPOINT);
            }}
          >
            <EndpointFields value={added} onChange={(part) => setAdded({ ...added, ...part })} />
          </DirectAction>
        </Section>
      )}
    </AdminFrame>
  );
}

function EndpointRow({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { id, url, description, event_types: types, pending, given_up: givenUp } = endpoint;
  const counts = [
    `${types.length} ${types.length === 1 ? 'event' : 'events'}`,
    ...(pending > 0 ? [`${pending} pending`] : []),
    ...(givenUp > 0 ? [`${givenUp} given up`] : []),
  ];
  return (
    <>
      <div>
        <RowLink to={`/admin/webhooks/${id}`}>{url}</RowLink>
        {description !== '' && <p className="muted small">{description}</p>}
      </div>
      <p className="muted small">{counts.join(', ')}</p>
      <Row rowGap={4}>
        <EndpointBadge endpoint={endpoint} />
      </Row>
    </>
  );
}
