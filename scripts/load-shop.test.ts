import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { DEFAULT_ASSETS_ROOT, Releases } from '#src/platform/pages/releases.ts';
import { SHOP_BUNDLE } from './build-directory.ts';
import { buildWhenStale } from './build-when-stale.ts';

test('every file of the bundle loads, also those that are needed later', async () => {
  assert.notEqual(await buildWhenStale(), 'failed');
  const release = Releases.of('engine', DEFAULT_ASSETS_ROOT).readCurrent() ?? assert.fail();
  const files = globSync(path.join(release.directory, path.dirname(SHOP_BUNDLE), '*.js'));
  assert.ok(files.length > 3);
  for (const file of files) await assert.doesNotReject(import(pathToFileURL(file).href), file);
});
