/** The import graph of the whole project, including type imports. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const SOURCES = ['{src,tests,scripts,db}/**/*.{ts,tsx,css}', '*.config.ts', 'scripts/*.mjs'];

export type ImportGraph = ReadonlyMap<string, ReadonlySet<string>>;

const STATEMENT = /^\s*(?:import|export)\s+(?:type\s)?(?:[^'"`;()]*?\sfrom\s*)?['"]([^'"]+)['"]/gm;
const CALL = /\b(?:import|new URL)\s*\(\s*['"]([^'"]+)['"]/g;

function resolveImport(from: string, specifier: string): string | null {
  const bare = specifier.replace(/\?.*$/, '');
  if (bare.startsWith('#src/')) return bare.slice(1);
  return bare.startsWith('.') ? path.posix.normalize(`${path.posix.dirname(from)}/${bare}`) : null;
}

const toSlashes = (file: string): string => file.replaceAll('\\', '/');
export const listFiles = (patterns: readonly string[]): string[] =>
  patterns.flatMap((pattern) => globSync(pattern)).map(toSlashes);

/** Dependencies without an import: the file starts a process, reads a directory, or opens a page. */
function listHiddenImports(file: string): readonly string[] {
  if (file === 'tests/support/shop-process.ts') return ['scripts/run.mjs', 'scripts/start.ts'];
  if (file === 'src/platform/markdown/markdown-parser.ts') return ['src/platform/markdown/markdown-worker.ts'];
  if (file === 'src/platform/pdf/pdf-renderer.ts') return ['src/platform/pdf/pdf-worker.ts'];
  if (file === 'src/app/import-checker.ts') return ['src/app/check-import-process.ts'];
  if (file === 'src/platform/pictures/converter.ts') return ['src/platform/pictures/convert-process.ts'];
  if (file === 'tests/support/database-server.ts' || file === 'src/main.ts') return listFiles(['db/migrations/*']);
  if (file === 'tests/support/chromium.ts') return listFiles(['src/root.tsx', 'src/routes.ts', 'src/entry.*.tsx']);
  if (file === 'src/routes.ts') {
    const pages = readFileSync(file, 'utf8').matchAll(/['"]([\w./-]+\.tsx)['"]/g);
    return [...pages].map(([, page = '']) => path.posix.normalize(`src/${page}`));
  }
  return [];
}

/** The shop that fills a template only seeds it: a test on a database does not depend on the rest of that shop. */
const isIgnored = (file: string, target: string): boolean =>
  file === 'tests/support/template.ts' && target === 'tests/support/shop-process.ts';

const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

/** Files whose paths appear in a test or a script, such as documentation that it reads. */
const findNamedFiles = (file: string, code: string): string[] =>
  /^(?:tests|scripts)\//.test(file)
    ? [...code.replaceAll(COMMENT, '').matchAll(/['"`]([\w-][\w./-]*\.[a-z]+)['"`]/g)]
        .map(([, named = '']) => named)
        .filter((named) => !named.endsWith('.test.ts') && existsSync(named))
    : [];

export function readImportGraph(): ImportGraph {
  const graph = new Map<string, Set<string>>();
  for (const file of listFiles(SOURCES)) {
    const code = file.endsWith('.css') ? '' : readFileSync(file, 'utf8');
    const targets = [...code.matchAll(STATEMENT), ...code.matchAll(CALL)]
      .map(([, specifier = '']) => resolveImport(file, specifier))
      .filter((target) => target !== null)
      .filter((target) => existsSync(target) && !isIgnored(file, target));
    graph.set(file, new Set([...targets, ...listHiddenImports(file), ...findNamedFiles(file, code)]));
  }
  return graph;
}

/** The file and all its direct and indirect imports, except those through `excluded`. */
export function computeClosure(
  graph: ImportGraph,
  file: string,
  excluded: readonly string[] = [],
): ReadonlySet<string> {
  const seen = new Set<string>();
  const open = [file];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    if (!excluded.includes(next)) open.push(...(graph.get(next) ?? []));
  }
  return seen;
}
