import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatBytes } from './format-bytes.ts';

test('[OPS-02] formats sizes of files', () => {
  const sizes = [0, 999, 1_000, 1_250, 64_499, 10_000_000_000, 2_500_000_000_000].map(formatBytes);
  assert.deepEqual(sizes, ['0 bytes', '999 bytes', '1 KB', '1.3 KB', '64 KB', '10 GB', '2.5 TB']);
});
