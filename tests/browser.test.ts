/** Journey pages must detect every kind of problem. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { assertAccessible } from './support/axe.ts';
import { openPage } from './support/browser.ts';
import { waitUntil } from './support/wait-until.ts';

const POLICY = "default-src 'self'; script-src 'self'; style-src 'self'";
const head = '<!doctype html><html lang="en"><head><title>t</title><link rel="icon" href="data:,"></head>';
const pages: Readonly<Record<string, string>> = {
  '/quiet': `${head}<body><main><h1>Quiet</h1></main></body></html>`,
  '/violation': `${head}<body><main><h1>Inline</h1></main><script>1</script></body></html>`,
  '/throws': `${head}<body><main><h1>Throws</h1></main><script src="/throws.js"></script></body></html>`,
  '/missing': `${head}<body><main><h1>Missing</h1></main><script src="/gone.js"></script></body></html>`,
  '/barrier': `${head}<body><main><h1>Barrier</h1><img src="/a.svg"></main></body></html>`,
};

const server = createServer((request, response) => {
  const path = request.url ?? '';
  const html = pages[path];
  if (html !== undefined) {
    response.setHeader('Content-Type', 'text/html');
    if (path !== '/quiet') response.setHeader('Content-Security-Policy', `${POLICY}; img-src 'self' data:`);
    response.end(html);
    return;
  }
  if (path === '/throws.js') {
    response.setHeader('Content-Type', 'text/javascript');
    response.end('console.error("on the console"); throw new Error("not caught");');
    return;
  }
  if (path === '/a.svg') {
    response.setHeader('Content-Type', 'image/svg+xml');
    response.end('<svg xmlns="http://www.w3.org/2000/svg"/>');
    return;
  }
  response.statusCode = 404;
  response.end();
});
const shop = { url: '' };

before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  shop.url = `http://127.0.0.1:${getPort(server.address())}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

function getPort(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the server does not listen');
  return address.port;
}

test('closing a page without problems succeeds', async () => {
  const quiet = await openPage(shop);
  await quiet.page.goto('/quiet');
  await assertAccessible(quiet.page);
  await quiet.close();
});

const noisy: readonly (readonly [string, RegExp])[] = [
  ['/violation', /policy violated: script-src-elem inline/],
  ['/throws', /uncaught: Error: not caught/],
  ['/throws', /console error .*on the console/],
  ['/missing', /status 404: GET .*gone\.js/],
  ['/nowhere', /status 404/],
];
for (const [path, problem] of noisy) {
  test(`closing ${path} fails with ${problem.source}`, async () => {
    const journey = await openPage(shop);
    await journey.page.goto(path);
    await waitUntil(() => problem.test(journey.getProblems().join('\n')));
    await assert.rejects(journey.close(), /the page had problems/);
  });
}

test('accepts a status that the journey expects', async () => {
  const journey = await openPage(shop, { expectedStatuses: [404] });
  await journey.page.goto('/nowhere');
  await journey.close();
});

test('reports an unreachable server', async () => {
  const journey = await openPage(shop);
  await assert.rejects(journey.page.goto('http://127.0.0.1:1/'));
  await waitUntil(() => /request failed/.test(journey.getProblems().join('\n')));
  await assert.rejects(journey.close());
});

test('axe reports a picture without a text', async () => {
  const journey = await openPage(shop);
  await journey.page.goto('/barrier');
  await assert.rejects(assertAccessible(journey.page), /image-alt/);
  await journey.close();
});

test('the next page has no traces of the one before', async () => {
  const first = await openPage(shop);
  await first.page.goto('/quiet');
  await first.page.evaluate(() => {
    localStorage.setItem('a', '1');
    sessionStorage.setItem('a', '1');
    document.cookie = 'a=1';
  });
  await first.page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await first.page.setViewportSize({ width: 390, height: 844 });
  await first.page.route('**/quiet', (route) => route.abort());
  first.page.on('request', () => assert.fail('a listener of the test before'));
  await first.close();

  const next = await openPage(shop);
  assert.equal(next.page, first.page, 'the page is used again');
  await next.page.goto('/quiet');
  const found = await next.page.evaluate(() => ({
    stored: [localStorage.length, sessionStorage.length, document.cookie],
    media: ['print', '(prefers-color-scheme: dark)'].map((query) => matchMedia(query).matches),
    width: innerWidth,
  }));
  assert.deepEqual(found, { stored: [0, 0, ''], media: [false, false], width: 1280 });
  await next.page.addInitScript('window.lasting = true');
  await next.close();

  const last = await openPage(shop);
  assert.notEqual(last.page, next.page, 'a script for all pages cannot be undone');
  await last.page.goto('/quiet');
  await last.close();
});
