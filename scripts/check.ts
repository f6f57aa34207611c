/** `npm run check`: types, lint, format, unused code, architecture. All of them run, whatever the first one says. */
import { ARCHITECTURE_CHECK, runCheck, SOURCE_CHECKS } from './checks.ts';

for (const check of [...SOURCE_CHECKS, ARCHITECTURE_CHECK]) {
  const { ok, output } = await runCheck(check);
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${check.name}`);
  if (!ok) {
    console.log(`${output.replaceAll(/^/gm, '     ')}\n`);
    process.exitCode = 1;
  }
}
