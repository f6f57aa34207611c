/** The transfer size of the first page of a visit. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { brotliCompressSync, constants } from 'node:zlib';
import './support/built-pages.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';

const KB = 1000;
const SCRIPT_KB = 120;
const STYLE_KB = 12;
/** Of the catalogue, whose cards have 120 colours; docs/decisions/0109 says what they take. */
const HTML_KB = 16;
const FONT_KB = 20;
const MOST_FILES = 14;

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

const weigh = (text: string): number =>
  brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length / KB;

/** Of a file as the shop sends it. */
async function measureSentKb(path: string): Promise<number> {
  const response = await fetch(`${shop.url}${path}`, { method: 'HEAD', headers: { 'accept-encoding': 'br' } });
  const kb = Number(response.headers.get('content-length')) / KB;
  // Very small responses are not compressed.
  assert.ok(response.headers.get('content-encoding') === 'br' || kb < 0.3, path);
  return kb;
}

for (const path of ['/', '/catalog', '/catalog/product/iphone-17-pro', '/catalog/category/iphone']) {
  test(`${path} has at most ${SCRIPT_KB} KB scripts, ${STYLE_KB} styles and ${HTML_KB} HTML`, async (t) => {
    const html = await (await fetch(`${shop.url}${path}`)).text();
    const scripts = [...new Set(html.match(/\/assets\/[\w.-]+\.js/g))];
    const [, style = ''] = [...html.matchAll(/<style>([\s\S]*?)<\/style>/g)].at(-1) ?? [];
    assert.ok(scripts.length > 3 && style.length > 1000, 'the page has its scripts and styles');
    const sizes = await Promise.all(scripts.map((file) => measureSentKb(file)));
    const script = sizes.reduce((sum, one) => sum + one, 0);
    const [styleKb, htmlKb] = [weigh(style), weigh(html.replace(style, ''))];
    t.diagnostic(
      `${script.toFixed(1)} KB of script in ${scripts.length} files, ${styleKb.toFixed(1)}, ${htmlKb.toFixed(1)}`,
    );
    assert.ok(script <= SCRIPT_KB, `script: ${script.toFixed(1)} KB`);
    assert.ok(scripts.length <= MOST_FILES, `${scripts.length} files: each one takes time on a slow connection`);
    assert.ok(styleKb <= STYLE_KB, `style: ${styleKb.toFixed(1)} KB`);
    assert.ok(htmlKb <= HTML_KB, `HTML: ${htmlKb.toFixed(1)} KB`);
    const [, font = ''] = /<link rel="preload" href="([^"]+\.woff2)" as="font" crossorigin=""/.exec(html) ?? [];
    const { byteLength } = await (await fetch(`${shop.url}${font}`)).arrayBuffer();
    assert.ok(byteLength > 1000 && byteLength / KB <= FONT_KB, `typeface: ${byteLength} bytes`);
    // No style sheet delays the first paint.
    assert.doesNotMatch(html, /<link rel="stylesheet" href="[^"]+"\/>/);
  });
}
