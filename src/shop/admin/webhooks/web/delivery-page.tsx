import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import type { WebhookAttempt } from '#src/shop/webhooks/endpoints/contract.ts';
import { isApiFailure } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { throwNotFound } from '#src/storefront/page/page-responses.ts';
import { reloadPage, useReloadEvery } from '#src/storefront/reload-page.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { BackLink } from '#src/ui/page/back-link.tsx';
import { Button } from '#src/ui/controls/button.tsx';
import { EmptyState, ErrorState } from '#src/ui/feedback/states.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { Fact, Facts } from '#src/ui/display/facts.tsx';
import { Row } from '#src/ui/layout/row.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { Stack } from '#src/ui/layout/stack.ts';
import partStyles from '../../kit/part.module.css';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { useQuickAction } from '../../kit/quick-action.tsx';
import { requireStaff } from '../../kit/staff-page.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import { DeliveryBadge } from './state-badges.tsx';

/** While it is being sent. */
const POLL_MS = 3_000;

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Webhook delivery · Back office', matches) },
  { name: 'description', content: 'A request of a webhook with its attempts.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const id = args.params['id'] ?? '';
  const read = requireStaff(args, `/admin/webhooks/deliveries/${id}`, 'integrations');
  const found = await read('GET /webhook-deliveries/{id}', { params: { id } }).catch((error: unknown) =>
    isApiFailure(error) && error.status === 404 ? throwNotFound() : null,
  );
  return { found };
}

/** JSON with indentation; the text itself if it is none. */
function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** OPS-19: what was sent, each attempt with its response, and sending it again. */
export default function DeliveryPage() {
  const { found } = useLiveLoaderData<typeof loader>(['integrations']);
  const { isBusy, run } = useQuickAction();
  const isHydrated = useHydrated();
  const isPending = found?.delivery.state === 'pending';
  useReloadEvery(isPending ? POLL_MS : null);
  if (found === null) {
    return (
      <AdminFrame title="Webhook delivery" beside={<BackLink to="/admin/webhooks" text="Webhooks" />}>
        <ErrorState title="The delivery could not be loaded." onRetry={() => void reloadPage()} />
      </AdminFrame>
    );
  }
  const { delivery, body, attempts } = found;
  const params = { id: delivery.id };
  return (
    <AdminFrame
      title={delivery.type}
      beside={<BackLink to={`/admin/webhooks/${delivery.endpoint_id}`} text="Webhook endpoint" />}
    >
      <Section title="Delivery" surface="outlined">
        <Row rowGap={4}>
          <DeliveryBadge state={delivery.state} />
          <span className="muted measure">
            Created <Moment at={delivery.created_at} shows="moment" />
            {delivery.next_at !== null && (
              <span>
                , next attempt <Moment at={delivery.next_at} shows="moment" /> unless an earlier event of the same
                object is pending
              </span>
            )}
            {isPending && delivery.next_at === null && <span>. It waits until the endpoint is enabled</span>}
          </span>
        </Row>
        <Facts className={partStyles.facts}>
          <Fact label="webhook-id">
            <code translate="no">{delivery.event_id}</code>
          </Fact>
        </Facts>
        <Row>
          <Button
            variant="secondary"
            isBusy={isBusy}
            disabled={!isHydrated}
            onClick={() =>
              void run(() => call('POST /webhook-deliveries/{id}/resend', { params }), 'The event is being sent')
            }
          >
            {isPending ? 'Send now' : 'Send again'}
          </Button>
        </Row>
      </Section>
      <Section title="Request" surface="outlined">
        <Stack as="pre" surface="soft-small" className="fine">
          {formatJson(body)}
        </Stack>
      </Section>
      <Section title="Attempts" surface="outlined">
        {attempts.length === 0 ? (
          <EmptyState title="It was not sent yet." />
        ) : (
          attempts.map((attempt) => <Attempt key={attempt.number} attempt={attempt} />)
        )}
      </Section>
    </AdminFrame>
  );
}

function Attempt({ attempt }: { readonly attempt: WebhookAttempt }) {
  const { number, at, duration_ms: durationMs, status, failure, response } = attempt;
  return (
    <Section
      title={
        <>
          Attempt {number}: {status === null ? 'no response' : `status ${status}`}
        </>
      }
      level={3}
      size={16}
      className={partStyles.part}
    >
      <p className="muted measure">
        <Moment at={at} shows="moment" />, {durationMs} ms
      </p>
      {failure !== null && <p className="danger">{failure}</p>}
      {response !== null && response !== '' && (
        <Stack as="pre" surface="soft-small" className="fine">
          {response}
        </Stack>
      )}
    </Section>
  );
}
