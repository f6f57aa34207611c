/** Tracks the source files of the bundles. A change of any other file needs no build. */
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';

/** Directory of one JSON file per bundle, written by `createInputRecorder`: paths relative to the project. */
const RECORDS = 'node_modules/.cache/build-inputs';

/** Inputs that no bundler reports. */
const ALWAYS = [
  'public/**/*',
  'vite.config.ts',
  'react-router.config.ts',
  'tsconfig*.json',
  'package-lock.json',
  'scripts/build/**/*.ts',
  // Run by vite.config.ts and react-router.config.ts.
  'src/platform/pages/build-plugins.ts',
  'src/platform/pages/precompress.ts',
];

const isSource = (relative: string): boolean => /^(?:src|db)[\\/]/.test(relative);

/**
 * A plugin that records the modules of each bundle, for `readRecordedInputs`.
 * @param program distinguishes the records of builds that are parts of one release
 */
export const createInputRecorder = (program: 'pages' | 'shop'): Plugin => ({
  name: 'record-inputs',
  apply: 'build',
  generateBundle() {
    const files = [...this.getModuleIds()].flatMap((id) => {
      const [file = ''] = id.split('?');
      const relative = path.relative('.', file);
      return path.isAbsolute(file) && isSource(relative) && existsSync(file) ? relative : [];
    });
    mkdirSync(RECORDS, { recursive: true });
    writeFileSync(`${RECORDS}/${program}-${this.environment.name}.json`, JSON.stringify([...new Set(files)]));
  },
});

/** Deletes the records of an earlier build. */
export const clearRecords = (): void => rmSync(RECORDS, { recursive: true, force: true });

/** Without a library for schemas: `npm start` would keep it in memory besides that of the bundle. */
export const isStringList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** The modules of the last build, sorted. */
export function readRecordedInputs(): readonly string[] {
  const files = globSync(`${RECORDS}/*.json`).flatMap((file) => {
    const list: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!isStringList(list)) throw new Error(`${file} is not a list of files`);
    return list;
  });
  return [...new Set(files)].map((file) => file.replaceAll('\\', '/')).toSorted();
}

/** Whether one of these files was written since then, so that the bundles may be outdated. */
export const areWrittenSince = (files: readonly string[], sinceMs: number): boolean =>
  files.some((file) => existsSync(file) && statSync(file).mtimeMs >= sinceMs);

const listInputs = (files: readonly string[]): readonly string[] => {
  const always = ALWAYS.flatMap((pattern) => globSync(pattern)).filter((file) => !file.endsWith('.test.ts'));
  return [...always.toSorted(), ...files];
};

/** Hashes names and content of these files and of the inputs of every build. A missing file counts as empty. */
export function hashInputs(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of listInputs(files)) {
    const isPresent = existsSync(file);
    if (isPresent && !statSync(file).isFile()) continue;
    const bytes = isPresent ? readFileSync(file) : Buffer.alloc(0);
    hash.update(`${file.replaceAll('\\', '/')}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

/** Hashes names, sizes and times of the same files without reading them. Equal: no file was written. */
export function hashFileTimes(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of listInputs(files)) {
    const stats = statSync(file, { throwIfNoEntry: false });
    hash.update(`${file}\0${stats?.size ?? ''}\0${stats?.mtimeMs ?? ''}\0${stats?.ctimeMs ?? ''}\0`);
  }
  return hash.digest('hex');
}
