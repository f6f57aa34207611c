/** The checks of `npm run check`, counted as tests, so that `npm test` runs them too. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCheck, SOURCE_CHECKS } from '../scripts/checks.ts';

for (const check of SOURCE_CHECKS) {
  test(`the source passes: ${check.name}`, async () => {
    const { ok, output } = await runCheck(check);
    assert.ok(ok, output);
  });
}
