/** All rules of the linter, some of which need the types of the whole source. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LINT_WITH_TYPES, runCheck } from '../scripts/checks.ts';

test('the source passes: lint', async () => {
  const { ok, output } = await runCheck(LINT_WITH_TYPES);
  assert.ok(ok, output);
});
