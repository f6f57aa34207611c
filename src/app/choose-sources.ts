import type { ChainSource } from '../platform/bitcoin/chain-source.ts';
import { coreSource } from '../platform/bitcoin/core/core-source.ts';
import { devchainSource } from '../shop/demo/devchain/devchain-source.ts';
import type { Devchain } from '../shop/demo/devchain/devchain.ts';
import { esploraSource } from '../platform/bitcoin/esplora/esplora-source.ts';
import type { BitcoinNetwork } from '../platform/bitcoin/network.ts';
import type { Clock } from '../platform/process/clock.ts';
import type { Db } from '../platform/database/database.ts';
import type { Log } from '../platform/process/log.ts';
import { LiveRate } from '../platform/rates/live-rate.ts';
import { fixedRate } from '../platform/rates/rate-source.ts';
import { rateStore } from '../platform/rates/store.ts';
import type { StatedRateSource } from '../platform/rates/rate-source.ts';
import type { ChainSettings, Settings } from '../platform/settings.ts';

interface RateParts {
  readonly settings: Pick<Settings, 'fixedRateCents' | 'rateSpread' | 'rateUrls'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly db: Db;
}

/** What the settings say that prices rest on. One that asks exchanges is to be started. */
export function rateSource({ settings, clock, log, db }: RateParts): StatedRateSource | LiveRate {
  const now = (): Date => clock.now();
  const { fixedRateCents, rateSpread: spread, rateUrls: urls } = settings;
  return fixedRateCents === null
    ? new LiveRate({ urls, now, log, spread, store: rateStore(db) })
    : fixedRate(fixedRateCents, now);
}

/** Where the settings say that blocks come from. @param devchain null when it is another */
export function chainSource(chain: ChainSettings, network: BitcoinNetwork, devchain: Devchain | null): ChainSource {
  if (chain.source === 'core') return coreSource({ network, url: chain.url, cookieFile: chain.cookieFile });
  if (chain.source === 'esplora') return esploraSource({ network, url: chain.url });
  if (devchain === null) throw new Error('no devchain');
  return devchainSource(devchain);
}
