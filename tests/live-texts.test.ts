/** A live shop without the merchant's texts shows none of the demo's. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { registerEsplora } from '#src/shop/demo/devchain/esplora-http.ts';
import './support/built-pages.ts';
import { openDevchain } from './support/chain-sources.ts';
import { FakeExchanges } from './support/fake-exchanges.ts';
import { startTestShop } from './support/shop.ts';

const PUBLIC_KEY =
  'tpubDCtANe1E1DPWDNDBGYKKaooXoka3oUWQdgPretEzv7PMRtgJ8gQ8fkysMbwjeSBuagbpEhf7nWAd4pXDiGuYXBXoKYwQKJSxoPuAyJsxfGh';
/** Words of the demo's texts. The name and the address of the shop are settings. */
const DEMO_WORDS =
  /Buy out|Apple Tech|Intelligence|Advantages|partner-\d|iPhone|MacBook|\$999|0\.009|from London|courier/;

test('[OPS-07] an empty live shop has no text of the demo', async (t) => {
  const [esplora, market] = [Fastify(), new FakeExchanges()];
  t.after(() => esplora.close());
  t.after(() => market.close());
  registerEsplora(esplora, await openDevchain(), '/api');
  await market.open();
  market.setBehaviour(market.respondWithPrice('100000.00'));
  const shop = await startTestShop({
    fresh: true,
    settings: {
      SHOP_MODE: 'live',
      PUBLIC_URL: 'https://shop.example',
      BITCOIN_XPUB: PUBLIC_KEY,
      CHAIN_SOURCE: 'esplora',
      ESPLORA_URL: `${await esplora.listen({ host: '127.0.0.1', port: 0 })}/api`,
      RATE_SOURCE: 'live',
      RATE_URLS: `kraken=${market.origin}/kraken gemini=${market.origin}/gemini`,
      SMTP_URL: 'smtp://127.0.0.1:25',
      RATE_LIMITS: 'on',
    },
  });
  t.after(() => shop.stop());
  const readMain = async (path: string): Promise<string> => {
    const html = await (await fetch(`${shop.url}${path}`)).text();
    return /<main[\s\S]*<\/footer>/.exec(html)?.[0] ?? assert.fail(html.slice(0, 200));
  };
  const home = await readMain('/');
  assert.match(home, /<h1>Welcome<\/h1>/);
  assert.match(home, /There are no products yet\./);
  for (const path of ['/', '/free-shipping', '/how-to-buy']) {
    assert.doesNotMatch((await readMain(path)).replaceAll(/not affiliated with Apple Inc\./g, ''), DEMO_WORDS, path);
  }
  assert.deepEqual((await shop.api('GET', '/legal')).body, { kinds: [] });
  const sitemap = await (await fetch(`${shop.url}/sitemap.xml`)).text();
  for (const path of ['/terms', '/privacy', '/returns']) {
    assert.equal((await fetch(`${shop.url}${path}`)).status, 404, path);
    assert.equal((await shop.api('GET', `/legal${path}`)).status, 404, path);
    assert.ok(!home.includes(`href="${path}"`), 'the footer has no link');
    assert.ok(!sitemap.includes(`${path}<`), 'nor has the sitemap');
  }
  assert.doesNotMatch(await readMain('/registration'), /terms and conditions/);
});
