/** Which modules a shop loads: the demo slice and the seed in demo mode, none of them in live mode. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import Fastify from 'fastify';
import { registerEsplora } from '#src/shop/demo/devchain/esplora-http.ts';
import './support/built-pages.ts';
import { openDevchain } from './support/chain-sources.ts';
import { fetchPage } from './support/fetch-page.ts';
import { FakeExchanges } from './support/fake-exchanges.ts';
import type { Settings } from './support/shop-process.ts';
import { startSpawnedShop } from './support/spawned-shop.ts';
import type { SpawnedShop } from './support/spawned-shop.ts';
import { makeTemporaryDirectory } from './support/template.ts';

const PUBLIC_KEY =
  'tpubDCtANe1E1DPWDNDBGYKKaooXoka3oUWQdgPretEzv7PMRtgJ8gQ8fkysMbwjeSBuagbpEhf7nWAd4pXDiGuYXBXoKYwQKJSxoPuAyJsxfGh';

const directory = makeTemporaryDirectory();
after(() => rmSync(directory, { recursive: true, force: true }));

/** Starts a shop on an empty database that records its modules. */
async function startRecorded(t: TestContext, name: string, settings: Settings) {
  const file = join(directory, name);
  const recorder = pathToFileURL(join(import.meta.dirname, 'support', 'record-modules.ts')).href;
  const shop = await startSpawnedShop({
    fresh: true,
    settings: { ...settings, RECORD_MODULES: file, NODE_OPTIONS: `--import=${recorder}` },
  });
  t.after(() => shop.stop());
  return { shop, listLoaded: () => readFileSync(file, 'utf8').split('\n') };
}

const readStatus = async ({ url }: SpawnedShop, path: string): Promise<number> =>
  (await fetchPage(`${url}${path}`)).status;
const filterDemoModules = (urls: readonly string[]): string[] =>
  urls.filter((url) => /\/src\/(?:shop|app)\/(?:seed-)?demo|\/db\/seed\//.test(url));

test('a demo shop loads the demo slice and the seed', async (t) => {
  const { shop, listLoaded } = await startRecorded(t, 'demo', {});
  assert.equal(await readStatus(shop, '/dev/mail'), 200);
  assert.equal(await readStatus(shop, '/api/dev/mail'), 200);
  for (const path of ['/src/shop/demo/devchain/devchain.ts', '/db/seed/catalogue.ts'])
    assert.ok(
      filterDemoModules(listLoaded()).some((url) => url.endsWith(path)),
      path,
    );
});

test('a live shop loads no module of the demo or the seed', async (t) => {
  const [esplora, market] = [Fastify(), new FakeExchanges()];
  t.after(() => esplora.close());
  t.after(() => market.close());
  registerEsplora(esplora, await openDevchain(), '/api');
  await market.open();
  market.setBehaviour(market.respondWithPrice('100000.00'));
  const { shop, listLoaded } = await startRecorded(t, 'live', {
    SHOP_MODE: 'live',
    PUBLIC_URL: 'https://shop.example',
    BITCOIN_XPUB: PUBLIC_KEY,
    CHAIN_SOURCE: 'esplora',
    ESPLORA_URL: `${await esplora.listen({ host: '127.0.0.1', port: 0 })}/api`,
    RATE_SOURCE: 'live',
    RATE_URLS: `kraken=${market.origin}/kraken gemini=${market.origin}/gemini`,
    SMTP_URL: 'smtp://127.0.0.1:25',
    RATE_LIMITS: 'on',
  });
  assert.equal(await readStatus(shop, '/'), 200);
  for (const path of ['/dev/mail', '/dev/wallet', '/api/dev/mail', '/dev/esplora/blocks/tip/height', '/dev/mail/1'])
    assert.equal(await readStatus(shop, path), 404, path);
  assert.ok(listLoaded().some((url) => url.endsWith('/src/app/compose.ts')));
  assert.deepEqual(filterDemoModules(listLoaded()), []);
});
