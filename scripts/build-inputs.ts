/** The files that the bundles are made of: a change of any other file needs no build. */
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';
import { z } from 'zod';

/** Written by `recordInputs`, one file for each bundle: paths in the project, relative to it. */
const RECORDS = 'node_modules/.cache/build-inputs';

/** What no bundler reports. */
const ALWAYS = [
  'public/**/*',
  'vite.config.ts',
  'react-router.config.ts',
  'tsconfig*.json',
  'package-lock.json',
  'scripts/build*.ts',
  'scripts/short-class-names.ts',
  // Run by vite.config.ts and react-router.config.ts.
  'src/platform/pages/build-plugins.ts',
  'src/platform/pages/precompress.ts',
  'src/platform/pages/route-manifest.ts',
];

/** Notes the modules of each bundle, for `recordedInputs`. */
export const recordInputs: Plugin = {
  name: 'record-inputs',
  apply: 'build',
  generateBundle() {
    const files = [...this.getModuleIds()].flatMap((id) => {
      const [file = ''] = id.split('?');
      const relative = path.relative('.', file);
      return path.isAbsolute(file) && relative.startsWith('src') && existsSync(file) ? relative : [];
    });
    mkdirSync(RECORDS, { recursive: true });
    writeFileSync(`${RECORDS}/${this.environment.name}.json`, JSON.stringify([...new Set(files)]));
  },
};

/** Forgets the records of an earlier build. */
export const clearRecords = (): void => rmSync(RECORDS, { recursive: true, force: true });

/** The modules of the last build, sorted. */
export function recordedInputs(): readonly string[] {
  const files = globSync(`${RECORDS}/*.json`).flatMap((file) =>
    z.array(z.string()).parse(JSON.parse(readFileSync(file, 'utf8'))),
  );
  return [...new Set(files)].map((file) => file.replaceAll('\\', '/')).toSorted();
}

/** Whether one of these files was toDecimals since: the bundles may be of before. */
export const areWrittenSince = (files: readonly string[], sinceMs: number): boolean =>
  files.some((file) => existsSync(file) && statSync(file).mtimeMs >= sinceMs);

/** Hash of these files and of all others that every build depends on, names included; a missing file counts as empty. */
export function hashInputs(files: readonly string[]): string {
  const hash = createHash('sha256');
  const always = ALWAYS.flatMap((pattern) => globSync(pattern)).filter((file) => !file.endsWith('.test.ts'));
  for (const file of [...always.toSorted(), ...files]) {
    const isThere = existsSync(file);
    if (isThere && !statSync(file).isFile()) continue;
    const bytes = isThere ? readFileSync(file) : Buffer.alloc(0);
    hash.update(`${file.replaceAll('\\', '/')}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}
