/**
 * Sends deliveries: at least once, the events of an object in their order, one request at a time per endpoint. A
 * process leases an endpoint while it sends; what a killed process had sent without recording it is sent again.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { AllowedPrivate } from '#src/platform/outbound/address-policy.ts';
import { postGuarded } from '#src/platform/outbound/post-guarded.ts';
import type { GuardedResult, ResolveHost } from '#src/platform/outbound/post-guarded.ts';
import { signWebhook } from '#src/platform/outbound/sign-webhook.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { SecretBox } from '#src/platform/security/secret-box.ts';
import { toRowRange } from '#src/shop/list-pages.ts';
import type { Actor } from '#src/shop/audit-log/actor.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import {
  computePauseMs,
  computeRetryDelayMs,
  findDisableReason,
  GIVE_UP_MS,
  isGivenUp,
  isSuccessStatus,
} from '../retry-schedule.ts';
import type { DisableReason } from '../retry-schedule.ts';
import * as store from './store.ts';
import type { Attempt, DeliveryFilter, DueDelivery, LeasedEndpoint } from './store.ts';

const STORED_RESPONSE = 2_000;
/** A lease outlives the slowest request with its body. */
const LEASE_MARGIN_MS = 10_000;

export interface WebhookRules {
  readonly allowed: AllowedPrivate;
  /** Whether URLs may start with http://. */
  readonly isHttpAllowed: boolean;
  /** Until the status of a response. */
  readonly timeoutMs: number;
  /** Scales the schedule of retries. */
  readonly firstRetryMs: number;
}

export interface WebhookDeliveriesOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: Pick<SecretBox, 'open'>;
  readonly rules: WebhookRules;
  readonly resolveHost?: ResolveHost;
  /** Called in the transaction that disables an endpoint. */
  readonly onDisabled: (tx: Db, endpointId: string, because: DisableReason) => Promise<void>;
}

/** Context of the encrypted secrets. */
export const formatSecretContext = (endpointId: string): string => `webhook:${endpointId}`;

const describeResult = (result: GuardedResult): string | null => {
  if (result.status === null) return result.failure;
  if (isSuccessStatus(result.status)) return null;
  const isRedirect = result.status >= 300 && result.status < 400;
  return isRedirect ? 'Redirects are not followed' : 'The status is not 2xx';
};

export class WebhookDeliveries {
  readonly #options: WebhookDeliveriesOptions;

  constructor(options: WebhookDeliveriesOptions) {
    this.#options = options;
  }

  get #leaseMs(): number {
    return this.#options.rules.timeoutMs + LEASE_MARGIN_MS;
  }

  /** Leases endpoints with something to send. Each must be passed to `sendAll`. */
  lease(limit: number): Promise<{ readonly token: string; readonly endpoints: readonly LeasedEndpoint[] }> {
    const token = randomUUID();
    const lease = { token, ms: this.#leaseMs, now: this.#options.clock.now(), limit };
    return store.leaseEndpoints(this.#options.db, lease).then((endpoints) => ({ token, endpoints }));
  }

  /** Sends what is due to a leased endpoint, one after the other, then releases it. */
  async sendAll(endpoint: LeasedEndpoint, token: string, isStopping: () => boolean): Promise<void> {
    const { clock, db } = this.#options;
    try {
      while (!isStopping()) {
        const lease = { endpointId: endpoint.id, token, ms: this.#leaseMs, now: clock.now() };
        const due = await store.findDueDelivery(db, lease);
        if (due === null || !(await this.#send(endpoint, token, due))) return;
      }
    } finally {
      await store.releaseLease(db, endpoint.id, token);
    }
  }

  /** Whether the process may continue with the endpoint. */
  async #send(endpoint: LeasedEndpoint, token: string, due: DueDelivery): Promise<boolean> {
    const { clock, resolveHost, rules, secrets } = this.#options;
    const context = formatSecretContext(endpoint.id);
    const keys = [endpoint.secret, endpoint.formerSecret].filter((secret) => secret !== null);
    const opened = keys.map((secret) => secrets.open(secret, context).toString('utf8'));
    const at = clock.now();
    const result = await postGuarded({
      url: endpoint.url,
      // Receivers compare with their own clock; that of a demo can be moved.
      headers: signWebhook(due.eventId, due.body, opened, new Date()),
      body: due.body,
      ...rules,
      ...(resolveHost && { resolveHost }),
    });
    return this.#record(endpoint.id, token, due, at, result);
  }

  async #record(
    endpointId: string,
    token: string,
    due: DueDelivery,
    at: Date,
    result: GuardedResult,
  ): Promise<boolean> {
    const attempt = {
      deliveryId: due.id,
      at,
      durationMs: result.durationMs,
      status: result.status,
      failure: describeResult(result),
      response: result.status === null ? null : result.body.slice(0, STORED_RESPONSE).toWellFormed(),
    };
    const lease = { endpointId, token };
    return isSuccessStatus(result.status)
      ? store.recordDelivered(this.#options.db, lease, attempt)
      : this.#recordFailure(lease, due, attempt);
  }

  #recordFailure(
    { endpointId, token }: { readonly endpointId: string; readonly token: string },
    due: DueDelivery,
    attempt: Attempt,
  ): Promise<boolean> {
    const { clock, db, onDisabled, rules } = this.#options;
    return transact(db, async (tx) => {
      const endpoint = await store.lockLeased(tx, endpointId, token);
      // Another process took over and sends it again.
      if (endpoint === null) return false;
      const now = clock.now();
      const delayMs = computeRetryDelayMs(due.tries + 1, randomInt(1_000) / 1_000, rules.firstRetryMs);
      const nextAt = isGivenUp(now, due.giveUpAt) ? null : new Date(now.getTime() + delayMs);
      await store.recordFailedAttempt(tx, attempt, nextAt);
      if (nextAt !== null) await store.postponeLater(tx, endpointId, due.objectId, nextAt);
      const pauseMs = computePauseMs(endpoint.failures + 1, rules.firstRetryMs);
      await store.recordFailure(tx, endpointId, now, pauseMs === 0 ? null : new Date(now.getTime() + pauseMs));
      const because = findDisableReason(attempt.status, endpoint.failingSince ?? now, now);
      if (because !== null && (await store.disable(tx, endpointId, because, now))) {
        await onDisabled(tx, endpointId, because);
        return false;
      }
      return pauseMs === 0;
    });
  }

  // ---- the back office

  async list({ page = 1, ...filter }: DeliveryFilter & { readonly page?: number | undefined }) {
    const place = toRowRange(page);
    const { rows, total } = await store.listDeliveries(this.#options.db, filter, place);
    return { deliveries: rows, total, page };
  }

  /** With its attempts, the newest first. */
  async find(id: string) {
    const { db } = this.#options;
    const delivery = await store.findDelivery(db, id);
    return delivery && { ...delivery, attemptList: await store.listAttempts(db, id) };
  }

  /**
   * Sends a delivery again with the same id, or now if it waits. False if there is none, or if its endpoint is
   * disabled.
   */
  async resend(id: string, by: Actor): Promise<boolean> {
    const { clock, db } = this.#options;
    const now = clock.now();
    return transact(db, async (tx) => {
      if (!(await store.resend(tx, id, now, new Date(now.getTime() + GIVE_UP_MS)))) return false;
      const delivery = await store.findDelivery(tx, id);
      if (delivery === null) return false;
      await recordChange(tx, {
        at: now,
        by,
        action: 'webhook.delivery_resent',
        subject: { kind: 'webhook', id: delivery.endpointId },
        before: null,
        after: { event: delivery.eventId, type: delivery.type },
      });
      return true;
    });
  }
}
