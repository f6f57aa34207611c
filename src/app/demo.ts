/** Parts of demo mode only. Imported dynamically, so that a live shop does not load them. */
import type { FastifyInstance } from 'fastify';
import type { AnyRoute } from '#src/platform/http/call.ts';
import type { Contract } from '#src/platform/http/endpoint.ts';
import type { WalletScript } from '#src/platform/bitcoin/wallet-script.ts';
import type { Db } from '#src/platform/database/database.ts';
import { demoToolsApi } from '#src/shop/demo/contract.ts';
import type { Devchain } from '#src/shop/demo/devchain/devchain.ts';
import { registerEsplora } from '#src/shop/demo/devchain/esplora-http.ts';
import { DemoAccount } from '#src/shop/demo/devchain/demo-account.ts';
import { findWalletSecret } from '#src/shop/demo/devchain/store.ts';
import { registerMailView } from '#src/shop/demo/mail-view.ts';
import { createDemoToolsRoutes } from '#src/shop/demo/routes.ts';
import { DemoTools, Mailbox } from '#src/shop/demo/service.ts';
import type { DemoToolsOptions } from '#src/shop/demo/service.ts';

export { Devchain } from '#src/shop/demo/devchain/devchain.ts';
export { createDevchainSource } from '#src/shop/demo/devchain/devchain-source.ts';

/** Null before the devchain was opened for the first time. */
export async function findDemoAccount(db: Db, script: WalletScript): Promise<DemoAccount | null> {
  const secret = await findWalletSecret(db);
  return secret && new DemoAccount(secret, script);
}

export interface Demo {
  readonly contract: Contract;
  readonly routes: Readonly<Record<string, AnyRoute>>;
  /** Adds what is not part of the API: Esplora of the devchain, and the HTML of the mails. */
  register(server: FastifyInstance): void;
}

interface DemoOptions extends Omit<DemoToolsOptions, 'mailbox'> {
  readonly db: Db;
  readonly devchain: Devchain | null;
  readonly shopUrl: string;
}

export function createDemo(options: DemoOptions): Demo {
  const { db, clock, devchain, account, shopUrl, findAmountDue, findRefundPsbt, syncChain } = options;
  const mailbox = new Mailbox(db);
  const demoTools = new DemoTools({ clock, devchain, account, findAmountDue, findRefundPsbt, syncChain, mailbox });
  return {
    contract: demoToolsApi,
    routes: createDemoToolsRoutes(demoTools),
    register(server) {
      if (devchain) registerEsplora(server, devchain, '/dev/esplora');
      registerMailView(server, { mails: mailbox, path: '/dev/mail', shopUrl });
    },
  };
}
