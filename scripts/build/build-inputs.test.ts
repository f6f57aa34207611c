import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import { DEFAULT_ASSETS_ROOT, Releases } from '#src/platform/pages/releases.ts';
import '../../tests/support/built-pages.ts';
import { areWrittenSince, hashFileTimes, hashInputs } from './build-inputs.ts';
import { buildWhenStale } from './build-when-stale.ts';

const directory = mkdtempSync(path.join(os.tmpdir(), 'crypto-market-inputs-'));
const file = path.join(directory, 'page.tsx');
before(() => {
  mkdirSync(directory, { recursive: true });
  writeFileSync(file, 'one');
});
after(() => rmSync(directory, { recursive: true }));

test('the build stamp lists the files of the pages and of the server, no others', async () => {
  assert.notEqual(await buildWhenStale(), 'failed');
  const release = Releases.of('engine', DEFAULT_ASSETS_ROOT).readCurrent() ?? assert.fail();
  const stamp: unknown = JSON.parse(readFileSync(path.join(release.directory, 'stamp'), 'utf8'));
  const { files } = z.object({ files: z.array(z.string()) }).parse(stamp);
  const expected = [
    'src/root.tsx',
    'src/shop/cart/web/cart-line.tsx',
    'src/ui/styles/tokens.css',
    'src/main.ts',
    'src/shop/cart/service.ts',
    'db/seed/catalogue.ts',
  ];
  for (const name of expected) assert.ok(files.includes(name), name);
  assert.deepEqual(
    files.filter((name) => name.includes('.test.') || !/^(?:src|db)\//.test(name)),
    [],
  );
});

test('a changed, added or missing file changes the hash', () => {
  const first = hashInputs([file]);
  assert.equal(hashInputs([file]), first);
  writeFileSync(file, 'two');
  assert.notEqual(hashInputs([file]), first);
  assert.notEqual(hashInputs([]), first);
  assert.notEqual(hashInputs([file, path.join(directory, 'missing.ts')]), hashInputs([file]));
});

test('a written, added or missing file changes the hash of the times', () => {
  utimesSync(file, 1000, 1000);
  const first = hashFileTimes([file]);
  assert.equal(hashFileTimes([file]), first);
  // The same content at another time, and other content of the same size at the same time.
  utimesSync(file, 2000, 2000);
  assert.notEqual(hashFileTimes([file]), first);
  writeFileSync(file, 'six');
  utimesSync(file, 1000, 1000);
  assert.notEqual(hashFileTimes([file]), first);
  assert.notEqual(hashFileTimes([]), first);
  assert.notEqual(hashFileTimes([file, path.join(directory, 'missing.ts')]), first);
});

test('a file that is written during a build makes the build stale', () => {
  utimesSync(file, 1000, 1000);
  assert.equal(areWrittenSince([file], 1_000_001), false);
  assert.equal(areWrittenSince([file], 999_999), true);
});
