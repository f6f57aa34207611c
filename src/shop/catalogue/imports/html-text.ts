/** Converts descriptions between plain text with paragraphs and the HTML of a product CSV. */
import { decodeHTML } from 'entities';

const PARAGRAPHS = new Set(
  'address article aside blockquote dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul'.split(
    ' ',
  ),
);
const LINES = new Set(['br', 'tr']);
/** Elements whose content is no text. */
const HIDDEN = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'svg', 'title', 'head']);

/** Control characters and invalid code points become blanks. */
const decodeEntities = (text: string): string =>
  text.replaceAll(/&#?[A-Za-z0-9]{1,40};?/g, (entity) => decodeHTML(entity).replaceAll(/[\p{Cc}\uFFFD]/gu, ' '));

/** Paragraphs separated by a blank line, without blanks at the ends of lines. */
export const normaliseText = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => line.replaceAll(/[\s\u00A0]+/g, ' ').trim())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();

/** Index after the end of the tag that starts here; quoted attributes may contain `>`. */
function findTagEnd(html: string, start: number): number {
  let quote = '';
  for (let at = start; at < html.length; at += 1) {
    const character = html[at] ?? '';
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '>') return at + 1;
  }
  return html.length;
}

function findCommentEnd(html: string, start: number): number {
  const end = html.indexOf('-->', start + 4);
  return end < 0 ? html.length : end + 3;
}

/** What a tag puts between the texts around it. */
function getSeparator(name: string, isClosing: boolean): string {
  if (PARAGRAPHS.has(name)) return '\n\n';
  if (name === 'li') return isClosing ? '' : '\n• ';
  if (LINES.has(name)) return '\n';
  return name === 'td' || name === 'th' ? ' ' : '';
}

const skipHidden = (lowerCase: string, name: string, from: number): number => {
  const end = lowerCase.indexOf(`</${name}`, from);
  return end < 0 ? lowerCase.length : findTagEnd(lowerCase, end);
};

/** Of the same length, unlike `toLowerCase`. */
const toLowerAscii = (text: string): string => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Space between words in the source of HTML. */
const collapse = (text: string): string => text.replaceAll(/[\t\n\f\r ]+/g, ' ');

/**
 * The text of HTML, with its paragraphs, lines and list items. Without a tag it is plain text, whose
 * line breaks count. Linear in the length of the HTML.
 */
export function parseHtml(html: string): string {
  if (!/<[a-z/!]/i.test(html)) return normaliseText(decodeEntities(html));
  const parts: string[] = [];
  const lowerCase = toLowerAscii(html);
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open < 0) break;
    const [, slash = '', tag] = /^<(\/?)([a-zA-Z][a-zA-Z0-9]*)/.exec(html.slice(open, open + 32)) ?? [];
    if (tag === undefined && !/^<[!/?]/.test(html.slice(open, open + 2))) {
      parts.push(decodeEntities(collapse(html.slice(at, open + 1))));
      at = open + 1;
      continue;
    }
    parts.push(decodeEntities(collapse(html.slice(at, open))));
    at = html.startsWith('<!--', open) ? findCommentEnd(html, open) : findTagEnd(html, open);
    const name = tag?.toLowerCase() ?? '';
    if (slash === '' && HIDDEN.has(name)) at = skipHidden(lowerCase, name, at);
    else parts.push(getSeparator(name, slash !== ''));
  }
  parts.push(decodeEntities(collapse(html.slice(at))));
  return normaliseText(parts.join(''));
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** HTML of a text; `parseHtml` returns the normalised text. */
export function formatHtml(text: string): string {
  const normal = normaliseText(text);
  if (normal === '') return '';
  return normal
    .split('\n\n')
    .map((paragraph) => `<p>${escapeHtml(paragraph).replaceAll('\n', '<br>')}</p>`)
    .join('');
}
