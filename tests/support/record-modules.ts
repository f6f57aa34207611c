/**
 * Preloaded by `--import`: appends the URL of each module that the process loads to RECORD_MODULES, and the paths of the
 * modules in each file of the shop's bundle.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const BUNDLED = /\/releases\/[^/]+\/shop\/(?<name>[^/]+\.js)$/;

const modulesSchema = z.record(z.string(), z.array(z.string()));

function listBundled(url: string): string[] {
  const { name } = BUNDLED.exec(url)?.groups ?? {};
  if (name === undefined) return [];
  const modules = modulesSchema.parse(JSON.parse(readFileSync(fileURLToPath(new URL('modules.json', url)), 'utf8')));
  return (modules[name] ?? []).map((path) => `/${path}`);
}

const file = process.env['RECORD_MODULES'] ?? '';
if (file !== '') {
  registerHooks({
    load(url, context, nextLoad) {
      appendFileSync(file, [url, ...listBundled(url), ''].join('\n'));
      return nextLoad(url, context);
    },
  });
}
