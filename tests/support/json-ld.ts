import { textAt } from './read-json.ts';

const BLOCK = /<script type="application\/ld\+json">(.*?)<\/script>/gs;

/** The JSON-LD object of this type on a page. */
export function findJsonLd(html: string, type: string): unknown {
  const blocks = [...html.matchAll(BLOCK)].map(([, json = '']): unknown => JSON.parse(json));
  const found = blocks.filter((block) => textAt(block, '@type') === type);
  if (found.length !== 1) throw new Error(`${found.length} of ${type} among ${blocks.length} blocks`);
  return found[0];
}
