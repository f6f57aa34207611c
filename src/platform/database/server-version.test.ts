import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tooOldWords } from './server-version.ts';

test('PostgreSQL 15 and newer are taken, older ones are refused in one line', () => {
  for (const version of [150_000, 150_018, 180_004]) assert.equal(tooOldWords(version), null);
  assert.match(
    tooOldWords(140_019) ?? '',
    /^DATABASE_URL: this is PostgreSQL 14\.19; the shop needs 15 or newer .+\.$/,
  );
  assert.match(tooOldWords(90_624) ?? '', /15 or newer/);
});
