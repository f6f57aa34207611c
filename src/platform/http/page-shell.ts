/**
 * What is around a rendered page: its styles, and the scripts that start it. Both depend on its routes only, so they are
 * made once for these, with the policy that allows them. The styles stand in the page itself, for a fast first paint.
 */
import type { ServerBuild } from 'react-router';
import { DATA_ID, HEAD_SCRIPT, startScript } from './late-start.ts';
import { inlineSources, pagePolicy } from './security-headers.ts';

/** A page as the bundle renders it. */
export interface RenderedPage {
  /** From the beginning to the end of the head, which is not closed. */
  readonly head: string;
  /** From the end of the head to the end of the body, which is not closed. */
  readonly body: string;
  /** What its loaders answered, in React Router's own form: JSON, with `<` escaped. */
  readonly data: string;
  /** What React Router's scripts want to know of the build, as JSON. */
  readonly handoff: string;
  /** Its routes, from the outermost, and how many of them are shown: behind one that failed there is none. */
  readonly routeIds: readonly string[];
  readonly shown: number;
}

export interface FinishedPage {
  readonly html: string;
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
  readonly styles: string;
  readonly start: string;
  readonly policy: string;
}

const HEAD = /^[\s\S]*?<head>(?:<meta charSet="utf-8"\/>)?/;

/** Puts pages together; what is around them is kept for their routes. */
export function pageFinisher(parts: ShellParts): (page: RenderedPage, isPublic: boolean) => FinishedPage {
  const shells = new Map<string, Shell>();
  const first = `<script>${HEAD_SCRIPT}</script>${parts.firstInHead}`;
  return (page, isPublic) => {
    const key = `${isPublic} ${page.shown} ${page.routeIds.join()}`;
    let shell = shells.get(key);
    if (!shell) {
      const styles = stylesOf(parts, page.routeIds.slice(0, page.shown));
      const start = `<script>${startOf(parts, page, isPublic)}</script>`;
      shell = { styles, start, policy: pagePolicy(inlineSources(first + styles + start)) };
      shells.set(key, shell);
    }
    const { head, body, data } = page;
    const at = HEAD.exec(head)?.[0].length ?? 0;
    const html =
      `${head.slice(0, at)}${first}${head.slice(at)}${shell.styles}</head>${body}` +
      `<script type="application/json" id="${DATA_ID}">${data}</script>${shell.start}</body></html>`;
    return { html, policy: shell.policy };
  };
}

function stylesOf({ manifest, readStyle }: ShellParts, routeIds: readonly string[]): string {
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

function startOf({ manifest, sizeOf }: ShellParts, { routeIds, handoff }: RenderedPage, isPublic: boolean): string {
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
  return startScript({
    handoff,
    manifest: url,
    entry: entry.module,
    routes: routes.map(({ id, module }) => [id, module]),
    // The largest first: a browser opens six connections, and pictures may still have some of them.
    preloads: [...wanted].toSorted((a, b) => sizeOf(b) - sizeOf(a)),
    isPublic,
  });
}
