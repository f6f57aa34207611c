import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBackupDue } from './backup-age.ts';

const NOW = new Date('2026-03-02T12:00:00Z');

test('[OPS-05] a backup is due without one, or after 36 hours', () => {
  assert.equal(isBackupDue(null, NOW), true);
  assert.equal(isBackupDue(new Date('2026-03-01T00:00:00Z'), NOW), false);
  assert.equal(isBackupDue(new Date('2026-02-28T23:59:59Z'), NOW), true);
});
