/**
 * `npm run check`: types, lint, format, unused code, architecture. All of them run, even after a
 * failure. With `--fix` the linter and the formatter first fix what they can.
 */
import { ARCHITECTURE_CHECK, FIXES, LINT_WITH_TYPES, runCheck, SOURCE_CHECKS } from './checks.ts';
import type { Check } from './checks.ts';

/** Low, since lint alone uses two cores. */
const CONCURRENT_CHECKS = 2;

async function report(check: Check): Promise<void> {
  const { ok, output } = await runCheck(check);
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${check.name}`);
  if (ok) return;
  console.log(`${output.replaceAll(/^/gm, '     ')}\n`);
  process.exitCode = 1;
}

const [option, ...others] = process.argv.slice(2);
if (others.length > 0 || (option !== undefined && option !== '--fix')) {
  console.error('Usage: npm run check [-- --fix]');
  process.exit(2);
}
// The checks report what cannot be fixed.
if (option === '--fix') for (const fix of FIXES) await runCheck(fix);
const waiting = [LINT_WITH_TYPES, ...SOURCE_CHECKS, ARCHITECTURE_CHECK];
await Promise.all(
  Array.from({ length: CONCURRENT_CHECKS }, async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await report(next);
  }),
);
