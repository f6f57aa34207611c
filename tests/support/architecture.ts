/**
 * File kinds with their allowed imports, and slice dependencies. The path of a file determines its
 * kind; a path without a kind is refused.
 */
import { dirname, posix } from 'node:path';
import { PARTS, SLICES } from './slices.ts';

/** The first matching kind applies. */
const KIND_NAMES = [
  'seed',
  'outside',
  'main',
  'asset',
  'ui',
  'storefront',
  'pages-browser',
  'page',
  'web',
  'platform',
  'devchain',
  'codec',
  'contract',
  'store',
  'service',
  'routes',
  'worker',
  'rules',
] as const;
type KindName = (typeof KIND_NAMES)[number];

interface Kind {
  readonly path: RegExp;
  readonly mayImport: readonly KindName[];
  /** Kinds from which only `import type` is allowed. */
  readonly mayImportTypesOf?: readonly KindName[];
  /** Packages and `node:` modules. */
  readonly packages: RegExp;
  /** Files of this kind are private to their slice. */
  readonly privateTo?: 'slice';
}

const NONE = /^$/;
const ANY = /^/;
/** Tables of letters and HTML entities: pure functions. */
const LETTERS = /^(?:@sindresorhus\/transliterate|entities)$/;
const BROWSER_PACKAGES =
  /^(?:react|react-dom|react-router|@base-ui\/react|@fontsource-variable\/geist|uqr|diff|d3-scale|@simplewebauthn\/browser)(?:\/|$)/;

const KINDS: Readonly<Record<KindName, Kind>> = {
  // Initial data of the demo shop.
  seed: { path: /^db\/seed\//, mayImport: ['seed', 'rules', 'platform'], packages: /^(?:kysely|node:|uuid$)/ },
  // Tests, scripts and tool settings may import anything.
  outside: {
    path: /^(?:tests|scripts)\/|^[a-z.-]+\.config\.ts$|\.test\.tsx?$/,
    mayImport: [],
    packages: ANY,
  },
  main: {
    // The process and its composition may import everything except SQL.
    path: /^src\/(?:main|app\/[a-z-]+)\.ts$/,
    mayImport: [
      'main',
      'rules',
      'codec',
      'contract',
      'service',
      'routes',
      'worker',
      'platform',
      'devchain',
      'storefront',
      'seed',
    ],
    packages: ANY,
  },
  asset: {
    path: /^src\/(?:ui|storefront|shop\/[a-z-]+\/(?:[a-z-]+\/)?web|shop\/admin\/kit)\/.*\.(?:css|svg|avif|webp|woff2)$/,
    mayImport: [],
    packages: NONE,
  },
  ui: { path: /^src\/ui\/.*\.tsx?$/, mayImport: ['ui', 'asset'], packages: BROWSER_PACKAGES },
  storefront: {
    path: /^src\/storefront\/.*\.tsx?$/,
    mayImport: ['rules', 'storefront', 'pages-browser', 'ui', 'asset'],
    mayImportTypesOf: ['contract', 'codec'],
    packages: BROWSER_PACKAGES,
  },
  // The part of the page engine that runs in the browser.
  'pages-browser': {
    path: /^src\/platform\/pages\/browser\/.*\.tsx?$/,
    mayImport: ['pages-browser', 'ui'],
    packages: BROWSER_PACKAGES,
  },
  // Pages, opened by React Router. No file imports a page, so a page may import any slice.
  page: {
    path: /^src\/shop\/[a-z-]+\/(?:[a-z-]+\/)?web\/[a-z-]+-page\.tsx$|^src\/storefront\/layout\/not-found-page\.tsx$|^src\/shop\/admin\/kit\/back-office-layout\.tsx$|^src\/(?:root|entry\.client|entry\.server)\.tsx$|^src\/routes\.ts$/,
    mayImport: ['rules', 'web', 'storefront', 'pages-browser', 'ui', 'asset'],
    mayImportTypesOf: ['contract', 'codec'],
    packages: /^(?:react|react-dom|react-router|@react-router\/dev\/routes|isbot|node:stream)(?:\/|$)/,
  },
  web: {
    path: /^src\/shop\/(?:[a-z-]+\/(?:[a-z-]+\/)?web|admin\/kit)\/.*\.tsx?$/,
    mayImport: ['rules', 'web', 'storefront', 'pages-browser', 'ui', 'asset'],
    mayImportTypesOf: ['contract', 'codec'],
    packages: BROWSER_PACKAGES,
  },
  platform: { path: /^src\/platform\/.*\.ts$/, mayImport: ['platform'], packages: /^(?!react(?:-dom)?(?:\/|$))/ },
  // The devchain and its HTTP API. Only demo mode loads them.
  devchain: {
    path: /^src\/shop\/demo\/(?:devchain\/.*|mail-view)\.ts$/,
    mayImport: ['devchain', 'platform'],
    packages: /^(?!react(?:-dom)?(?:\/|$))/,
    privateTo: 'slice',
  },
  codec: {
    path: /^src\/shop\/(?:wire|access-rules|codecs|api)\.ts$/,
    mayImport: ['rules', 'codec', 'contract'],
    mayImportTypesOf: ['platform'],
    packages: /^zod$/,
  },
  contract: {
    path: /^src\/shop\/[a-z-]+\/(?:[a-z-]+\/)?contract\.ts$/,
    mayImport: ['rules', 'codec', 'contract'],
    packages: /^zod$/,
  },
  store: {
    // A large slice has several stores, such as `payouts.store.ts`.
    path: /^src\/shop\/[a-z-]+\/(?:[a-z-]+\/)?(?:[a-z-]+\.)?store\.ts$/,
    mayImport: ['rules', 'store', 'platform'],
    packages: /^(?:kysely|node:crypto|uuid)$/,
    privateTo: 'slice',
  },
  service: {
    path: /^src\/shop\/[a-z-]+\/(?:[a-z-]+\/)?(?:[a-z-]+\.)?service\.ts$/,
    mayImport: ['rules', 'codec', 'contract', 'store', 'service', 'platform', 'devchain'],
    packages: /^(?:node:crypto|uuid|zod)$/,
  },
  routes: {
    path: /^src\/shop\/[a-z-]+\/(?:[a-z-]+\/)?routes\.ts$/,
    mayImport: ['contract', 'service', 'platform', 'codec'],
    mayImportTypesOf: ['rules'],
    packages: NONE,
  },
  worker: {
    path: /^src\/shop\/[a-z-]+\/(?:[a-z-]+\/)?worker\.ts$/,
    mayImport: ['contract', 'service', 'platform', 'codec'],
    mayImportTypesOf: ['rules'],
    packages: NONE,
  },
  rules: {
    path: /^src\/shop\/(?:money|list-pages|fold-typed|format|format-number|parse-amount|phone-number|postcodes|mail-kinds|regions|delivery-times|format-arrival|permissions|price-reduction|shop-days|counted-list|export-name|fold-text|[a-z-]+\/(?:(?!web\/)[a-z-]+\/)?[a-z][a-z0-9-]*)\.ts$/,
    mayImport: ['rules'],
    // Forms read and write what a contract describes.
    mayImportTypesOf: ['contract'],
    packages: LETTERS,
  },
};

/** Paths that may import the database packages. All SQL is in these files. */
const SQL_PATHS = /^src\/platform\/(?:database|jobs)\/|(?:^|[/.])store\.ts$|^(?:tests|scripts|db)\/|\.test\.ts$/;
/** Paths that may read the environment. Passing PATH to a child process is not a setting. */
const ENVIRONMENT_PATHS =
  /^src\/app\/settings\.ts$|^src\/platform\/database\/postgres-process\.ts$|^(?:tests|scripts|db)\/|\.test\.ts$/;
const FORBIDDEN_NAMES = /(?:^|\/)(?:lib|utils?|helpers?|common|misc|shared|types|index)(?:\/|\.[a-z.]+$)/;
/** What is written in one place, so that a change of it is one change. */
const ONE_PLACE: readonly { readonly what: RegExp; readonly where: RegExp; readonly instead: string }[] = [
  {
    what: /\bsessionStorage\b/,
    where: /^src\/ui\/browser\/tab-storage\.ts$/,
    instead: 'src/ui/browser/tab-storage.ts keeps data of a tab',
  },
  {
    what: /\bbeforeunload\b/,
    where: /^src\/ui\/page\/use-leave-warning\.ts$/,
    instead: 'src/ui/page/use-leave-warning.ts warns before a page is left',
  },
  {
    what: /\bset(?:Is)?(?:Busy|Sending|Saving|Submitting|Uploading)/,
    where: /^src\/(?:ui\/form|storefront\/forms)\//,
    instead: 'useCallForm() and useCallAction() know whether a form is being sent',
  },
  {
    what: /The shop did not respond/,
    where: /^src\/storefront\/(?:api|forms\/describe-failure|layout\/failed-navigation-notice)\.tsx?$/,
    instead: 'src/storefront/forms/describe-failure.ts says why a call failed',
  },
  {
    what: /\b(?:[Ss]ome(?:one|body) else|[Aa]nother (?:owner|person)) (?:has )?changed\b|\b(?:Keep|Take) (?:mine|theirs)\b/,
    where: /^src\/(?:platform\/http\/call|shop\/admin\/kit\/document\/describe-conflict)\.ts$/,
    instead: 'src/shop/admin/kit/document says who changed a document meanwhile',
  },
  {
    what: /readOfTab|writeOfTab/,
    where:
      /^src\/(?:ui\/browser\/tab-storage|storefront\/layout\/use-route-change|shop\/admin\/kit\/(?:document\/use-draft|recent-findings|visited-list))\.ts$/,
    instead: 'useDocument() keeps unsaved changes of the back office',
  },
  {
    // Contracts describe it, and pages react to it.
    what: /changed-meanwhile/,
    where:
      /^src\/(?:platform\/http\/call\.ts$|shop\/editing\/|(?:ui|storefront)\/|shop\/(?:.+\/)?(?:contract\.ts$|(?:web|kit)\/))/,
    instead: 'changeDocument() of src/shop/editing refuses a change of an older version',
  },
  {
    what: /\bcreateConflict\b[^;]*http\/call\.ts/,
    where: /^src\/shop\/editing\//,
    instead: 'changeDocument() of src/shop/editing refuses a change of an older version',
  },
];
/** Calls that make a rule impure. */
const IMPURE =
  /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\b|\bperformance\.|\bfetch\(|\bprocess\.|\bcrypto\.|\bsetTimeout\b|\bconsole\./;

export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

interface Import {
  readonly specifier: string;
  readonly isType: boolean;
  readonly isDynamic: boolean;
}

export function getKind(path: string): KindName | null {
  return KIND_NAMES.find((name) => KINDS[name].path.test(path)) ?? null;
}

/** The part of the slice that contains a file; null for none. */
function findPart(path: string): string | null {
  const part = /^src\/shop\/[a-z-]+\/([a-z-]+)\//.exec(path)?.[1] ?? null;
  return part === 'web' ? null : part;
}

function findSlice(path: string): string | null {
  return /^src\/shop\/([a-z-]+)\//.exec(path)?.[1] ?? null;
}

/** Violations of a file, one line each. */
export function findViolations(file: SourceFile): string[] {
  const { path } = file;
  const kind = getKind(path);
  const slice = findSlice(path);
  if (FORBIDDEN_NAMES.test(path)) return [`${path}: choose a name that describes the content`];
  if (kind === null) return [`${path}: no kind of file belongs here`];
  if (slice !== null && !Object.hasOwn(SLICES, slice)) return [`${path}: there is no slice "${slice}"`];
  const part = findPart(path);
  if (part !== null && PARTS[slice ?? '']?.includes(part) !== true) {
    return [`${path}: the slice "${slice}" has no part "${part}"`];
  }
  const code = removeComments(file.text);
  const imports = kind === 'outside' ? [] : parseImports(code);
  const violations = imports.flatMap((found) => {
    const reason = findProblem(path, kind, slice, found);
    return reason === null ? [] : [`${path}: may not import ${found.specifier}: ${reason}`];
  });
  if (/\bsql(?:<[^`]*>)?`/.test(code) && !SQL_PATHS.test(path))
    violations.push(`${path}: SQL is allowed in store.ts only`);
  if (readsEnvironment(code) && !ENVIRONMENT_PATHS.test(path)) {
    violations.push(`${path}: the environment is read in src/app/settings.ts only`);
  }
  for (const { what, where, instead } of ONE_PLACE) {
    if (kind !== 'outside' && what.test(code) && !where.test(path)) violations.push(`${path}: ${instead}`);
  }
  if (kind === 'rules') {
    const impure = IMPURE.exec(code);
    if (impure !== null) violations.push(`${path}: pass the value to the rule as an argument instead of ${impure[0]}`);
  }
  return violations;
}

/** The files that a file imports, types included. */
const listTargets = ({ path, text }: SourceFile): readonly string[] =>
  parseImports(removeComments(text)).flatMap(({ specifier }) => resolveTarget(path, specifier) ?? []);

/** Pairs of files that import each other, types included, as `a <> b`. */
export const findImportCycles = (files: readonly SourceFile[]): string[] => findMutualPairs(files, (path) => path);

/** Pairs that import each other, types included, as `a <> b`. @param nameOf what a file is part of; null: nothing */
export function findMutualPairs(files: readonly SourceFile[], nameOf: (path: string) => string | null): string[] {
  const imported = new Map<string, Set<string>>();
  for (const file of files) {
    const from = nameOf(file.path);
    if (from === null) continue;
    const targets = imported.get(from) ?? new Set();
    for (const target of listTargets(file)) {
      const to = nameOf(target);
      if (to !== null && to !== from) targets.add(to);
    }
    imported.set(from, targets);
  }
  return [...imported].flatMap(([from, targets]) =>
    [...targets].filter((to) => from < to && imported.get(to)?.has(from)).map((to) => `${from} <> ${to}`),
  );
}

/** A live shop loads nothing of the demo: one file each imports slice and seed, and is imported dynamically. */
const DEMO_ENTRY = 'src/app/demo.ts';
const SEED_ENTRY = 'src/app/seed-demo.ts';

function findDemoProblem(path: string, target: string, { isType, isDynamic }: Import): string | null {
  if (isType || findSlice(path) === 'demo') return null;
  if (findSlice(target) === 'demo' && path !== DEMO_ENTRY) return `only ${DEMO_ENTRY} imports the demo`;
  if (getKind(target) === 'seed' && path !== SEED_ENTRY) return `only ${SEED_ENTRY} imports the seed`;
  return (target === DEMO_ENTRY || target === SEED_ENTRY) && !isDynamic ? 'import it dynamically' : null;
}

function findProblem(path: string, kind: KindName, slice: string | null, imported: Import): string | null {
  const { specifier, isType } = imported;
  const target = resolveTarget(path, specifier);
  if (target === null) return findPackageProblem(path, kind, specifier, isType);
  const targetKind = getKind(target);
  if (targetKind === null) return 'the imported path has no kind';
  const { mayImport, mayImportTypesOf = [] } = KINDS[kind];
  const isAllowed = mayImport.includes(targetKind) || (isType && mayImportTypesOf.includes(targetKind));
  if (!isAllowed) {
    return mayImportTypesOf.includes(targetKind)
      ? `${kind} may import only types of ${targetKind}`
      : `${kind} must not import ${targetKind}`;
  }
  if (kind === 'main') return findDemoProblem(path, target, imported);
  const targetSlice = findSlice(target);
  if (slice === null || targetSlice === null || targetSlice === slice || kind === 'page') return null;
  if (KINDS[targetKind].privateTo === 'slice') return `a store is private to its slice`;
  return SLICES[slice]?.includes(targetSlice) === true ? null : `${slice} must not import ${targetSlice}`;
}

function findPackageProblem(path: string, kind: KindName, specifier: string, isType: boolean): string | null {
  if (/^(?:kysely|pg|pg-boss)(?:\/|$)/.test(specifier)) {
    return SQL_PATHS.test(path) || (isType && (kind === 'platform' || kind === 'main'))
      ? null
      : 'SQL is allowed in store.ts only';
  }
  return KINDS[kind].packages.test(specifier) ? null : `${kind} must not import this package`;
}

/** The imported file relative to the repository root; null for a package or `node:` module. */
function resolveTarget(path: string, specifier: string): string | null {
  const bare = specifier.replace(/\?.*$/, '');
  if (bare.startsWith('#src/')) return bare.slice(1);
  return bare.startsWith('.') ? posix.normalize(`${dirname(path)}/${bare}`) : null;
}

/** Every import, re-export and dynamic import of a file. */
function parseImports(code: string): Import[] {
  const found: Import[] = [];
  const statement = /^\s*(?:import|export)\s+(type\s)?(?:[^'"`;()]*?\sfrom\s*)?['"]([^'"]+)['"]/gm;
  for (const [, type, specifier = ''] of code.matchAll(statement))
    found.push({ specifier, isType: type !== undefined, isDynamic: false });
  for (const [, specifier = ''] of code.matchAll(/\b(?:import|require)\s*\(\s*['"]([^'"]+)['"]/g)) {
    found.push({ specifier, isType: false, isDynamic: true });
  }
  return found;
}

function readsEnvironment(code: string): boolean {
  return /\bprocess\s*\.\s*env\b|\bprocess\s*\[|\bimport\s*\{[^}]*\benv\b[^}]*\}\s*from\s*'node:process'/.test(code);
}

/**
 * Removes comments. A URL in a string is not removed, since no white space precedes its slashes.
 */
export function removeComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1');
}
