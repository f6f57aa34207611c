import type { ComponentType } from 'react';
import { createElement } from 'react';

/**
 * HTML that the server makes once and puts into every page that shows the same thing again. React writes a mark where it
 * belongs, and around what is made for the first time; the marks go before the page is sent. The browser knows nothing
 * of this: it takes the elements over by the components themselves.
 */

/** Of all pieces, in characters; from there on those that were used least lately give way. */
const ROOM = 8 * 1024 * 1024;
const MARK = 'x-kept';
const MARKS = /<x-kept i="(\d+)">|<\/x-kept>/g;

interface Piece {
  readonly key: string;
  /** Null while it is being made. */
  readonly html: string | null;
}

const kept = new Map<string, string>();
let taken = 0;
let names = 0;
/** Of the page that is being rendered, which happens in one go; null where pages are not put together from pieces. */
let pieces: Piece[] | null = null;

/**
 * For a component whose HTML depends on its props and on nothing else: not on the address, not on its place in the page
 * (no `useId`), and whose pictures wait until they come near (React would announce others in the head).
 * @param useKey what tells one piece from another; null for one that is not to be kept. By default, all props.
 */
export function keptOnServer<Props extends object>(
  Component: ComponentType<Props>,
  useKey: (props: Props) => string | null = JSON.stringify,
): ComponentType<Props> {
  if (!import.meta.env.SSR) return Component;
  const name = String((names += 1));
  return function Kept(props: Props) {
    const ownKey = useKey(props);
    if (!pieces || ownKey === null) return <Component {...props} />;
    const key = `${name} ${ownKey}`;
    const html = kept.get(key) ?? null;
    pieces.push({ key, html });
    return createElement(MARK, { i: pieces.length - 1 }, html === null ? <Component {...props} /> : null);
  };
}

/** Renders a page and puts its pieces in their places. */
export function putTogether(render: () => string): string {
  const own: Piece[] = [];
  pieces = own;
  let html;
  try {
    html = render();
  } finally {
    pieces = null;
  }
  return own.length === 0 ? html : withPieces(html, own);
}

function withPieces(html: string, own: readonly Piece[]): string {
  // What is open at this point, outermost first; a piece may hold others.
  const open: { readonly piece: Piece | null; html: string }[] = [];
  let current: { readonly piece: Piece | null; html: string } = { piece: null, html: '' };
  let at = 0;
  for (const mark of html.matchAll(MARKS)) {
    current.html += html.slice(at, mark.index);
    at = mark.index + mark[0].length;
    if (mark[1] !== undefined) {
      open.push(current);
      current = { piece: own[Number(mark[1])] ?? null, html: '' };
      continue;
    }
    const { piece } = current;
    const made = piece?.html ?? current.html;
    if (piece) keep(piece.key, made);
    current = open.pop() ?? { piece: null, html: '' };
    current.html += made;
  }
  return current.html + html.slice(at);
}

/** What is used again moves to the end. */
function keep(key: string, html: string): void {
  if (!kept.delete(key)) taken += key.length + html.length;
  kept.set(key, html);
  for (const [oldKey, old] of kept) {
    if (taken <= ROOM) return;
    kept.delete(oldKey);
    taken -= oldKey.length + old.length;
  }
}
