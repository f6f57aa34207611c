import { createNotFound, Refusal } from '#src/platform/http/call.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import type { WebhookDeliveries } from '../deliveries/service.ts';
import type { WebhookEvents } from '../events/service.ts';
import type { webhooksApi } from './contract.ts';
import { refuseUrl } from './service.ts';
import type { EndpointWithCounts, WebhookEndpoints } from './service.ts';

const reading: Limit = { points: 120, seconds: 60, by: 'caller' };
const writing: Limit = { points: 30, seconds: 60, by: 'caller', isShared: true };
/** Each sends a request. */
const sending: Limit = { points: 60, seconds: 60, by: 'caller', isShared: true };

export interface WebhookRoutesOptions {
  readonly webhookEndpoints: WebhookEndpoints;
  readonly webhookDeliveries: WebhookDeliveries;
  readonly webhookEvents: WebhookEvents;
}

const showEndpoint = (row: EndpointWithCounts) => ({
  id: row.id,
  url: row.url,
  description: row.description,
  event_types: row.eventTypes,
  state: row.state,
  disabled_because: row.disabledBecause,
  disabled_at: row.disabledAt,
  created_at: row.createdAt,
  failing_since: row.failingSince,
  former_secret_until: row.formerSecretUntil,
  pending: row.pending,
  given_up: row.givenUp,
  version: row.version,
});

type ListedDelivery = Awaited<ReturnType<WebhookDeliveries['list']>>['deliveries'][number];

const showDelivery = (row: ListedDelivery) => ({
  id: row.id,
  endpoint_id: row.endpointId,
  event_id: row.eventId,
  type: row.type,
  object_id: row.objectId,
  created_at: row.createdAt,
  state: row.state,
  attempts: row.attempts,
  next_at: row.nextAt,
  ended_at: row.endedAt,
  last_status: row.lastStatus,
  last_failure: row.lastFailure,
});

const createDisabled = (): Refusal => new Refusal(409, 'disabled', 'The endpoint is disabled. Enable it first');
const respond = (result: EndpointWithCounts | Refusal) =>
  result instanceof Refusal ? result : { endpoint: showEndpoint(result) };

const toFields = (body: { url: string; description: string; event_types: readonly string[] }) => ({
  url: body.url,
  description: body.description,
  eventTypes: body.event_types,
});

type Routes = RoutesOf<typeof webhooksApi>;

export const createWebhookRoutes = (options: WebhookRoutesOptions): Routes => ({
  ...createEndpointRoutes(options),
  ...createDeliveryRoutes(options),
});

type DeliveryKey =
  | 'POST /webhooks/{id}/test'
  | 'GET /webhooks/{id}/deliveries'
  | 'GET /webhook-deliveries/{id}'
  | 'POST /webhook-deliveries/{id}/resend';

function createEndpointRoutes({ webhookEndpoints: endpoints }: WebhookRoutesOptions): Omit<Routes, DeliveryKey> {
  return {
    'GET /webhooks': {
      who: 'integrations',
      limit: reading,
      handle: async () => ({ endpoints: (await endpoints.list()).map(showEndpoint) }),
    },
    'GET /webhooks/{id}': {
      who: 'integrations',
      limit: reading,
      handle: async ({ params }) => {
        const endpoint = await endpoints.find(params.id);
        return endpoint ? { endpoint: showEndpoint(endpoint) } : createNotFound();
      },
    },
    'POST /webhooks': {
      who: 'integration-changes',
      limit: writing,
      handle: async ({ body, caller }) => {
        const created = await endpoints.create(toFields(body), toStaffActor(caller));
        if (created.ok) return { endpoint: showEndpoint(created.endpoint), secret: created.secret };
        return created.reason === 'too-many'
          ? new Refusal(409, 'too-many', 'There are ten endpoints already. Delete one first')
          : refuseUrl(created.problem);
      },
    },
    'PUT /webhooks/{id}': {
      who: 'integration-changes',
      limit: writing,
      handle: async ({ params, body, caller }) =>
        respond(await endpoints.edit(params.id, body.version, toFields(body), toStaffActor(caller))),
    },
    'DELETE /webhooks/{id}': {
      who: 'integrations',
      limit: writing,
      handle: async ({ params, caller }) =>
        (await endpoints.remove(params.id, toStaffActor(caller))) ? { message: 'success' } : createNotFound(),
    },
    'POST /webhooks/{id}/enable': {
      who: 'integrations',
      limit: writing,
      handle: async ({ params, caller }) => respond(await endpoints.setEnabled(params.id, true, toStaffActor(caller))),
    },
    'POST /webhooks/{id}/disable': {
      who: 'integrations',
      limit: writing,
      handle: async ({ params, caller }) => respond(await endpoints.setEnabled(params.id, false, toStaffActor(caller))),
    },
    'POST /webhooks/{id}/rotate-secret': {
      who: 'integration-changes',
      limit: writing,
      handle: async ({ params, caller }) => {
        const rotated = await endpoints.rotateSecret(params.id, toStaffActor(caller));
        return rotated ? { endpoint: showEndpoint(rotated.endpoint), secret: rotated.secret } : createNotFound();
      },
    },
  };
}

function createDeliveryRoutes({
  webhookEndpoints: endpoints,
  webhookDeliveries: deliveries,
  webhookEvents: events,
}: WebhookRoutesOptions): Pick<Routes, DeliveryKey> {
  return {
    'POST /webhooks/{id}/test': {
      who: 'integrations',
      limit: sending,
      handle: async ({ params, caller }) => {
        if ((await endpoints.find(params.id)) === null) return createNotFound();
        const eventId = await events.sendTest(params.id, (tx, id) =>
          endpoints.recordTest(tx, params.id, id, toStaffActor(caller)),
        );
        return eventId === null ? createDisabled() : { event_id: eventId };
      },
    },
    'GET /webhooks/{id}/deliveries': {
      who: 'integrations',
      limit: reading,
      handle: async ({ params, query: { state, type, q, page } }) => {
        if ((await endpoints.find(params.id)) === null) return createNotFound();
        const listed = await deliveries.list({ endpointId: params.id, state, type, anId: q, page });
        return { ...listed, deliveries: listed.deliveries.map(showDelivery) };
      },
    },
    'GET /webhook-deliveries/{id}': {
      who: 'integrations',
      limit: reading,
      handle: async ({ params }) => {
        const found = await deliveries.find(params.id);
        if (found === null) return createNotFound();
        const attempts = found.attemptList.map(({ number, at, durationMs, status, failure, response }) => ({
          number,
          at,
          duration_ms: durationMs,
          status,
          failure,
          response,
        }));
        return { delivery: showDelivery(found), body: found.body, attempts };
      },
    },
    'POST /webhook-deliveries/{id}/resend': {
      who: 'integrations',
      limit: sending,
      handle: async ({ params, caller }) => {
        const isResent = await deliveries.resend(params.id, toStaffActor(caller));
        const found = await deliveries.find(params.id);
        if (found === null) return createNotFound();
        return isResent ? { delivery: showDelivery(found) } : createDisabled();
      },
    },
  };
}
