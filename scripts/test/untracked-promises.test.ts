import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

/** Runs a file of one test as `npm test` does, and returns what is printed, with the outcome in the last line. */
async function runTestFile(body: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'crypto-market-promises-'));
  try {
    const file = path.join(folder, 'lost.test.mjs');
    await writeFile(file, `import { test } from 'node:test';\ntest('a test', async () => {\n${body}\n});\n`);
    const program = path.join(folder, 'program.mjs');
    await writeFile(
      program,
      `import { runFiles } from ${JSON.stringify(path.resolve('scripts/test/run-files.ts'))};
      const processes = new Map([[${JSON.stringify(file)}, []]]);
      const { isPassed } = await runFiles({ processes, name: null, isBrief: true, hasBrowsers: false });
      console.log(isPassed ? 'passed' : 'failed');`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
      env: { ...process.env, NODE_TEST_CONTEXT: undefined },
    });
    return stdout.trim();
  } finally {
    await rm(folder, { recursive: true });
  }
}

const rest = 'await new Promise((done) => setTimeout(done, 1));';

test('an error that no test catches after an await fails the run, which prints it', async () => {
  const rejected = await runTestFile(`${rest} Promise.reject(new Error('nobody waits for this')); ${rest}`);
  assert.match(rejected, /Error: nobody waits for this/);
  assert.match(rejected, /failed$/);
  const thrown = await runTestFile(
    `${rest} setTimeout(() => { throw new Error('thrown in a timer'); }, 1); ${rest} ${rest}`,
  );
  assert.match(thrown, /Error: thrown in a timer/);
  assert.match(thrown, /failed$/);
});

test('a test that waits passes', async () => {
  assert.match(await runTestFile(rest), /passed$/);
});
