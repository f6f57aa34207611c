import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import type { WebhookAttempt } from '#src/shop/webhooks/endpoints/contract.ts';
import { isApiFailure } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { throwNotFound } from '#src/storefront/page/page-responses.ts';
import { reloadPage, useReloadEvery } from '#src/storefront/reload-page.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { BackLink } from '#src/ui/back-link.tsx';
import { Button } from '#src/ui/button.tsx';
import { EmptyState, ErrorState } from '#src/ui/states.tsx';
import { useHydrated } from '#src/ui/use-hydrated.ts';
import actionStyles from '../../kit/actions.module.css';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { useQuickAction } from '../../kit/quick-action.tsx';
import rows from '../../kit/row-list.module.css';
import { requireStaff } from '../../kit/staff-page.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import { DeliveryBadge } from './state-badges.tsx';
import styles from './webhooks.module.css';

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
      <section className={actionStyles.actions} aria-labelledby="delivery-title">
        <h2 id="delivery-title">Delivery</h2>
        <div className={rows.states}>
          <DeliveryBadge state={delivery.state} />
          <span className={actionStyles.muted}>
            Created <Moment at={delivery.created_at} shows="moment" />
            {delivery.next_at !== null && (
              <span>
                , next attempt <Moment at={delivery.next_at} shows="moment" /> unless an earlier event of the same
                object is pending
              </span>
            )}
            {isPending && delivery.next_at === null && <span>. It waits until the endpoint is enabled</span>}
          </span>
        </div>
        <dl className={actionStyles.facts}>
          <div>
            <dt>webhook-id</dt>
            <dd>
              <code translate="no">{delivery.event_id}</code>
            </dd>
          </div>
        </dl>
        <div className={styles.buttons}>
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
        </div>
      </section>
      <section className={actionStyles.actions} aria-labelledby="request-title">
        <h2 id="request-title">Request</h2>
        <pre className={styles.text}>{formatJson(body)}</pre>
      </section>
      <section className={actionStyles.actions} aria-labelledby="attempts-title">
        <h2 id="attempts-title">Attempts</h2>
        {attempts.length === 0 ? (
          <EmptyState title="It was not sent yet." />
        ) : (
          attempts.map((attempt) => <Attempt key={attempt.number} attempt={attempt} />)
        )}
      </section>
    </AdminFrame>
  );
}

function Attempt({ attempt }: { readonly attempt: WebhookAttempt }) {
  const { number, at, duration_ms: durationMs, status, failure, response } = attempt;
  return (
    <div className={actionStyles.refund}>
      <h3>
        Attempt {number}: {status === null ? 'no response' : `status ${status}`}
      </h3>
      <p className={actionStyles.muted}>
        <Moment at={at} shows="moment" />, {durationMs} ms
      </p>
      {failure !== null && <p className={styles.problem}>{failure}</p>}
      {response !== null && response !== '' && <pre className={styles.text}>{response}</pre>}
    </div>
  );
}
