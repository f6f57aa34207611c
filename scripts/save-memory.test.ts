import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { keysAt, listAt, textAt, valueAt } from '../tests/support/read-json.ts';

const SCRIPT = `
import { saveMemory } from './scripts/save-memory.mjs';
console.error(process.pid);
saveMemory();
const { execArgv, env, pid, argv } = process;
console.log(JSON.stringify({ execArgv, env, pid, argv }));`;

/** What a process says about itself after it has replaced itself, and the process ids on the way. */
async function runSavingMemory(flags: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = promisify(execFile)(
    process.execPath,
    [...flags, '--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', SCRIPT, 'an argument'],
    { env: { PATH: process.env['PATH'], ...env } },
  );
  const { stdout, stderr } = await child;
  const report: unknown = JSON.parse(stdout);
  return { report, ids: stderr.trim().split('\n'), id: String(child.child.pid) };
}

test('the shop starts itself again once, as the same process, with settings for memory', async () => {
  const { report, ids, id } = await runSavingMemory([]);
  assert.deepEqual(ids, [id, id]);
  assert.equal(textAt(report, 'execArgv', 0), '--max-semi-space-size=16');
  assert.equal(valueAt(report, 'argv', 1), 'an argument');
});

test('programs that the shop starts do not get its settings for memory', async () => {
  const { report } = await runSavingMemory([]);
  const names = keysAt(report, 'env');
  assert.deepEqual(
    names.filter((name) => /^(?:MALLOC|GLIBC|SHOP)_/.test(name)),
    [],
  );
});

test('flags of the operator win over those for memory', async () => {
  const listFlags = ({ report }: Awaited<ReturnType<typeof runSavingMemory>>): readonly string[] =>
    listAt(report, 'execArgv')
      .map(String)
      .filter((flag) => flag.startsWith('--max-semi'));
  const own = '--max-semi-space-size=32';
  assert.equal(listFlags(await runSavingMemory([own])).at(-1), own);
  assert.deepEqual(listFlags(await runSavingMemory([], { NODE_OPTIONS: own })), []);
});
