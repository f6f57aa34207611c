/** Runs the tests of rules in one process. Each takes milliseconds; a separate process takes ten times that. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const DIRECTORY = 'node_modules/.cache/tests';

/** Writes a test file with one suite per file and returns its path. */
export function groupRules(files: readonly string[]): string {
  const group = path.join(DIRECTORY, 'rules.mjs');
  const suites = files.map((file) => {
    const url = JSON.stringify(path.resolve(file));
    // `require` evaluates the file within the suite, so that its hooks and tests belong to it.
    return `describe(${JSON.stringify(file)}, () => void require(${url}));`;
  });
  mkdirSync(DIRECTORY, { recursive: true });
  writeFileSync(
    group,
    [
      `import { createRequire } from 'node:module';`,
      `import { describe } from 'node:test';`,
      `const require = createRequire(import.meta.url);`,
      ...suites,
      '',
    ].join('\n'),
  );
  return group;
}
