import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatTooOldError } from './server-version.ts';

test('accepts PostgreSQL 15 and newer, refuses older in one line', () => {
  for (const version of [150_000, 150_018, 180_004]) assert.equal(formatTooOldError(version), null);
  assert.match(
    formatTooOldError(140_019) ?? '',
    /^DATABASE_URL: this is PostgreSQL 14\.19; the shop needs 15 or newer .+\.$/,
  );
  assert.match(formatTooOldError(90_624) ?? '', /15 or newer/);
});
