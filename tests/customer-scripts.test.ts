/** Which scripts the pages of customers load. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import './support/built-pages.ts';
import { keysAt, listAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';

const SOURCE = join(import.meta.dirname, '../src');
const BACK_OFFICE = /^shop\/admin\//;
/** Long enough to be in one place only. */
const LONG_TEXT = /'([^'\\\n]{25,})'/g;

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

/** Texts in code of the back office and nowhere else. */
function listOfficeTexts(): readonly string[] {
  const names = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.'));
  const read = (of: readonly string[]): string => of.map((name) => readFileSync(join(SOURCE, name), 'utf8')).join('\n');
  const others = read(names.filter((name) => !BACK_OFFICE.test(name)));
  const texts = [...read(names.filter((name) => BACK_OFFICE.test(name))).matchAll(LONG_TEXT)].map(
    ([, text = '']) => text,
  );
  return [...new Set(texts)].filter((text) => !others.includes(text));
}

const load = async (path: string): Promise<string> => (await fetch(`${shop.url}${path}`)).text();

/** The text of a script and of all scripts that it imports at once. */
async function loadWithImports(paths: readonly string[], texts: Map<string, string>): Promise<void> {
  for (const path of paths) {
    if (texts.has(path)) continue;
    const text = await load(path);
    texts.set(path, text);
    const imported = [...text.matchAll(/(?:from|import)"\.\/([\w.-]+\.js)"/g)].map(([, name]) => `/assets/${name}`);
    await loadWithImports(imported, texts);
  }
}

test('[OPS-01] no page of customers loads code of the back office', async () => {
  const [manifestPath = ''] = /\/assets\/manifest-\w+\.js/.exec(await load('/')) ?? [];
  const manifest: unknown = JSON.parse((await load(manifestPath)).replace(/^[^{]*/, '').replace(/;$/, ''));
  const scripts = new Map<string, string>();
  for (const id of keysAt(manifest, 'routes')) {
    // Loaded by staff only.
    if (id.startsWith('admin/')) continue;
    const route = valueAt(manifest, 'routes', id);
    const imports = keysAt(route).includes('imports') ? listAt(route, 'imports').map(String) : [];
    await loadWithImports([textAt(route, 'module'), ...imports], scripts);
  }
  const texts = listOfficeTexts();
  assert.ok(texts.length > 100 && scripts.size > 30, `${texts.length} texts, ${scripts.size} scripts`);
  const found = [...scripts].flatMap(([path, script]) =>
    texts.filter((text) => script.includes(text)).map((text) => `${path}: ${text}`),
  );
  assert.deepEqual(found, []);
});
