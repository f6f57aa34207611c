import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

/**
 * Runs files of one test each as `npm test` does.
 *
 * @param bodies of the tests
 * @returns what is printed, with the outcome in the last line
 */
async function runTestFiles(bodies: readonly string[], minutes: number | null = null): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'crypto-market-run-'));
  try {
    const processes: [string, string[]][] = [];
    for (const [index, body] of bodies.entries()) {
      const file = path.join(folder, `file-${index + 1}.test.mjs`);
      await writeFile(file, `import { test } from 'node:test';\ntest('a test', async () => {\n${body}\n});\n`);
      processes.push([path.relative('.', file), [path.basename(file)]]);
    }
    const program = path.join(folder, 'program.mjs');
    await writeFile(
      program,
      `import { runFiles } from ${JSON.stringify(path.resolve('scripts/test/run-files.ts'))};
      const options = ${JSON.stringify({ name: null, isBrief: true, hasBrowsers: false, minutes })};
      const outcome = await runFiles({ processes: new Map(${JSON.stringify(processes)}), ...options });
      console.log(JSON.stringify(outcome));`,
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
  const rejected = await runTestFiles([`${rest} Promise.reject(new Error('nobody waits for this')); ${rest}`]);
  assert.match(rejected, /Error: nobody waits for this/);
  assert.match(rejected, /"isPassed":false\}$/);
  const thrown = await runTestFiles([
    `${rest} setTimeout(() => { throw new Error('thrown in a timer'); }, 1); ${rest} ${rest}`,
  ]);
  assert.match(thrown, /Error: thrown in a timer/);
  assert.match(thrown, /"isPassed":false\}$/);
});

test('a test that waits passes', async () => {
  assert.match(await runTestFiles([rest]), /"isPassed":true\}$/);
});

test('a time limit names the files that have not ended, and counts them as skipped', async () => {
  const endless = 'await new Promise((done) => setTimeout(done, 3_600_000));';
  const output = await runTestFiles([rest, endless], 0.2);
  assert.match(output, /THE TIME WAS UP\. 1 files did not run to their end:\nfile-2\.test\.mjs\n/);
  assert.match(output, /\{"counts":\{"passed":1,"failed":0,"skipped":1\},"isPassed":true\}$/);
});

test('a failure within the time limit fails the run', async () => {
  const output = await runTestFiles([`throw new Error('broken');`], 10);
  assert.match(output, /Error: broken/);
  assert.match(output, /"counts":\{"passed":0,"failed":1,"skipped":0\},"isPassed":false\}$/);
});
