/** Opens payments, their chain source, and the worker that reads it. */
import type { LeaderLock } from '#src/platform/database/leader-lock.ts';
import { Query } from '#src/platform/process/events.ts';
import type { Telemetry } from '#src/platform/telemetry/telemetry.ts';
import { ChainSyncWorker } from '#src/shop/payments/worker.ts';
import { createPayments } from './create-payments.ts';
import type { PaymentsSliceOptions } from './create-payments.ts';
import { createChainSource } from './create-sources.ts';
import type * as DemoModule from './demo.ts';
import type { Settings } from './settings.ts';

interface PaymentsOptions extends Pick<PaymentsSliceOptions, 'db' | 'indexDb' | 'clock' | 'log'> {
  readonly settings: Settings;
  readonly leaderLock: LeaderLock;
  readonly network: Parameters<typeof createChainSource>[1];
  readonly telemetry: Telemetry;
}

export type Paying = Awaited<ReturnType<typeof openPayments>>;

export async function openPayments(options: PaymentsOptions, demo: typeof DemoModule | null) {
  const { settings, db, indexDb, clock, leaderLock, log, network, telemetry } = options;
  const { autoMine, confirmationSteps } = settings;
  const hasPendingPayments = new Query<[], boolean>();
  const devchain =
    demo !== null && settings.chain.source === 'devchain'
      ? await demo.Devchain.open({ db, clock, log, network, autoMine, hasPendingPayments: hasPendingPayments.run })
      : null;
  const source = createChainSource(settings.chain, network, devchain && demo && demo.createDevchainSource(devchain));
  const demoAccount =
    demo !== null && settings.hasDemoAccount ? await demo.findDemoAccount(db, settings.walletScript) : null;
  const { accountKey } = demoAccount ?? settings;
  const slice = createPayments({ db, clock, log, indexDb, source, accountKey });
  const { payments } = slice;
  const mostConfirmations = Math.max(...confirmationSteps.map(({ confirmations }) => confirmations));
  hasPendingPayments.setHandler(() => payments.hasOutputsBelowDepth(mostConfirmations));
  return {
    ...slice,
    devchain,
    demoAccount,
    accountKey,
    chainSync: new ChainSyncWorker({ payments, log, leaderLock, telemetry }),
  };
}
