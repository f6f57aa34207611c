/**
 * The checks of `npm run check`, counted as tests, so that `npm test` runs them too. lint-with-types.test.ts has the
 * slow rules of the linter.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LINT_WITHOUT_TYPES, runCheck, SOURCE_CHECKS } from '../scripts/checks.ts';

for (const check of [LINT_WITHOUT_TYPES, ...SOURCE_CHECKS]) {
  test(`the source passes: ${check.name}`, async () => {
    const { ok, output } = await runCheck(check);
    assert.ok(ok, output);
  });
}
