import type { ComponentType } from 'react';
import { createElement } from 'react';

declare global {
  interface ImportMetaEnv {
    /** Set by vite.config.ts: stock React Router renders and hydrates the pages. */
    readonly STOCK_PAGES: boolean;
  }
}

/**
 * HTML that the server makes once and puts into every page that shows the same thing again. React writes a mark where it
 * belongs, and around what is made for the first time; the marks go before the page is sent. The browser knows nothing
 * of this: it takes the elements over by the components themselves.
 */

/** Of all pieces, in bytes; from there on those that were used least lately give way. */
const MAX_BYTES = 16 * 1024 * 1024;
const PLACEHOLDER = 'x-kept';
const PLACEHOLDERS = /<x-kept i="(\d+)">|<\/x-kept>/g;

interface Fragment {
  readonly key: string;
  /** Null while it is being made. */
  readonly html: Uint8Array | null;
}

const fragments = new Map<string, Uint8Array>();
let cachedBytes = 0;
let componentCount = 0;
/** Of the page that is being rendered, which happens in one go; null where pages are not put together from pieces. */
let pageFragments: Fragment[] | null = null;

/**
 * For a component whose HTML depends on its props and on nothing else: not on the address, not on its place in the page
 * (no `useId`). A picture that does not wait until it comes near is announced by `useKey`: React would do so only where
 * the piece is made. Where that is more than a line, `import.meta.env.SSR` keeps it out of the browser's script.
 * @param useKey what tells one piece from another. By default, all props.
 */
export function cacheFragment<Props extends object>(
  Component: ComponentType<Props>,
  useKey: (props: Props) => string = JSON.stringify,
): ComponentType<Props> {
  if (!import.meta.env.SSR || import.meta.env.STOCK_PAGES) return Component;
  const name = String((componentCount += 1));
  return function Kept(props: Props) {
    const key = `${name} ${useKey(props)}`;
    if (!pageFragments) return <Component {...props} />;
    const html = fragments.get(key) ?? null;
    pageFragments.push({ key, html });
    return createElement(PLACEHOLDER, { i: pageFragments.length - 1 }, html === null ? <Component {...props} /> : null);
  };
}

/** What was rendered now and what was made earlier, in turn. */
type HtmlParts = (string | Uint8Array)[];

/** Renders a page and puts its pieces in their places; they are in its body only. */
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
  // What is open at this point, outermost first; a piece may hold others.
  const open: { readonly piece: Fragment | undefined; readonly parts: HtmlParts }[] = [];
  let current: { readonly piece: Fragment | undefined; readonly parts: HtmlParts } = { piece: undefined, parts: [] };
  let at = start;
  PLACEHOLDERS.lastIndex = start;
  for (let mark = PLACEHOLDERS.exec(html); mark; mark = PLACEHOLDERS.exec(html)) {
    if (mark.index > at) current.parts.push(html.slice(at, mark.index));
    at = PLACEHOLDERS.lastIndex;
    if (mark[1] !== undefined) {
      open.push(current);
      current = { piece: own[Number(mark[1])], parts: [] };
      continue;
    }
    const { piece, parts } = current;
    const made = piece?.html ?? concatBytes(parts);
    if (piece) storeFragment(piece.key, made);
    current = open.pop() ?? { piece: undefined, parts: [] };
    current.parts.push(made);
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
  for (const one of list) {
    bytes.set(one, at);
    at += one.length;
  }
  return bytes;
}

/** What is used again moves to the end. */
function storeFragment(key: string, html: Uint8Array): void {
  if (!fragments.delete(key)) cachedBytes += key.length + html.length;
  fragments.set(key, html);
  for (const [oldKey, old] of fragments) {
    if (cachedBytes <= MAX_BYTES) return;
    fragments.delete(oldKey);
    cachedBytes -= oldKey.length + old.length;
  }
}
