/** What a visitor reads and can follow on a server-rendered page, without a browser. */
import assert from 'node:assert/strict';

export interface ReadPage {
  readonly status: number;
  /** Visible texts in order, one per element. */
  readonly texts: readonly string[];
  /** Texts of links by their path. */
  readonly links: ReadonlyMap<string, readonly string[]>;
  readonly html: string;
  /** Fails unless the page has all these texts, in this order. */
  assertTexts(...expected: readonly string[]): void;
}

const HIDDEN = /<(style|script|svg|head|template|noscript)\b[\s\S]*?<\/\1>/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

const decode = (text: string): string =>
  text.replaceAll(/&([a-z]+|#x27);/g, (entity, name: string) => ENTITIES[name] ?? entity);

const listTexts = (html: string): string[] =>
  html
    .split(/<[^>]*>/)
    .map((text) => decode(text).replaceAll(/\s+/g, ' ').trim())
    .filter((text) => text !== '');

export async function readPage(url: string): Promise<ReadPage> {
  const response = await fetch(url);
  const html = (await response.text()).replaceAll(HIDDEN, '');
  const texts = listTexts(html);
  const links = new Map<string, string[]>();
  for (const [, path = '', inner = ''] of html.matchAll(/<a\b[^>]*?\bhref="([^"]*)"[^>]*>([\s\S]*?)<\/a>/g))
    links.set(decode(path), [...(links.get(decode(path)) ?? []), listTexts(inner).join(' ')]);
  return {
    status: response.status,
    texts,
    links,
    html,
    assertTexts: (...expected) => {
      let from = 0;
      for (const text of expected) {
        const at = texts.indexOf(text, from);
        assert.ok(at !== -1, `"${text}" is missing after "${texts[from - 1] ?? 'the start'}" on ${url}`);
        from = at + 1;
      }
    },
  };
}
