import type { EmbeddedPostgres } from '#src/platform/database/embedded-postgres.ts';
import { WriteProbe } from '#src/platform/database/write-probe.ts';
import type { Readiness } from '#src/platform/telemetry/health.ts';
import { LiveRate } from '#src/platform/rates/live-rate.ts';
import type { Shop } from './compose.ts';
import type { ShopResources } from './open-foundation.ts';

const toSeconds = (ms: number | null): number | null => ms && Math.floor(ms / 1000);

/** The parts that a process needs, or knows without asking the database. */
export function createReadinessCheck(
  { database, settings }: ShopResources,
  embedded: EmbeddedPostgres | null,
  { payments, rates }: Pick<Shop, 'payments' | 'rates'>,
): () => Promise<Readiness> {
  const probe = new WriteProbe(database.db);
  return async () => {
    const state = embedded?.getState() ?? 'ready';
    const parts = {
      database: state === 'ready' ? await probe.check() : state,
      // The disk of an external database cannot be measured.
      disk: embedded?.getDiskLevel() ?? 'unknown',
      // Reported only: without the chain, browsing and checkout still work.
      chain: payments.isUp() ? 'up' : 'down',
      rate: rates.getState(),
      network: settings.network,
      // Since enough exchanges agreed on the last rate. Null if there was none.
      ...(rates instanceof LiveRate && { rate_age_s: toSeconds(rates.getAgeMs()) }),
      // Node settings that hide payments.
      ...(payments.limitations.length > 0 && { chain_limits: payments.limitations.join(', ') }),
    };
    return { isReady: parts.database === 'ready' && parts.disk !== 'full', parts };
  };
}
