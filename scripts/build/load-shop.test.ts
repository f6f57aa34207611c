import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { DEFAULT_ASSETS_ROOT, Releases } from '#src/platform/pages/releases.ts';
import { SHOP_BUNDLE } from './build-directory.ts';
import { buildWhenStale } from './build-when-stale.ts';

async function findRelease() {
  assert.notEqual(await buildWhenStale(), 'failed');
  return Releases.of('engine', DEFAULT_ASSETS_ROOT).readCurrent() ?? assert.fail();
}

test('every file of the bundle loads, also those that are needed later', async () => {
  const release = await findRelease();
  const files = globSync(path.join(release.directory, path.dirname(SHOP_BUNDLE), '*.js'));
  assert.ok(files.length > 3);
  for (const file of files) await assert.doesNotReject(import(pathToFileURL(file).href), file);
});

test('the bundles of the server are in ASCII, so Node keeps one byte per character', async () => {
  const release = await findRelease();
  for (const file of globSync(path.join(release.directory, '{shop,server}/**/*.js')))
    assert.ok(
      readFileSync(file).every((byte) => byte < 0x80),
      file,
    );
});
