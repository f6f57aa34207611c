/** Endpoints of webhooks: what owners create and change. */
import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { createNotFound, Refusal } from '#src/platform/http/call.ts';
import { findUrlProblem } from '#src/platform/outbound/post-guarded.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { SecretBox } from '#src/platform/security/secret-box.ts';
import type { Actor } from '#src/shop/audit-log/actor.ts';
import type { AuditFields } from '#src/shop/audit-log/changed-fields.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import { changeDocument } from '#src/shop/editing/service.ts';
import { formatSecretContext } from '../deliveries/service.ts';
import type { WebhookRules } from '../deliveries/service.ts';
import { pickEventTypes } from '../events/event-type.ts';
import type { EventType } from '../events/event-type.ts';
import * as store from './store.ts';
import type { EndpointFields, EndpointRow } from './store.ts';

/** How long the former secret signs too. */
const ROTATION_MS = 24 * 3_600_000;
const SECRET_BYTES = 32;

export interface WebhookEndpointsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: Pick<SecretBox, 'seal'>;
  readonly rules: Pick<WebhookRules, 'isHttpAllowed'>;
}

export interface EndpointWithCounts extends EndpointRow {
  readonly eventTypes: EventType[];
  readonly pending: number;
  readonly givenUp: number;
}

type Changed = Promise<EndpointWithCounts | Refusal>;
export type CreationResult =
  | { readonly ok: true; readonly endpoint: EndpointWithCounts; readonly secret: string }
  | { readonly ok: false; readonly reason: 'too-many' }
  | { readonly ok: false; readonly reason: 'invalid-url'; readonly problem: string };

const toAuditFields = ({ url, description, eventTypes, state }: EndpointFields & Pick<EndpointRow, 'state'>) => ({
  url,
  description,
  event_types: eventTypes,
  state,
});

export const refuseUrl = (problem: string): Refusal =>
  new Refusal(400, 'invalid', 'The URL cannot be used', { fields: { url: problem } });

/** A secret of Standard Webhooks. */
const createSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

export class WebhookEndpoints {
  readonly #options: WebhookEndpointsOptions;

  constructor(options: WebhookEndpointsOptions) {
    this.#options = options;
  }

  async list(): Promise<EndpointWithCounts[]> {
    const { clock, db } = this.#options;
    const now = clock.now();
    const [rows, counts] = await Promise.all([store.listEndpoints(db), store.countDeliveries(db)]);
    return rows.map((row) => ({
      ...row,
      eventTypes: pickEventTypes(row.eventTypes),
      formerSecretUntil: row.formerSecretUntil !== null && row.formerSecretUntil > now ? row.formerSecretUntil : null,
      ...(counts.get(row.id) ?? { pending: 0, givenUp: 0 }),
    }));
  }

  async find(id: string): Promise<EndpointWithCounts | null> {
    return (await this.list()).find((one) => one.id === id) ?? null;
  }

  async create(fields: EndpointFields, by: Actor): Promise<CreationResult> {
    const { clock, db, secrets } = this.#options;
    const problem = findUrlProblem(fields.url, this.#options.rules);
    if (problem !== null) return { ok: false, reason: 'invalid-url', problem };
    const [id, secret, at] = [uuidv7(), createSecret(), clock.now()];
    const isCreated = await transact(db, async (tx) => {
      const sealed = secrets.seal(Buffer.from(secret), formatSecretContext(id));
      if (!(await store.insertEndpoint(tx, { ...fields, id, secret: sealed, at }))) return false;
      await this.#record(tx, id, 'webhook.created', by, { after: toAuditFields({ ...fields, state: 'enabled' }) });
      return true;
    });
    const endpoint = isCreated ? await this.find(id) : null;
    return endpoint === null ? { ok: false, reason: 'too-many' } : { ok: true, endpoint, secret };
  }

  async edit(id: string, version: number, fields: EndpointFields, by: Actor): Changed {
    const problem = findUrlProblem(fields.url, this.#options.rules);
    if (problem !== null) return refuseUrl(problem);
    const refused = await changeDocument(this.#options, {
      by,
      version,
      what: 'this endpoint',
      subject: { kind: 'webhook', id },
      lock: (tx) => store.lockEndpoint(tx, id),
      write: async (tx, before) => {
        await store.updateEndpoint(tx, id, fields);
        const after = toAuditFields({ ...fields, state: before.state });
        return { saved: null, recorded: { action: 'webhook.edited', before: toAuditFields(before), after } };
      },
    });
    return refused ?? this.#read(id);
  }

  /** Idempotent. */
  async setEnabled(id: string, isEnabled: boolean, by: Actor): Changed {
    const state = isEnabled ? 'enabled' : 'disabled';
    const refused = await changeDocument(this.#options, {
      by,
      what: 'this endpoint',
      subject: { kind: 'webhook', id },
      lock: (tx) => store.lockEndpoint(tx, id),
      write: async (tx, before, at) => {
        if ((before.state === 'enabled') === isEnabled) return { saved: null, recorded: null };
        await store.setState(tx, id, isEnabled, at);
        const [old, present] = [{ state: before.state }, { state }];
        return { saved: null, recorded: { action: `webhook.${state}`, before: old, after: present } };
      },
    });
    return refused ?? this.#read(id);
  }

  async rotateSecret(
    id: string,
    by: Actor,
  ): Promise<{ readonly endpoint: EndpointWithCounts; readonly secret: string } | null> {
    const { clock, db, secrets } = this.#options;
    const secret = createSecret();
    const isRotated = await transact(db, async (tx) => {
      if ((await store.lockEndpoint(tx, id)) === null) return false;
      const formerUntil = new Date(clock.now().getTime() + ROTATION_MS);
      await store.rotateSecret(tx, id, secrets.seal(Buffer.from(secret), formatSecretContext(id)), formerUntil);
      await this.#record(tx, id, 'webhook.secret_rotated', by, { after: { former_secret_until: formerUntil } });
      return true;
    });
    const endpoint = isRotated ? await this.find(id) : null;
    return endpoint && { endpoint, secret };
  }

  /** False if there is no such endpoint. */
  remove(id: string, by: Actor): Promise<boolean> {
    return transact(this.#options.db, async (tx) => {
      const before = await store.lockEndpoint(tx, id);
      if (before === null) return false;
      await store.deleteEndpoint(tx, id);
      await this.#record(tx, id, 'webhook.deleted', by, { before: toAuditFields(before) });
      return true;
    });
  }

  /** In the transaction that disables it. */
  async findUrl(tx: Db, id: string): Promise<string | null> {
    return (await store.findEndpoint(tx, id))?.url ?? null;
  }

  /** In the transaction that records the test event. */
  recordTest(tx: Db, id: string, eventId: string, by: Actor): Promise<void> {
    return this.#record(tx, id, 'webhook.tested', by, { after: { event: eventId } });
  }

  async #read(id: string): Changed {
    return (await this.find(id)) ?? createNotFound();
  }

  #record(
    tx: Db,
    id: string,
    action: string,
    by: Actor,
    { before = null, after = null }: { readonly before?: AuditFields | null; readonly after?: AuditFields | null },
  ): Promise<void> {
    const subject = { kind: 'webhook', id } as const;
    return recordChange(tx, { at: this.#options.clock.now(), by, action, subject, before, after });
  }
}
