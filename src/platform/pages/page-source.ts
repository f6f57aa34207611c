/** The source of the pages: the bundles of a build. development-pages.ts has that of development. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { ServerBuild } from 'react-router';
import { getPageBundle } from './page-bundle.ts';
import type { RenderedPage } from './page-bundle.ts';
import { createPageFinisher } from './page-shell.ts';
import { ReleaseAssets } from './release-assets.ts';
import { recordUse, Releases, USE_RECORD_MS } from './releases.ts';
import type { FinishedPage } from './page-shell.ts';
import { buildNoncePolicy } from '#src/platform/http/security-headers.ts';

export interface PageSource {
  readonly isDevelopment: boolean;
  /** The server bundle; in development the latest. */
  readonly load: () => Promise<ServerBuild>;
  /** Build time, for the sitemap. */
  readonly builtAt: Date;
  /** Finishes a page of the engine. Null: stock React Router writes whole pages. */
  readonly finish: ((page: RenderedPage, isPublic: boolean) => FinishedPage) | null;
  /** The content security policy of a page that stock React Router wrote. */
  readonly createStockPolicy: (nonce: string) => string;
  /** Static files; null if Vite serves them. */
  readonly files: { readonly assets: ReleaseAssets; readonly publicDirectory: string } | null;
  readonly close: () => Promise<void>;
}

/** Opens the pages of a server before it listens. */
export type OpenPages = (server: FastifyInstance) => Promise<PageSource>;

function isServerBuild(module: unknown): module is ServerBuild {
  return typeof module === 'object' && module !== null && 'entry' in module && 'routes' in module && 'assets' in module;
}

export function requireServerBuild(module: unknown, from: string): ServerBuild {
  if (!isServerBuild(module)) throw new Error(`${from} is not the server's bundle`);
  return module;
}

interface BuiltPagesOptions {
  readonly isStock: boolean;
  /** Directory with the assets of all releases. */
  readonly assetsRoot: string;
}

/** The current release that `npm run build` made for the engine, or the one for PAGES=stock. */
export async function openBuiltPages({ isStock, assetsRoot }: BuiltPagesOptions): Promise<PageSource> {
  const release = Releases.of(isStock ? 'stock' : 'engine', assetsRoot).readCurrent();
  if (release === null) throw new Error('the pages are not built');
  const file = join(release.directory, 'server/index.js');
  const build = requireServerBuild(await import(pathToFileURL(file).href), file);
  const { assetsDirectory } = release;
  const finish = isStock ? null : await createFinisher(build, assetsDirectory);
  recordUse(release);
  const timer = setInterval(() => recordUse(release), USE_RECORD_MS).unref();
  return {
    isDevelopment: false,
    load: () => Promise.resolve(build),
    builtAt: (await stat(file)).mtime,
    finish,
    createStockPolicy: buildNoncePolicy,
    files: { assets: new ReleaseAssets(dirname(assetsDirectory), assetsDirectory), publicDirectory: resolve('public') },
    close: async () => clearInterval(timer),
  };
}

async function createFinisher(build: ServerBuild, assetsDirectory: string) {
  const [styles, sizes] = await Promise.all([readStyles(assetsDirectory), readSizes(assetsDirectory)]);
  const { firstInHead, pressScript } = getPageBundle(build);
  return createPageFinisher({
    manifest: build.assets,
    firstInHead,
    pressScript,
    readStyle: (href) => styles.get(href) ?? null,
    getSize: (path) => sizes.get(path) ?? 0,
  });
}

async function readStyles(directory: string): Promise<Map<string, string>> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.css'));
  const entries = names.map(
    async (name) => [`/assets/${name}`, await readFile(join(directory, name), 'utf8')] as const,
  );
  return new Map(await Promise.all(entries));
}

async function readSizes(directory: string): Promise<Map<string, number>> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.js'));
  const entries = names.map(async (name) => [`/assets/${name}`, (await stat(join(directory, name))).size] as const);
  return new Map(await Promise.all(entries));
}

/** Paths of all pages without parameters, in the order of the routes. A layout has no path and is no page. */
export async function listStaticPaths(source: PageSource): Promise<readonly string[]> {
  const { routes } = await source.load();
  return Object.values(routes).flatMap((route) => {
    if (route === undefined || route.parentId === undefined) return [];
    const path = route.index === true ? '' : route.path;
    return path === undefined || /[:*]/.test(path) ? [] : `/${path}`;
  });
}
