/** `npm run fix`: what the linter and the formatter can put right by themselves. */
import { runCheck } from './checks.ts';

const fixes = [
  { name: 'lint', command: ['node_modules/oxlint/bin/oxlint', '--fix'] },
  { name: 'format', command: ['node_modules/oxfmt/bin/oxfmt', '--write'] },
];
for (const fix of fixes) {
  const { ok, output } = await runCheck(fix);
  console.log(`${ok ? 'ok  ' : 'LEFT'} ${fix.name}`);
  if (!ok) {
    console.log(output);
    process.exitCode = 1;
  }
}
