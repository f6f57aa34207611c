/** The checks that read the source without running it. `npm run check` prints them, `npm test` counts them as tests. */
import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';

export interface Check {
  readonly name: string;
  /** Script inside node_modules and its arguments, or arguments of Node itself. */
  readonly command: readonly string[];
}

/** Incremental, so that only files affected by an edit are checked again. */
const createTypeCommand = (project: string): readonly string[] => [
  'node_modules/typescript/bin/tsc',
  '-p',
  `tsconfig.${project}.json`,
  '--incremental',
  '--tsBuildInfoFile',
  `node_modules/.cache/types/${project}.json`,
];

/** All rules. Those that need types take ten times as long as the others. */
export const LINT_WITH_TYPES: Check = { name: 'lint', command: ['node_modules/oxlint/bin/oxlint', '--type-aware'] };

/** The rules without types. A comment that allows what another rule refuses is not unused. */
export const LINT_WITHOUT_TYPES: Check = {
  name: 'lint without types',
  command: ['node_modules/oxlint/bin/oxlint', '--report-unused-disable-directives-severity', 'off'],
};

/** Every check but the two of the linter. The slowest first, since several run in parallel. */
export const SOURCE_CHECKS: readonly Check[] = [
  { name: 'types of the server and the tests', command: createTypeCommand('server') },
  { name: 'types of the web', command: createTypeCommand('web') },
  { name: 'unused code', command: ['node_modules/knip/bin/knip.js', '--no-progress'] },
  { name: 'cost of the tests', command: ['scripts/test/check-test-budget.ts'] },
  { name: 'format', command: ['node_modules/oxfmt/bin/oxfmt', '--check'] },
];

export const FIXES: readonly Check[] = [
  { name: 'lint', command: ['node_modules/oxlint/bin/oxlint', '--type-aware', '--fix'] },
  { name: 'cost of the tests', command: ['scripts/test/check-test-budget.ts'] },
  { name: 'format', command: ['node_modules/oxfmt/bin/oxfmt', '--write'] },
];

export const ARCHITECTURE_CHECK: Check = {
  name: 'architecture',
  command: ['--test', '--test-reporter=dot', 'tests/architecture.test.ts'],
};

export interface CheckResult {
  readonly ok: boolean;
  readonly output: string;
}

export async function runCheck({ command }: Check): Promise<CheckResult> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...command], {
    // A nested test runner would report to the outer one only.
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, NO_COLOR: '1', FORCE_COLOR: undefined },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  return { ok: code === 0, output: stripVTControlCharacters(Buffer.concat(output).toString()).trim() };
}
