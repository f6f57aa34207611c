import type { ComponentType } from 'react';
import { createElement } from 'react';

declare global {
  interface ImportMetaEnv {
    /** Set by vite.config.ts: stock React Router renders and hydrates the pages. */
    readonly STOCK_PAGES: boolean;
  }
}

/**
 * Caches the HTML of components on the server. React renders a placeholder where a fragment belongs, and around one that
 * is rendered for the first time; placeholders are removed before the page is sent. The browser bundle has the plain
 * components and hydrates the same elements.
 */

/** Limit of all fragments in bytes; the least recently used are evicted. */
const MAX_BYTES = 16 * 1024 * 1024;
const PLACEHOLDER = 'x-fragment';
const PLACEHOLDERS = /<x-fragment i="(\d+)">|<\/x-fragment>/g;

interface Fragment {
  readonly key: string;
  /** Null while it is being rendered. */
  readonly html: Uint8Array | null;
}

const fragments = new Map<string, Uint8Array>();
let cachedBytes = 0;
let componentCount = 0;
/** Fragments of the page in the current synchronous render; null outside of one. */
let pageFragments: Fragment[] | null = null;

/**
 * For a component whose HTML depends on its props only: not on the URL, and without `useId`. `useKey` must preload priority
 * pictures, because React does so only when it renders the fragment. Wrap longer code in `import.meta.env.SSR` to keep it out
 * of the browser bundle.
 * @param useKey returns the cache key; by default all props as JSON
 */
export function cacheFragment<Props extends object>(
  Component: ComponentType<Props>,
  useKey: (props: Props) => string = JSON.stringify,
): ComponentType<Props> {
  if (!import.meta.env.SSR || import.meta.env.STOCK_PAGES) return Component;
  const name = String((componentCount += 1));
  return function CachedFragment(props: Props) {
    const key = `${name} ${useKey(props)}`;
    if (!pageFragments) return <Component {...props} />;
    const html = fragments.get(key) ?? null;
    pageFragments.push({ key, html });
    return createElement(PLACEHOLDER, { i: pageFragments.length - 1 }, html === null ? <Component {...props} /> : null);
  };
}

/** New HTML and cached fragments, in order. */
type HtmlParts = (string | Uint8Array)[];

/** Renders a page and inserts its fragments, which occur in the body only. */
export function renderWithFragments(render: () => string): { readonly head: string; readonly body: HtmlParts } {
  const own: Fragment[] = [];
  pageFragments = own;
  let html;
  try {
    html = render();
  } finally {
    pageFragments = null;
  }
  const headEnd = html.indexOf('</head>');
  return { head: html.slice(0, headEnd), body: insertFragments(html, headEnd + '</head>'.length, own) };
}

function insertFragments(html: string, start: number, own: readonly Fragment[]): HtmlParts {
  // Open fragments, outermost first; fragments may be nested.
  const open: { readonly fragment: Fragment | undefined; readonly parts: HtmlParts }[] = [];
  let current: { readonly fragment: Fragment | undefined; readonly parts: HtmlParts } = {
    fragment: undefined,
    parts: [],
  };
  let at = start;
  PLACEHOLDERS.lastIndex = start;
  for (let mark = PLACEHOLDERS.exec(html); mark; mark = PLACEHOLDERS.exec(html)) {
    if (mark.index > at) current.parts.push(html.slice(at, mark.index));
    at = PLACEHOLDERS.lastIndex;
    if (mark[1] !== undefined) {
      open.push(current);
      current = { fragment: own[Number(mark[1])], parts: [] };
      continue;
    }
    const { fragment, parts } = current;
    const rendered = fragment?.html ?? concatBytes(parts);
    if (fragment) storeFragment(fragment.key, rendered);
    current = open.pop() ?? { fragment: undefined, parts: [] };
    current.parts.push(rendered);
  }
  const end = html.lastIndexOf('</body>');
  current.parts.push(html.slice(at, end));
  return current.parts;
}

const encoder = new TextEncoder();
function concatBytes(parts: HtmlParts): Uint8Array {
  const list = parts.map((part) => (typeof part === 'string' ? encoder.encode(part) : part));
  const bytes = new Uint8Array(list.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of list) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Moves a used fragment to the end. */
function storeFragment(key: string, html: Uint8Array): void {
  if (!fragments.delete(key)) cachedBytes += key.length + html.length;
  fragments.set(key, html);
  for (const [oldKey, old] of fragments) {
    if (cachedBytes <= MAX_BYTES) return;
    fragments.delete(oldKey);
    cachedBytes -= oldKey.length + old.length;
  }
}
