import type { SourceLimitation } from '#src/platform/bitcoin/chain-source.ts';
import type { Rescans } from './rescan.service.ts';

interface ChainHealth {
  readonly isUp: boolean;
  readonly tipHeight: number | null;
  readonly tipAt: Date | null;
  readonly reconciledAt: Date | null;
}

export interface ChainStatusSources {
  readonly limitations: readonly SourceLimitation[];
  readonly rescans: Pick<Rescans, 'list'>;
  readonly readChainHealth: () => Promise<ChainHealth>;
}

/** What staff see of the chain sync. */
export async function readChainStatus(payments: ChainStatusSources) {
  const [health, rescans] = await Promise.all([payments.readChainHealth(), payments.rescans.list()]);
  return {
    chain: health.isUp ? ('up' as const) : ('down' as const),
    tip_height: health.tipHeight,
    tip_at: health.tipAt,
    reconciled_at: health.reconciledAt,
    limitations: [...payments.limitations],
    rescans,
  };
}
