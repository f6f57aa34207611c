import { useState } from 'react';
import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { listEventTypes, TEST_EVENT_TYPE } from '#src/shop/webhooks/events/event-type.ts';
import type { WebhookDelivery, WebhookEndpoint } from '#src/shop/webhooks/endpoints/contract.ts';
import { isApiFailure } from '#src/storefront/api.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { throwNotFound } from '#src/storefront/page/page-responses.ts';
import { reloadPage, useReloadEvery } from '#src/storefront/reload-page.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { BackLink } from '#src/ui/page/back-link.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { Row } from '#src/ui/layout/row.ts';
import { EmptyState, ErrorState } from '#src/ui/feedback/states.tsx';
import { classNames } from '#src/ui/styles/class-names.ts';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { ChoiceFilter, ListFilters, SearchFilter } from '../../kit/list-filters.tsx';
import { NoMatch, PagedList } from '../../kit/paged-list.tsx';
import { ListRow, RowLink, RowList } from '../../kit/row-list.tsx';
import { ShownOnce } from '../../kit/shown-once.tsx';
import { readChoice, readPageNumber, readSearchText, requireStaff } from '../../kit/staff-page.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import { EditEndpoint, EndpointActions } from './endpoint-actions.tsx';
import { DELIVERY_STATES, DeliveryBadge, describeLastAttempt, EndpointBadge } from './state-badges.tsx';
import styles from './webhooks.module.css';

const STATES = ['pending', 'delivered', 'given_up'] as const;
const TYPES = [...listEventTypes(), TEST_EVENT_TYPE] as const;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MAX_QUERY = 36;
/** While something is being sent. */
const POLL_MS = 3_000;

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Webhook endpoint · Back office', matches) },
  { name: 'description', content: 'An endpoint with its deliveries.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const id = args.params['id'] ?? '';
  const read = requireStaff(args, `/admin/webhooks/${id}`, 'integrations');
  const parameters = new URL(args.request.url).searchParams;
  const page = readPageNumber(parameters);
  const q = readSearchText(parameters, MAX_QUERY).trim().toLowerCase();
  const state = readChoice(parameters, 'state', STATES);
  const type = readChoice(parameters, 'type', TYPES);
  const isId = UUID.test(q);
  const query = { page: String(page), ...(isId && { q }), ...(state && { state }), ...(type && { type }) };
  const params = { id };
  const endpoint = await read('GET /webhooks/{id}', { params }).catch((error: unknown) =>
    isApiFailure(error) && error.status === 404 ? throwNotFound() : null,
  );
  const found =
    q === '' || isId
      ? await read('GET /webhooks/{id}/deliveries', { params, query }).catch(() => null)
      : { deliveries: [], total: 0, page };
  return { endpoint: endpoint?.endpoint ?? null, found, page, q, state: state ?? '', type: type ?? '' };
}

/** OPS-19: an endpoint of webhooks with its deliveries. */
export default function WebhookPage() {
  const { endpoint, found, page, q, state, type } = useLiveLoaderData<typeof loader>(['integrations']);
  const [secret, setSecret] = useState<string | null>(null);
  const isSending = endpoint?.state === 'enabled' && endpoint.pending > 0;
  useReloadEvery(isSending ? POLL_MS : null);
  const isFiltered = q !== '' || state !== '' || type !== '';
  return (
    <AdminFrame title="Webhook endpoint" beside={<BackLink to="/admin/webhooks" text="Webhooks" />}>
      {endpoint === null ? (
        <ErrorState title="The endpoint could not be loaded." onRetry={() => void reloadPage()} />
      ) : (
        <>
          <Section title={endpoint.url} surface="outlined">
            <State endpoint={endpoint} />
            <EndpointActions endpoint={endpoint} onSecret={setSecret} />
          </Section>
          {secret !== null && (
            <ShownOnce
              title="New signing secret"
              text="Store it in your receiver. It is not shown again. The former secret signs too for 24 hours."
              secret={secret}
              contentName="secret"
              onStored={() => setSecret(null)}
            />
          )}
        </>
      )}
      <h2>Deliveries</h2>
      <ListFilters filter={{ q, state, type }}>
        <SearchFilter label="Id of an event, order or ticket" value={q} maxLength={MAX_QUERY} />
        <ChoiceFilter
          label="State"
          name="state"
          value={state}
          hasAll
          options={STATES.map((one) => [one, DELIVERY_STATES[one].text])}
        />
        <ChoiceFilter label="Event" name="type" value={type} hasAll options={TYPES.map((one) => [one, one])} />
      </ListFilters>
      <PagedList
        found={found}
        page={page}
        failure="The deliveries could not be loaded."
        empty={
          isFiltered ? (
            <NoMatch
              title="No delivery matches."
              showAll="Show all deliveries"
              to={`/admin/webhooks/${endpoint?.id ?? ''}`}
            />
          ) : (
            <EmptyState title="Nothing was sent in the last 30 days. Send a test event to try the endpoint." />
          )
        }
      >
        {({ deliveries }) => (
          <RowList>
            {deliveries.map((delivery) => (
              <ListRow key={delivery.id} className={styles.delivery}>
                <DeliveryRow delivery={delivery} />
              </ListRow>
            ))}
          </RowList>
        )}
      </PagedList>
      {endpoint !== null && <EditEndpoint endpoint={endpoint} />}
    </AdminFrame>
  );
}

const DISABLED_TEXTS = {
  staff: 'Disabled by the team. Enable it to send events again.',
  failing: 'Disabled because every request failed for three days. Repair the receiver, then enable it.',
  gone: 'Disabled because the receiver returned status 410. Change the URL, then enable it.',
} as const;

function State({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { description, disabled_because: because, failing_since: failingSince } = endpoint;
  return (
    <>
      {description !== '' && <p className="muted measure">{description}</p>}
      <Row rowGap={4}>
        <EndpointBadge endpoint={endpoint} />
        {because !== null && <span className="muted measure">{DISABLED_TEXTS[because]}</span>}
        {because === null && failingSince !== null && (
          <span className="muted measure">
            Every request failed since <Moment at={failingSince} shows="moment" />. After three days the endpoint is
            disabled.
          </span>
        )}
      </Row>
      {endpoint.former_secret_until !== null && (
        <p className="muted measure">
          The former secret signs too until <Moment at={endpoint.former_secret_until} shows="moment" />.
        </p>
      )}
    </>
  );
}

function DeliveryRow({ delivery }: { readonly delivery: WebhookDelivery }) {
  return (
    <>
      <div>
        <RowLink to={`/admin/webhooks/deliveries/${delivery.id}`}>{delivery.type}</RowLink>
        <p className="muted small">
          <Moment at={delivery.created_at} shows="moment" />
        </p>
      </div>
      <p className={classNames('muted small', styles.wide)}>{describeLastAttempt(delivery)}</p>
      <p className={classNames('muted small', styles.wide)}>
        {delivery.attempts} {delivery.attempts === 1 ? 'attempt' : 'attempts'}
        {delivery.next_at !== null && (
          <span>
            , next <Moment at={delivery.next_at} shows="moment" />
          </span>
        )}
      </p>
      <Row rowGap={4}>
        <DeliveryBadge state={delivery.state} />
      </Row>
    </>
  );
}
