/** Pages with the longest texts that a merchant can enter, with words that no line can break. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { openPage } from '../support/browser.ts';
import { visit } from '../support/buyer.ts';
import { logInAs } from '../support/catalogue-editor.ts';
import { listAt, numberAt, valueAt } from '../support/read-json.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';

const WORD = 'Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunt';

let shop: TestShop;
let owner: string;
before(async () => {
  shop = await startTestShop();
  owner = await logInAs(shop, 'owner');
});
after(() => shop.stop());

/** A text of this length that begins with a long word. */
const fill = (length: number): string => `${WORD} ${'and other words '.repeat(300)}`.slice(0, length).trim();

async function put(path: string, body: object): Promise<void> {
  const response = await shop.api('PUT', path, { token: owner, body });
  assert.equal(response.status, 200, `${path} ${JSON.stringify(response.body)}`);
}
const readRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : assert.fail(String(value));
async function changeSection(name: string, change: (body: unknown) => object): Promise<void> {
  const { body: stored } = await shop.api('GET', '/content/home', { token: owner });
  const body = readRecord(valueAt(stored, name, 'body'));
  const version = numberAt(stored, name, 'version');
  await put(`/content/home/${name}`, { version, is_shown: true, body: { ...body, ...change(body) } });
}

/** Texts that end beyond the window, or beyond the card or bar that they are in. */
const findCutTexts = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('footer p, main :is(h1, h2, h3, p, a, summary)')].flatMap((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      const { left, right } = range.getBoundingClientRect();
      const box = element.closest('li')?.getBoundingClientRect();
      // Cards beyond the window are in rows that scroll.
      if (box !== undefined && box.right > innerWidth) return [];
      const [from, to] = [box?.left ?? 0, box?.right ?? innerWidth];
      const isCut = left < from - 1 || right > to + 1;
      return isCut ? [`${element.tagName} ${element.textContent.slice(0, 40)} ${left}-${right} of ${from}-${to}`] : [];
    }),
  );

test('[OPS-07] the longest texts of a merchant stay within their boxes', async () => {
  await changeSection('hero', () => {
    const button = { text: WORD.slice(0, 40), to: '/catalog' };
    return { headline: fill(100), subtitle: fill(160), line: fill(100), buttons: [button, button] };
  });
  await changeSection('rows', (body) => ({
    rows: listAt(body, 'rows').map((row) => ({ ...readRecord(row), title: fill(80) })),
  }));
  await changeSection('advantages', (body) => ({
    title: fill(80),
    subtitle: fill(160),
    cards: listAt(body, 'cards').map((card, at) => ({
      ...readRecord(card),
      title: `${at}${fill(59)}`,
      text: fill(160),
      overlay_title: WORD.slice(0, 40),
      overlay_text: fill(80),
    })),
  }));
  await changeSection('banner', () => ({
    title: fill(100),
    text: fill(300),
    button: { text: WORD.slice(0, 40), to: '/catalog' },
  }));
  await changeSection('partners', () => ({ title: fill(160), text: fill(160) }));
  const { body: settings } = await shop.api('GET', '/shop/settings', { token: owner });
  const identity = readRecord(valueAt(settings, 'identity'));
  await put('/shop/settings/identity', { ...identity, name: WORD, address: fill(200), delivery_line: WORD });
  const answer = `First part\n\n${fill(3980)}`;
  const added = await shop.api('POST', '/content/faq', { token: owner, body: { question: fill(200), answer } });
  assert.equal(added.status, 201);

  for (const width of [390, 768, 1440]) {
    const { page, close } = await openPage(shop, { width, reducedMotion: true });
    await visit(page, '/');
    const question = page.locator('details').last();
    await question.locator('summary').click();
    assert.deepEqual(await findCutTexts(page), [], `at ${width} px`);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
    const shown = await question.locator('p').innerText();
    assert.ok(shown.startsWith('First part\n\n'), 'an answer keeps its paragraphs');
    await close();
  }
});
