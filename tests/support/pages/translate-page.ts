/** Does to pages what a translation by the browser does to them. */
import type { Page } from '@playwright/test';

/**
 * Replaces each text node by elements around a copy, now and whenever one is added, as page translation does. Text of an
 * option changes, since it is its value unless it has one. Starts after hydration; elements with translate="no" are left.
 */
const TRANSLATE = `(() => {
  const skipped = 'script, style, noscript, textarea, svg, font, [translate="no"]';
  const translate = (root) => {
    const texts = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    if (root.nodeType === Node.TEXT_NODE) texts.push(root);
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts) {
      const parent = text.parentElement;
      if (!text.data.trim() || !parent || parent.closest(skipped) || !parent.closest('body')) continue;
      const [outer, inner] = [document.createElement('font'), document.createElement('font')];
      inner.textContent = parent.closest('option') ? 'Translated ' + text.data : text.data;
      outer.append(inner);
      parent.replaceChild(outer, text);
    }
  };
  const start = () => {
    new MutationObserver((records) => {
      for (const { addedNodes } of records) addedNodes.forEach(translate);
    }).observe(document.body, { childList: true, subtree: true });
    translate(document.body);
    document.documentElement.dataset.translated = '';
  };
  if (document.documentElement?.hasAttribute('data-ready')) start();
  else document.addEventListener('shop:ready', start, { once: true });
})();`;

/** Translates this page and those that it loads later. */
export async function translatePages(page: Page): Promise<void> {
  await page.addInitScript({ content: TRANSLATE });
}

/** Waits until a page that was opened with `goto` is translated. */
export async function waitForTranslation(page: Page): Promise<void> {
  await page.locator('html[data-translated]').waitFor({ state: 'attached' });
}

/** Translates the open page. */
export async function translatePage(page: Page): Promise<void> {
  await page.evaluate(TRANSLATE);
  await waitForTranslation(page);
}
