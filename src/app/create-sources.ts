import type { ChainSource } from '#src/platform/bitcoin/chain-source.ts';
import { createCoreSource } from '#src/platform/bitcoin/core/core-source.ts';
import { createEsploraSource } from '#src/platform/bitcoin/esplora/esplora-source.ts';
import type { BitcoinNetwork } from '#src/platform/bitcoin/network.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Log } from '#src/platform/process/log.ts';
import { LiveRate } from '#src/platform/rates/live-rate.ts';
import type { LiveRateOptions } from '#src/platform/rates/live-rate.ts';
import { createFixedRate } from '#src/platform/rates/rate-source.ts';
import { createRateStore } from '#src/platform/rates/store.ts';
import type { FixedRate } from '#src/platform/rates/rate-source.ts';
import type { ChainSettings, Settings } from './settings.ts';

interface RateParts {
  readonly settings: Pick<Settings, 'fixedRateCents' | 'rateSpread' | 'rateUrls'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly db: Db;
  readonly leader: LiveRateOptions['leader'];
}

/** The rate source of the settings. A `LiveRate` has to be started. */
export function createRateSource({ settings, clock, log, db, leader }: RateParts): FixedRate | LiveRate {
  const now = (): Date => clock.now();
  const { fixedRateCents, rateSpread: spread, rateUrls: urls } = settings;
  return fixedRateCents === null
    ? new LiveRate({ urls, now, log, spread, store: createRateStore(db), leader })
    : createFixedRate(fixedRateCents, now);
}

/** The chain source of the settings. @param devchain null for every other source */
export function createChainSource(
  chain: ChainSettings,
  network: BitcoinNetwork,
  devchain: ChainSource | null,
): ChainSource {
  if (chain.source === 'core') return createCoreSource({ network, url: chain.url, cookieFile: chain.cookieFile });
  if (chain.source === 'esplora') return createEsploraSource({ network, url: chain.url });
  if (devchain === null) throw new Error('no devchain');
  return devchain;
}
