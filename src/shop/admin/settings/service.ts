/** Health of the parts of the shop, and the set-up checklist. */
import type { z } from 'zod';
import { readLastBackup } from '#src/platform/database/backup-record.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Readiness } from '#src/platform/telemetry/health.ts';
import { QueueWatch, readQueueHealth } from '#src/platform/jobs/queue-health.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import { MAIL_JOB } from '#src/platform/mail/mails.ts';
import type { Mails } from '#src/platform/mail/mails.ts';
import type { RateSourceWithState } from '#src/platform/rates/rate-source.ts';
import type { Catalogue } from '#src/shop/catalogue/service.ts';
import type { Payments } from '#src/shop/payments/service.ts';
import type { ShopSettings } from '#src/shop/shop-settings/service.ts';
import type { adminSettingsApi } from './contract.ts';
import { checkSteps } from './setup-checklist.ts';
import type { SetupChecks } from './setup-checklist.ts';
import { hasPaidOrder, readPartStates, recordPartStates } from './store.ts';
import type { PartStates } from './store.ts';

type Responses = {
  readonly [Key in keyof typeof adminSettingsApi]: z.output<(typeof adminSettingsApi)[Key]['response']>;
};
type Part = Omit<Responses['GET /support/health']['parts'][number], 'since'> & { readonly since: Date | null };

export interface SetupOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly catalogue: Pick<Catalogue, 'snapshot' | 'hasOrderableVariant'>;
  readonly shopSettings: Pick<ShopSettings, 'current'>;
  readonly payments: Pick<Payments, 'readChainHealth'>;
  readonly rates: RateSourceWithState;
  readonly mails: Pick<Mails, 'failingSince'>;
  readonly getSupportEmail: () => string | null;
  /** A demo shop has no checklist. */
  readonly hasSetup: boolean;
  /** Checks of slices that this one does not know. They replace checks of the same step. */
  readonly setupChecks?: SetupChecks;
}

export class Setup {
  readonly #options: SetupOptions;
  readonly #checks: SetupChecks;
  readonly #queueWatch: QueueWatch;

  constructor(options: SetupOptions) {
    this.#options = options;
    this.#queueWatch = new QueueWatch(options.db);
    this.#checks = { ...createChecks(options), ...options.setupChecks };
  }

  /** The steps that can be checked, with their state. */
  async readSetup(): Promise<Responses['GET /support/setup']> {
    if (!this.#options.hasSetup) return { steps: [], is_complete: true };
    return checkSteps(this.#checks);
  }

  /** @param readiness what `/readyz` reports */
  async readHealth(readiness: Readiness): Promise<Responses['GET /support/health']> {
    const { clock, db } = this.#options;
    const recorded = await readPartStates(db);
    const parts = await this.#checkParts(readiness, recorded);
    const now = clock.now();
    return {
      parts: parts.map((part) => {
        const before = recorded.get(part.name);
        // What changed since it was last recorded changed just now, as far as is known.
        return { ...part, since: before?.isOk === part.is_ok ? before.since : (part.since ?? now) };
      }),
    };
  }

  /** Records which parts work, for `since`. @returns whether one began to work or fail */
  async recordHealth(readiness: Readiness): Promise<boolean> {
    const { clock, db } = this.#options;
    const now = clock.now();
    const parts = await this.#checkParts(readiness, await readPartStates(db));
    return recordPartStates(
      db,
      parts.map(({ name, is_ok: isOk, state, since }) => ({ part: name, isOk, state, since: since ?? now })),
    );
  }

  /** `since` is set if what is stored says when a failure began. */
  async #checkParts({ parts }: Readiness, recorded: PartStates): Promise<Part[]> {
    const { db, mails, payments, rates } = this.#options;
    const [chain, mailQueue, overdueSince] = await Promise.all([
      payments.readChainHealth(),
      readQueueHealth(db, MAIL_JOB),
      this.#queueWatch.findOverdueSince(recorded.get('jobs')?.isOk === false),
    ]);
    const rate = rates.getState();
    const rateAt = rates.getCurrent()?.at ?? null;
    const failingSince = mailQueue.retriedSince ?? mails.failingSince;
    const database = String(parts['database']);
    const disk = String(parts['disk']);
    return [
      { name: 'database', is_ok: database === 'ready', state: database, at: null, since: null },
      { name: 'disk', is_ok: disk !== 'full' && disk !== 'exhausted', state: disk, at: null, since: null },
      {
        name: 'chain',
        is_ok: chain.isUp,
        state: chain.isUp ? 'up' : 'down',
        at: chain.reconciledAt,
        since: chain.isUp ? null : chain.reconciledAt,
      },
      { name: 'rate', is_ok: rate === 'current', state: rate, at: rateAt, since: null },
      {
        name: 'mail',
        is_ok: failingSince === null,
        state: failingSince === null ? 'sending' : 'failing',
        at: failingSince,
        since: failingSince,
      },
      {
        name: 'jobs',
        is_ok: overdueSince === null,
        state: overdueSince === null ? 'running' : 'behind',
        at: overdueSince,
        since: overdueSince,
      },
    ];
  }
}

function createChecks(options: SetupOptions): SetupChecks {
  const { catalogue, db, getSupportEmail, payments, rates, shopSettings } = options;
  return {
    chain: async () => (await payments.readChainHealth()).isUp,
    rate: () => rates.getState() === 'current',
    backup: async () => (await readLastBackup(db)) !== null,
    identity: () => {
      const { identity, legal } = shopSettings.current;
      return identity.name !== '' && identity.address !== '' && legal.contact_email !== '';
    },
    mail: () => shopSettings.current.mail.sender_name !== '' && getSupportEmail() !== null,
    category: () => catalogue.snapshot.categories.length > 0,
    product: () => catalogue.snapshot.products.length > 0,
    stock: () => catalogue.hasOrderableVariant(db),
    'test-order': () => hasPaidOrder(db),
  };
}
