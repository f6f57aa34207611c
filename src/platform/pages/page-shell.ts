/**
 * Adds styles, the hydration script and the content security policy to a rendered page. They depend on its routes only, so
 * they are created once per set of routes. Styles are inlined for a fast first paint.
 */
import type { ServerBuild } from 'react-router';
import { DATA_ID, createHydrationScript } from './deferred-hydration.ts';
import type { RenderedPage } from './page-bundle.ts';
import { hashInlineSources, buildPagePolicy } from '#src/platform/http/security-headers.ts';

export interface FinishedPage {
  readonly html: Buffer;
  readonly policy: string;
}

export interface ShellParts {
  readonly manifest: ServerBuild['assets'];
  /** Records presses before hydration; the first script of the head. */
  readonly pressScript: string;
  /** First in the head, before the first paint. */
  readonly firstInHead: string;
  /** Text of a style sheet by URL; null keeps the link. */
  readonly readStyle: (href: string) => string | null;
  /** Size of a script in bytes, by URL. */
  readonly getSize: (path: string) => number;
}

interface Shell {
  /** Styles and the end of the head. */
  readonly headEnd: Buffer;
  readonly start: Buffer;
  readonly policy: string;
}

const HEAD = '<head>';
const CHARSET = '<meta charSet="utf-8"/>';
const DATA_START = Buffer.from(`<script type="application/json" id="${DATA_ID}">`);
const toBytes = (part: string | Uint8Array): Uint8Array => (typeof part === 'string' ? Buffer.from(part) : part);

/** Creates the function that finishes pages; shells are cached by their routes. */
export function createPageFinisher(parts: ShellParts): (page: RenderedPage, isPublic: boolean) => FinishedPage {
  const shells = new Map<string, Shell>();
  const first = `<script>${parts.pressScript}</script>${parts.firstInHead}`;
  const firstBytes = Buffer.from(first);
  const getShell = (page: RenderedPage, isPublic: boolean): Shell => {
    const styles = renderStyles(parts, page.routeIds.slice(0, page.shown));
    const start = `</script><script>${renderStart(parts, page, isPublic)}</script></body></html>`;
    return {
      headEnd: Buffer.from(`${styles}</head>`),
      start: Buffer.from(start),
      policy: buildPagePolicy(hashInlineSources(first + styles + start)),
    };
  };
  return (page, isPublic) => {
    const { head, body, data } = page;
    const key = `${isPublic} ${page.shown} ${page.routeIds.join()}`;
    const shell = shells.get(key) ?? getShell(page, isPublic);
    shells.set(key, shell);
    const at = head.indexOf(HEAD) + HEAD.length;
    const afterCharset = head.startsWith(CHARSET, at) ? at + CHARSET.length : at;
    const html = Buffer.concat([
      toBytes(head.slice(0, afterCharset)),
      firstBytes,
      toBytes(head.slice(afterCharset)),
      shell.headEnd,
      ...body.map(toBytes),
      DATA_START,
      toBytes(escapeForScript(data)),
      shell.start,
    ]);
    return { html, policy: shell.policy };
  };
}

/** Escapes `<`, so no text can end the element. The parsed JSON is the same. */
const escapeForScript = (json: string): string => json.replaceAll('<', '\\u003c');

function renderStyles({ manifest, readStyle }: ShellParts, routeIds: readonly string[]): string {
  const hrefs = new Set(routeIds.flatMap((id) => manifest.routes[id]?.css ?? []));
  const inlined: string[] = [];
  const links = [...hrefs].map((href) => {
    // React Router ends the address of a sheet that other chunks share with #.
    const path = href.replace(/#$/, '');
    const css = readStyle(path);
    if (css === null || css.includes('</')) return `<link rel="stylesheet" href="${href}"/>`;
    inlined.push(css);
    // React hydrates the link by its URL, and React Router treats the styles as loaded. `disabled` prevents the download,
    // and `media` also prevents the one by the preload scanner. A part that is loaded later looks for the path alone.
    return [...new Set([href, path])]
      .map((one) => `<link rel="stylesheet" href="${one}" media="not all" disabled=""/>`)
      .join('');
  });
  // Before the links: the first sheet declares the layer order, also for sheets of later pages.
  return (inlined.length > 0 ? `<style>${inlined.join('')}</style>` : '') + links.join('');
}

function renderStart(
  { manifest, getSize }: ShellParts,
  { routeIds, handoff }: RenderedPage,
  isPublic: boolean,
): string {
  const routes = routeIds.map((id) => {
    const route = manifest.routes[id];
    if (!route) throw new Error(`the route manifest has no route ${id}`);
    return route;
  });
  const { entry, url } = manifest;
  const scripts = new Set([
    url,
    entry.module,
    ...entry.imports,
    ...routes.flatMap((route) => [route.module, ...(route.imports ?? [])]),
  ]);
  return createHydrationScript({
    handoff,
    manifest: url,
    entry: entry.module,
    routes: routes.map(({ id, module }) => [id, module]),
    // Largest first: a browser opens six connections, and pictures may use some of them.
    preloads: [...scripts].toSorted((a, b) => getSize(b) - getSize(a)),
    isPublic,
  });
}
