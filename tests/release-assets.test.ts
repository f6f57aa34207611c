/** Assets of other releases, over HTTP. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createReleaseId } from '#src/platform/pages/releases.ts';
import './support/built-pages.ts';
import { startSpawnedShop } from './support/spawned-shop.ts';
import type { SpawnedShop } from './support/spawned-shop.ts';
import { makeTemporaryDirectory } from './support/template.ts';
import { waitUntil } from './support/wait-until.ts';

const assetsDir = makeTemporaryDirectory();
let shop: SpawnedShop;
before(async () => {
  writeFileSync(join(assetsDir, 'outside.js'), 'outside');
  addRelease('2026-01-01T00:00:00Z', { 'former-abc1234.js': 'former', 'former-abc1234.js.br': 'compressed' });
  shop = await startSpawnedShop({ settings: { ASSETS_DIR: assetsDir } });
});
after(async () => {
  await shop.stop();
  rmSync(assetsDir, { recursive: true });
});

function addRelease(builtAt: string, files: Readonly<Record<string, string>>): void {
  const directory = join(assetsDir, createReleaseId(new Date(builtAt)));
  mkdirSync(directory);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content);
}

const read = async (path: string, headers = {}) => {
  const response = await fetch(`${shop.url}${path}`, { headers: { 'accept-encoding': 'identity', ...headers } });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

test('[OPS-22] serves assets of this, a former and a later release as immutable', async () => {
  const home = await read('/');
  const [own = ''] = /\/assets\/[\w.-]+\.js/.exec(home.text) ?? [];
  for (const path of [own, '/assets/former-abc1234.js']) {
    const { status, headers } = await read(path);
    assert.equal(status, 200, path);
    assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.match(headers.get('content-type') ?? '', /javascript/);
  }
  const compressed = await fetch(`${shop.url}/assets/former-abc1234.js`, {
    method: 'HEAD',
    headers: { 'accept-encoding': 'br' },
  });
  assert.equal(compressed.headers.get('content-encoding'), 'br');
  // A page of the next release may reach a process of this one.
  addRelease('2099-01-01T00:00:00Z', { 'later-abc1234.js': 'later' });
  await waitUntil(async () => (await read('/assets/later-abc1234.js')).text === 'later');
});

test('[OPS-22] a missing asset may not be stored, and no path leaves the releases', async () => {
  for (const path of ['/assets/none-abc1234.js', '/assets/..%2foutside.js', '/assets/%2e%2e/outside.js', '/assets/']) {
    const { status, headers, text } = await read(path);
    assert.equal(status, 404, path);
    assert.doesNotMatch(text, /outside$/);
    if (path.includes('none')) assert.equal(headers.get('cache-control'), 'no-store');
  }
});
