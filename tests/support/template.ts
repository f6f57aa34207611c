/**
 * Prepared data directories. The first test of a day and source state creates them; every other one starts on a copy,
 * which is much faster.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, globSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { endOrphanedDatabase, startShopProcess } from './shop-process.ts';
import { getTemporaryRoot } from './temporary-root.ts';

const PREFIX = `crypto-market-template-${digest([resolve('.')])}-`;

function digest(parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex').slice(0, 12);
}

/** Inputs of setup and seed; other edits do not affect the template. */
const MAKERS = [
  'db/**/*',
  'src/platform/database/**/*.ts',
  'src/platform/bitcoin/**/*.ts',
  'src/platform/security/passwords.ts',
  'src/shop/accounts/**/*.ts',
  'package-lock.json',
];

/** The day is part of the key: the seed's dates are relative to it. */
function computeTemplateName(): string {
  const files = globSync(MAKERS)
    .filter((path) => /\.(?:ts|sql|json)$/.test(path) && !path.endsWith('.test.ts'))
    .toSorted();
  const day = new Date().toISOString().slice(0, 10);
  return `${PREFIX}${digest([day, ...files.flatMap((path) => [path, readFileSync(path)])])}`;
}

/** A new directory for temporary data, accessible to the database's user. */
export function makeTemporaryDirectory(): string {
  const directory = mkdtempSync(join(getTemporaryRoot(), 'crypto-market-'));
  chmodSync(directory, 0o755);
  return directory;
}

/** Fills an empty directory with a shop's data as it is after its first start. */
export const fillFromTemplate = (directory: string): Promise<void> =>
  fillFrom('shop', directory, async (partial) => {
    const shop = await startShopProcess(partial);
    await shop.stop();
  });

/**
 * Fills an empty directory from a template of the day and the present source.
 * @param kind what the template holds
 * @param make fills the directory of the template if there is none yet
 */
export async function fillFrom(
  kind: string,
  directory: string,
  make: (partial: string) => Promise<void>,
): Promise<void> {
  for (;;) {
    const template = join(tmpdir(), `${computeTemplateName()}-${kind}`);
    if (!existsSync(template)) await makeTemplate(template, make);
    try {
      // With owners and modes: PostgreSQL refuses a directory that others can read.
      if (process.platform !== 'win32') await promisify(execFile)('cp', ['-a', `${template}/.`, directory]);
      else await cp(template, directory, { recursive: true });
      return;
    } catch (error) {
      // After midnight another test file removes yesterday's template, perhaps during a copy.
      if (existsSync(template)) throw error;
      for (const half of readdirSync(directory)) rmSync(join(directory, half), { recursive: true, force: true });
    }
  }
}

async function makeTemplate(template: string, make: (partial: string) => Promise<void>): Promise<void> {
  // Beside the template, so that it can be renamed.
  const partial = mkdtempSync(`${template}-partial-`);
  chmodSync(partial, 0o755);
  try {
    await make(partial);
    const current = computeTemplateName();
    for (const old of readdirSync(tmpdir()).filter((name) => name.startsWith(PREFIX) && !name.startsWith(current))) {
      rmSync(join(tmpdir(), old), { recursive: true, force: true });
    }
    renameSync(partial, template);
  } catch (error) {
    endOrphanedDatabase(partial);
    rmSync(partial, { recursive: true, force: true });
    // Another test file may have created the same template first.
    if (!existsSync(template)) throw error;
  }
}
