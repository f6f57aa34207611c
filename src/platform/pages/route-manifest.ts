/**
 * Shrinks the route manifest of a build, which every visit fetches: default values are removed, and
 * routes that few visitors open are in a second manifest only.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const START = 'window.__reactRouterManifest=';

type Route = Readonly<Record<string, unknown>>;
interface RouteManifest {
  readonly routes: Readonly<Record<string, Route>>;
}

const isObject = (value: unknown): value is Route => typeof value === 'object' && value !== null;
const isRouteManifest = (value: unknown): value is RouteManifest => isObject(value) && isObject(value['routes']);

/** Whether a route is left out of the manifest of other pages. Links to it must load the document. */
export type IsSeparate = (path: string | undefined) => boolean;

/** URL of the manifest without the separate routes. */
export const getCommonManifestUrl = (url: string): string => url.replace(/\.js$/, '-common.js');

/** Rewrites the manifest in the assets of `react-router build`, and adds the common one. */
export async function shrinkRouteManifest(assetsDirectory: string, isSeparate: IsSeparate): Promise<void> {
  const names = (await readdir(assetsDirectory)).filter((name) => /^manifest-[^-]+\.js$/.test(name));
  for (const name of names) {
    const path = join(assetsDirectory, name);
    const text = await readFile(path, 'utf8');
    await writeFile(path, shrinkManifestText(text));
    await writeFile(getCommonManifestUrl(path), shrinkManifestText(text, isSeparate));
  }
}

/** @throws if React Router changed the format */
export function shrinkManifestText(text: string, isSeparate: IsSeparate = () => false): string {
  const list: unknown = text.startsWith(START) ? JSON.parse(text.slice(START.length).replace(/;\s*$/, '')) : null;
  if (!isRouteManifest(list)) throw new Error('the route manifest of React Router has an unknown format');
  const { root } = list.routes;
  const listed = Object.entries(list.routes).filter(
    ([, { path }]) => !isSeparate(typeof path === 'string' ? path : undefined),
  );
  const routes = listed.map(([id, route]): [string, Route] => [
    id,
    id === 'root' ? omitFalse(route) : shrinkRoute(route, root),
  ]);
  // The page itself names the entry script.
  return `${START}${JSON.stringify({ routes: Object.fromEntries(routes) })};`;
}

const omitFalse = (route: Route): Route =>
  Object.fromEntries(Object.entries(route).filter(([, value]) => value !== false));

/** Removes false values, empty lists, and files that the root route already has. */
function shrinkRoute(route: Route, root: Route | undefined): Route {
  const { hasDefaultExport: _isUnread, ...read } = route;
  const entries = Object.entries(read).map(([name, value]): [string, unknown] => {
    const known = root?.[name];
    if (!Array.isArray(value) || !Array.isArray(known)) return [name, value];
    return [name, value.filter((file) => !known.includes(file))];
  });
  return Object.fromEntries<unknown>(
    entries.filter(([, value]) => value !== false && !(Array.isArray(value) && value.length === 0)),
  );
}
