/**
 * The last script of a page. It passes to `startShop` of browser/replay-presses.ts what React Router's `<Scripts>` would do;
 * react-router.test.ts fails when that changes.
 */

/** Id of the element that contains the loader data. Its type is JSON, so it is not executed. */
export const DATA_ID = 'page-data';

export interface HydrationOptions {
  /** The value of `window.__reactRouterContext`, as JSON. */
  readonly handoff: string;
  /** URLs of the route manifest and the entry script. */
  readonly manifest: string;
  readonly entry: string;
  /** Ids and script URLs of the matched routes, outermost first. */
  readonly routes: readonly (readonly [string, string])[];
  /** URLs of all scripts, in the order of download. */
  readonly preloads: readonly string[];
  /** Only public pages defer hydration. */
  readonly isPublic: boolean;
}

/** The last script of the page, after the data. */
export function createHydrationScript({
  handoff,
  manifest,
  entry,
  routes,
  preloads,
  isPublic,
}: HydrationOptions): string {
  const imports = [manifest, ...routes.map(([, path]) => path)].map((path) => `import("${path}")`);
  const modules = routes.map(([id], index) => `${JSON.stringify(id)}:m[${index + 1}]`);
  return (
    `startShop(function(){var c=window.__reactRouterContext=${handoff};` +
    `c.stream=new Response(document.getElementById("${DATA_ID}").textContent).body;` +
    `${JSON.stringify(preloads)}.forEach(function(h){var l=document.createElement('link');` +
    `l.rel='modulepreload';l.href=h;document.head.append(l)});` +
    `return Promise.all([${imports.join()}]).then(function(m){` +
    `window.__reactRouterRouteModules={${modules.join()}};return import("${entry}")})}${isPublic ? '' : ',1'})`
  );
}
