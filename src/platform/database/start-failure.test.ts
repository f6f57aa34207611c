import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTransientFailure, describeStartFailure } from './start-failure.ts';

const place = { home: '/srv/shop/.data', cluster: '/srv/shop/.data/postgres' };

test('a full disk is named with the directory', () => {
  const words = describeStartFailure('could not write to file "pg_wal/xlogtemp.1": No space left on device', place);
  assert.equal(words, 'The disk of /srv/shop/.data is full: free some space and start again.');
});

test('any other failure is one line with the reason and the backup section', () => {
  for (const failure of [
    'could not locate a valid checkpoint record at 0/15F0A28',
    'Error: initdb failed (1): creating directory\n could not read file "global/pg_control": read 0 of 296.\n',
    '',
  ]) {
    const words = describeStartFailure(failure, place);
    assert.match(words, /^The database in \/srv\/shop\/\.data does not start: .+"Backup" in docs\/operating\.md\.$/);
    assert.doesNotMatch(words, /\n|Error/);
  }
});

test('only races with another start or stop are retried', () => {
  assert.ok(isTransientFailure('lock file "postmaster.pid" already exists'));
  assert.ok(isTransientFailure('pre-existing shared memory block (key 1, ID 2) is still in use'));
  assert.ok(isTransientFailure(''));
  assert.ok(!isTransientFailure('could not locate a valid checkpoint record'));
});
