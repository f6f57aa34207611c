import { z } from 'zod';
import { filledText, id, instant, queryInteger, rowVersion, text } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { isOneLine } from '#src/shop/shop-settings/check-text.ts';
import { listEventTypes, TEST_EVENT_TYPE } from '../events/event-type.ts';

const eventType = z.enum(listEventTypes());
const deliveryStates = ['pending', 'delivered', 'given_up'] as const;

const endpoint = z.object({
  id,
  url: z.string(),
  description: z.string(),
  event_types: z.array(eventType),
  state: z.enum(['enabled', 'disabled']),
  /** `failing`: only failures for three days. `gone`: the receiver returned 410. Null: enabled. */
  disabled_because: z.enum(['staff', 'failing', 'gone']).nullable(),
  disabled_at: instant.nullable(),
  created_at: instant,
  /** The first failure since the last success; null without one. */
  failing_since: instant.nullable(),
  /** Until then the former secret signs too; null without one. */
  former_secret_until: instant.nullable(),
  pending: z.int().nonnegative(),
  given_up: z.int().nonnegative(),
  version: z.int().positive(),
});
export type WebhookEndpoint = z.input<typeof endpoint>;

const delivery = z.object({
  id,
  endpoint_id: id,
  /** The header webhook-id. */
  event_id: id,
  type: z.string(),
  /** The order, variant or ticket. */
  object_id: id,
  created_at: instant,
  state: z.enum(deliveryStates),
  attempts: z.int().nonnegative(),
  /**
   * Of a pending one; it waits longer while an earlier event of the object is pending. Null: it ended, or its endpoint
   * is disabled.
   */
  next_at: instant.nullable(),
  ended_at: instant.nullable(),
  /** Of the last attempt; null without a response. */
  last_status: z.int().nullable(),
  last_failure: z.string().nullable(),
});
export type WebhookDelivery = z.input<typeof delivery>;

const attempt = z.object({
  number: z.int().positive(),
  at: instant,
  duration_ms: z.int().nonnegative(),
  status: z.int().nullable(),
  /** Null: it was a success. */
  failure: z.string().nullable(),
  /** The first 2,000 characters; null without a response. */
  response: z.string().nullable(),
});
export type WebhookAttempt = z.input<typeof attempt>;

const fields = {
  url: filledText(2_000),
  description: text(200).trim().refine(isOneLine, { message: 'must be one line' }),
  event_types: z
    .array(eventType)
    .min(1, { message: 'Select at least one event' })
    .max(100)
    .transform((types) => [...new Set(types)]),
};
const byId = z.object({ id });
const version = rowVersion(1);
const oneEndpoint = z.object({ endpoint });
/** Shown once. */
const withSecret = z.object({ endpoint, secret: z.string() });
const OF_OWNERS = { 401: 'reauth', 403: 'forbidden' } as const;

export const webhooksApi = {
  'GET /webhooks': {
    summary: 'Owner: the endpoints that are sent events; at most ten',
    response: z.object({ endpoints: z.array(endpoint) }),
    refusals: { 403: 'forbidden' },
  },
  'GET /webhooks/{id}': {
    summary: 'Owner: an endpoint',
    params: byId,
    response: oneEndpoint,
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
  'POST /webhooks': {
    summary: 'Owner: creates an endpoint, within 15 minutes of entering the password. The secret is shown once',
    body: z.object(fields),
    status: 201,
    response: withSecret,
    failureMessage: 'The endpoint was not created',
    refusals: { ...OF_OWNERS, 409: 'too-many' },
  },
  'PUT /webhooks/{id}': {
    summary: 'Owner: changes URL, description and events, within 15 minutes of entering the password',
    params: byId,
    body: z.object({ ...fields, version }),
    response: oneEndpoint,
    failureMessage: 'The endpoint was not saved',
    refusals: { ...OF_OWNERS, 404: 'not-found', 409: 'changed-meanwhile' },
  },
  'DELETE /webhooks/{id}': {
    summary: 'Owner: deletes an endpoint with its deliveries',
    params: byId,
    response: z.object({ message: z.literal('success') }),
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
  'POST /webhooks/{id}/enable': {
    summary: 'Owner: sends events to the endpoint again, and what waits for it',
    params: byId,
    response: oneEndpoint,
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
  'POST /webhooks/{id}/disable': {
    summary: 'Owner: sends nothing to the endpoint. Events meanwhile are not sent later',
    params: byId,
    response: oneEndpoint,
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
  'POST /webhooks/{id}/rotate-secret': {
    summary:
      'Owner: creates a new secret, within 15 minutes of entering the password. The former one signs too for 24 hours',
    params: byId,
    response: withSecret,
    refusals: { ...OF_OWNERS, 404: 'not-found' },
  },
  'POST /webhooks/{id}/test': {
    summary: `Owner: sends the event ${TEST_EVENT_TYPE} to the endpoint`,
    params: byId,
    status: 201,
    response: z.object({ event_id: id }),
    refusals: { 403: 'forbidden', 404: 'not-found', 409: 'disabled' },
  },
  'GET /webhooks/{id}/deliveries': {
    summary: 'Owner: deliveries of the last 30 days, newest first, 25 a page. q is the id of an event, order or ticket',
    params: byId,
    query: z.object({
      state: z.enum(deliveryStates).optional(),
      type: z.union([eventType, z.literal(TEST_EVENT_TYPE)]).optional(),
      q: id.optional(),
      page: queryInteger(1, 100_000).optional(),
    }),
    response: z.object({
      deliveries: z.array(delivery),
      total: z.int().nonnegative(),
      page: z.int().positive(),
    }),
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
  'GET /webhook-deliveries/{id}': {
    summary: 'Owner: a delivery with the body that is sent and its last 40 attempts, newest first',
    params: byId,
    response: z.object({ delivery, body: z.string(), attempts: z.array(attempt) }),
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
  'POST /webhook-deliveries/{id}/resend': {
    summary: 'Owner: sends a delivery again with the same webhook-id, or now if it waits',
    params: byId,
    response: z.object({ delivery }),
    refusals: { 403: 'forbidden', 404: 'not-found', 409: 'disabled' },
  },
} as const satisfies Contract;
