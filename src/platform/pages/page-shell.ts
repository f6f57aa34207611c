/**
 * What is around a rendered page: its styles, and the scripts that start it. Both depend on its routes only, so they are
 * made once for these, with the policy that allows them. The styles stand in the page itself, for a fast first paint.
 */
import type { ServerBuild } from 'react-router';
import { DATA_ID, DEFERRED_HYDRATION_SCRIPT, createHydrationScript } from './deferred-hydration.ts';
import type { RenderedPage } from './page-bundle.ts';
import { hashInlineSources, buildPagePolicy } from '#src/platform/http/security-headers.ts';

export interface FinishedPage {
  readonly html: Buffer;
  readonly policy: string;
}

export interface ShellParts {
  readonly manifest: ServerBuild['assets'];
  /** Comes first of all, before anything is painted. */
  readonly firstInHead: string;
  /** The text of a style sheet by its address; null leaves it a link. */
  readonly readStyle: (href: string) => string | null;
  /** Bytes of a script by its address. */
  readonly sizeOf: (path: string) => number;
}

interface Shell {
  /** From the styles to the end of the head. */
  readonly headEnd: Buffer;
  readonly start: Buffer;
  readonly policy: string;
}

const HEAD = '<head>';
const CHARSET = '<meta charSet="utf-8"/>';
const DATA_START = Buffer.from(`<script type="application/json" id="${DATA_ID}">`);
const bytesOf = (part: string | Uint8Array): Uint8Array => (typeof part === 'string' ? Buffer.from(part) : part);

/** Puts pages together; what is around them is kept for their routes. */
export function createPageFinisher(parts: ShellParts): (page: RenderedPage, isPublic: boolean) => FinishedPage {
  const shells = new Map<string, Shell>();
  const first = `<script>${DEFERRED_HYDRATION_SCRIPT}</script>${parts.firstInHead}`;
  const firstBytes = Buffer.from(first);
  const shellOf = (page: RenderedPage, isPublic: boolean): Shell => {
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
    const shell = shells.get(key) ?? shellOf(page, isPublic);
    shells.set(key, shell);
    const at = head.indexOf(HEAD) + HEAD.length;
    const afterCharset = head.startsWith(CHARSET, at) ? at + CHARSET.length : at;
    const html = Buffer.concat([
      bytesOf(head.slice(0, afterCharset)),
      firstBytes,
      bytesOf(head.slice(afterCharset)),
      shell.headEnd,
      ...body.map(bytesOf),
      DATA_START,
      bytesOf(escapeForScript(data)),
      shell.start,
    ]);
    return { html, policy: shell.policy };
  };
}

/** No text of the data can end its element, and what it says stays the same. */
const escapeForScript = (json: string): string => json.replaceAll('<', '\\u003c');

function renderStyles({ manifest, readStyle }: ShellParts, routeIds: readonly string[]): string {
  const hrefs = new Set(routeIds.flatMap((id) => manifest.routes[id]?.css ?? []));
  const inlined: string[] = [];
  const links = [...hrefs].map((href) => {
    // A mark at the end keeps Vite, which loads sheets of lazy parts itself, from taking the sheet for one of its own.
    const css = readStyle(href.replace(/#$/, ''));
    if (css === null || css.includes('</')) return `<link rel="stylesheet" href="${href}"/>`;
    inlined.push(css);
    // React takes the link over by its address, and its presence tells React Router that the styles are there. A disabled
    // sheet is not loaded, and the browser's look ahead, which does not heed that, leaves out what is for no medium.
    return `<link rel="stylesheet" href="${href}" media="not all" disabled=""/>`;
  });
  // Before the links: the first sheet declares the order of the layers, also among those that come with later pages.
  return (inlined.length > 0 ? `<style>${inlined.join('')}</style>` : '') + links.join('');
}

function renderStart({ manifest, sizeOf }: ShellParts, { routeIds, handoff }: RenderedPage, isPublic: boolean): string {
  const routes = routeIds.map((id) => {
    const route = manifest.routes[id];
    if (!route) throw new Error(`the list of routes does not hold ${id}`);
    return route;
  });
  const { url, entry } = manifest;
  const wanted = new Set([
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
    // The largest first: a browser opens six connections, and pictures may still have some of them.
    preloads: [...wanted].toSorted((a, b) => sizeOf(b) - sizeOf(a)),
    isPublic,
  });
}
