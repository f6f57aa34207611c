/** The text of elements, with paragraphs, lines and list items, as texts are written without markup. */
import type { MarkdownTag, MarkdownToken } from './markdown-document.ts';

const PARAGRAPHS: ReadonlySet<MarkdownTag> = new Set([
  'p',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'ul',
  'ol',
  'pre',
  'blockquote',
  'hr',
  'table',
]);

export function toPlainText(tokens: readonly MarkdownToken[]): string {
  const parts: string[] = [];
  const open: { readonly tag: MarkdownTag; items: number }[] = [];
  for (const token of tokens) {
    if (typeof token === 'string') parts.push(token);
    else if (token === null) {
      const tag = open.pop()?.tag;
      if (tag !== undefined && PARAGRAPHS.has(tag)) parts.push(isInItem(open) ? '' : '\n\n');
    } else {
      parts.push(startElement(token.tag, open, parts.at(-1)?.startsWith('\n') === true));
      open.push({ tag: token.tag, items: 0 });
    }
  }
  return parts
    .join('')
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

const isInItem = (open: readonly { readonly tag: MarkdownTag }[]): boolean => open.some(({ tag }) => tag === 'li');

/** What the start of an element puts after the text before it. */
function startElement(
  tag: MarkdownTag,
  open: readonly { readonly tag: MarkdownTag; items: number }[],
  isAtStart: boolean,
): string {
  const parent = open.at(-1);
  if (tag === 'li' && parent !== undefined) {
    parent.items += 1;
    return `\n${parent.tag === 'ol' ? `${parent.items}.` : '•'} `;
  }
  if (tag === 'br' || tag === 'tr') return '\n';
  if (tag === 'th' || tag === 'td') return ' ';
  if (!PARAGRAPHS.has(tag)) return '';
  if (!isInItem(open)) return '\n\n';
  // The items of a list begin their own lines.
  return isAtStart || tag === 'ul' || tag === 'ol' ? '' : '\n';
}
