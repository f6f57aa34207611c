/** Metrics that are read at a scrape: of the shop, and of one process with its pool, caches and disk. */
import type { Readiness } from '#src/platform/telemetry/health.ts';
import type { Database } from '#src/platform/database/database.ts';
import { readFreeBytes } from '#src/platform/database/disk-space.ts';
import type { PageCache } from '#src/platform/pages/page-cache.ts';
import type { ResponseCache } from '#src/platform/pages/response-cache.ts';
import type { MetricSource } from '#src/platform/telemetry/telemetry.ts';
import type { Shop } from './compose.ts';
import type { ShopResources } from './open-foundation.ts';

/** All sources but the caches, which belong to the server. */
export const listMetricSources = (
  { database, settings }: ShopResources,
  { watching }: Pick<Shop, 'watching'>,
  checkReadiness: () => Promise<Readiness>,
): readonly MetricSource[] => [
  createPoolMetrics(database),
  createDiskMetrics(settings.dataDir),
  watching.createShopMetrics(checkReadiness),
  watching.createProcessMetrics(),
];

function createPoolMetrics({ pool }: Pick<Database, 'pool'>): MetricSource {
  return {
    definitions: {
      shop_database_connections: { help: 'Connections of the pool, by what they do', label: 'state' },
      shop_database_waiting: { help: 'Callers that wait for a connection of the pool' },
    },
    read: async () => ({
      shop_database_connections: { busy: pool.totalCount - pool.idleCount, idle: pool.idleCount },
      shop_database_waiting: pool.waitingCount,
    }),
  };
}

function createDiskMetrics(directory: string): MetricSource {
  return {
    definitions: { shop_disk_free_bytes: { help: 'Free space on the disk of DATA_DIR' } },
    read: async () => ({ shop_disk_free_bytes: await readFreeBytes(directory) }),
  };
}

interface Caches {
  readonly pages: PageCache;
  readonly api: ResponseCache;
}

export function createCacheMetrics({ pages, api }: Caches): MetricSource {
  return {
    definitions: {
      shop_cache_hits_total: { help: 'Requests served from a cache', label: 'cache', isTotal: true },
      shop_cache_misses_total: { help: 'Requests whose response was not cached', label: 'cache', isTotal: true },
      shop_cache_bytes: { help: 'Size of a cache', label: 'cache' },
      shop_page_revalidations_total: {
        help: 'Cached pages that were checked after a change of data: unchanged ones are not rendered again',
        label: 'result',
        isTotal: true,
      },
    },
    read: async () => {
      const { hits, renders, changed, unchanged } = pages.counts;
      return {
        shop_cache_hits_total: { pages: hits, api: api.counts.hits },
        shop_cache_misses_total: { pages: renders, api: api.counts.misses },
        shop_cache_bytes: { pages: pages.bytes, api: api.bytes },
        shop_page_revalidations_total: { changed, unchanged },
      };
    },
  };
}
