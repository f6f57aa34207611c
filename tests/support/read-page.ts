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

/** A word that does not break at its hyphen is a part of its text. */
const UNBROKEN = /<span class="unbroken-word">([^<]*)<\/span>/g;

const listTexts = (html: string): string[] =>
  html
    .replaceAll(UNBROKEN, '$1')
    .split(/<[^>]*>/)
    .map((text) => decode(text).replaceAll(/\s+/g, ' ').trim())
    .filter((text) => text !== '');

/** React separates texts beside each other by comments. */
const readText = (inner: string): string => listTexts(inner.replaceAll('<!-- -->', '')).join(' ');

const FACT = /<dt\b[^>]*>([\s\S]*?)<\/dt>\s*<dd\b[^>]*>([\s\S]*?)<\/dd>/g;

/** Labels of description lists with their values, in order. */
export const listFacts = (html: string): (readonly [label: string, value: string])[] =>
  [...html.matchAll(FACT)].map(([, label = '', value = '']) => [readText(label), readText(value)]);

const listCells = (row = ''): string[] =>
  [...row.matchAll(/<t[hd]\b[^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell = '']) => readText(cell));

/** The last row of the first table, by the headers of its columns. */
export function listLastRow(html: string): (readonly [header: string, value: string])[] {
  const table = /<table\b[\s\S]*?<\/table>/.exec(html)?.[0] ?? assert.fail('the page has no table');
  const rows = table.split(/<tr\b/).slice(1);
  const values = listCells(rows.at(-1));
  return listCells(rows[0]).map((header, at) => [header, values[at] ?? '']);
}

/** @param cookie of a session; without it as a visitor */
export async function readPage(url: string, cookie = ''): Promise<ReadPage> {
  const response = await fetch(url, { headers: { cookie } });
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
