/** Runs the selected tests, then the affected ones after each edit. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readdirSync, watch } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readImportGraph } from './import-graph.ts';
import { selectAffectedTests, selectTests } from './select-tests.ts';
import type { Selection } from './select-tests.ts';

/** Editors write a file in several steps. */
const SETTLE_MS = 100;
const ROOTS = ['src', 'tests', 'scripts', 'db'];

export function watchTests(selection: Selection): void {
  let running: ChildProcess | null = null;
  const edited = new Set<string>();
  let settled: NodeJS.Timeout | undefined;
  const start = (files: readonly string[]): void => {
    const name = selection.name === null ? [] : ['-t', selection.name.source];
    const launcher = fileURLToPath(new URL('run.mjs', import.meta.url));
    running = spawn(process.execPath, [launcher, 'test', ...files, ...name], { stdio: 'inherit' });
    running.once('exit', () => {
      running = null;
      if (edited.size > 0) runEdited();
      else console.log('Waiting for an edit …');
    });
  };
  const runEdited = (): void => {
    // Edits during a run are tested after it.
    if (running !== null) return;
    const files = selectAffectedTests(readImportGraph(), selectTests({ ...selection, changedSince: null }), [
      ...edited,
    ]);
    edited.clear();
    if (files.length > 0) start(files);
  };
  // Directories instead of files: a watched file is lost when an editor replaces it.
  for (const root of ROOTS) {
    const inside = readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => path.join(entry.parentPath, entry.name));
    for (const directory of [root, ...inside]) {
      watch(directory, (_event, file) => {
        if (file === null || file.endsWith('~')) return;
        edited.add(path.join(directory, file).replaceAll('\\', '/'));
        clearTimeout(settled);
        settled = setTimeout(runEdited, SETTLE_MS);
      });
    }
  }
  const first = selectTests(selection);
  if (first.length > 0) start(first);
  else console.log('Waiting for an edit …');
}
