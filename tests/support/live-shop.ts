/** A shop in live mode on an empty database: an Esplora server, exchanges and an SMTP server for it. */
import Fastify from 'fastify';
import type { Devchain } from '#src/shop/demo/devchain/devchain.ts';
import { registerEsplora } from '#src/shop/demo/devchain/esplora-http.ts';
import { openDevchain } from './chain-sources.ts';
import { FakeExchanges } from './fake-exchanges.ts';
import { findFreePort } from './shop-process.ts';
import type { Settings } from './shop-process.ts';
import { startTestShop } from './shop.ts';
import type { TestShop } from './shop.ts';
import { SmtpServer } from './smtp-server.ts';

const PUBLIC_KEY =
  'tpubDCtANe1E1DPWDNDBGYKKaooXoka3oUWQdgPretEzv7PMRtgJ8gQ8fkysMbwjeSBuagbpEhf7nWAd4pXDiGuYXBXoKYwQKJSxoPuAyJsxfGh';

export interface LiveShop {
  readonly shop: TestShop;
  readonly smtp: SmtpServer;
  /** The chain that its Esplora server shows. */
  readonly devchain: Devchain;
  /** All settings, for another process. */
  readonly settings: Settings;
  /** Stops the shop and its servers, and removes its data. */
  stop(): Promise<void>;
}

export async function startLiveShop(settings: Settings = {}): Promise<LiveShop> {
  const [esplora, market, smtp] = [Fastify(), new FakeExchanges(), new SmtpServer()];
  const devchain = await openDevchain();
  registerEsplora(esplora, devchain, '/api');
  await Promise.all([market.open(), smtp.listen()]);
  market.setBehaviour(market.respondWithPrice('100000.00'));
  const port = String(await findFreePort());
  const all: Settings = {
    SHOP_MODE: 'live',
    PORT: port,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    BITCOIN_XPUB: PUBLIC_KEY,
    CHAIN_SOURCE: 'esplora',
    ESPLORA_URL: `${await esplora.listen({ host: '127.0.0.1', port: 0 })}/api`,
    RATE_SOURCE: 'live',
    RATE_URLS: `kraken=${market.origin}/kraken gemini=${market.origin}/gemini`,
    SMTP_URL: smtp.url,
    RATE_LIMITS: 'on',
    ...settings,
  };
  const shop = await startTestShop({ fresh: true, settings: all });
  const stop = async (): Promise<void> => {
    await shop.stop();
    market.close();
    await Promise.all([esplora.close(), smtp.close()]);
  };
  return { shop, smtp, devchain, settings: all, stop };
}
