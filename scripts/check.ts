/**
 * `npm run check`: types, lint, format, unused code, architecture. All of them run, whatever the first one says.
 * With `--fix` the linter and the formatter first mend what they can.
 */
import { ARCHITECTURE_CHECK, FIXES, runCheck, SOURCE_CHECKS } from './checks.ts';
import type { Check } from './checks.ts';

/** One more than the two cores of a small machine would take: lint uses both. */
const CHECKS_AT_ONCE = 2;

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
// What cannot be mended is among the findings of the checks.
if (option === '--fix') for (const fix of FIXES) await runCheck(fix);
const waiting = [...SOURCE_CHECKS, ARCHITECTURE_CHECK];
await Promise.all(
  Array.from({ length: CHECKS_AT_ONCE }, async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await report(next);
  }),
);
