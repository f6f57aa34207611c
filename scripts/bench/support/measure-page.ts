/** Measures pages on a slow phone: Lighthouse's figures, and how soon a button responds. */
import lighthouse from 'lighthouse';
import { findFreePort } from '../../../tests/support/shop-process.ts';
import { launchChromium } from '../../../tests/support/chromium.ts';

/** Lighthouse's slow 4G, with a CPU four times slower than this machine. */
const SLOW_4G = { offline: false, latency: 562.5, downloadThroughput: 184_320, uploadThroughput: 84_375 };
const SLOWER_BY = 4;
const PHONE = { width: 412, height: 823 };

export interface PageFigures {
  readonly performance: number;
  readonly accessibility: number;
  readonly bestPractices: number;
  readonly seo: number;
  readonly fcpMs: number;
  readonly lcpMs: number;
  readonly tbtMs: number;
  readonly cls: number;
  /** Ids of the failed Lighthouse audits. */
  readonly failedAudits: readonly string[];
}

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];

/** Runs Lighthouse's mobile audit on each page, in one browser. */
export async function measurePages(urls: readonly string[], runs: number): Promise<readonly PageFigures[]> {
  const port = await findFreePort();
  const browser = await launchChromium([`--remote-debugging-port=${port}`]);
  try {
    const figures: PageFigures[] = [];
    for (const url of urls) {
      const results: PageFigures[] = [];
      for (let run = 0; run < runs; run += 1) results.push(await audit(url, port));
      results.sort((a, b) => a.lcpMs - b.lcpMs);
      const median = results[Math.floor(runs / 2)];
      if (median) figures.push(median);
    }
    return figures;
  } finally {
    await browser.close();
  }
}

async function audit(url: string, port: number): Promise<PageFigures> {
  const result = await lighthouse(url, { port, logLevel: 'error', onlyCategories: CATEGORIES });
  if (!result) throw new Error(`Lighthouse returned no result for ${url}`);
  const { audits, categories } = result.lhr;
  const getScore = (name: string): number => categories[name]?.score ?? 0;
  const getValue = (name: string): number => audits[name]?.numericValue ?? Number.NaN;
  const counted = CATEGORIES.slice(1).flatMap((name) => categories[name]?.auditRefs ?? []);
  const failedAudits = counted.flatMap(({ id, weight }) => (weight > 0 && (audits[id]?.score ?? 1) < 1 ? id : []));
  return {
    performance: getScore('performance'),
    accessibility: getScore('accessibility'),
    bestPractices: getScore('best-practices'),
    seo: getScore('seo'),
    fcpMs: getValue('first-contentful-paint'),
    lcpMs: getValue('largest-contentful-paint'),
    tbtMs: getValue('total-blocking-time'),
    cls: getValue('cumulative-layout-shift'),
    failedAudits,
  };
}

export interface ToggleFigures {
  /** From the start of the navigation until the button exists, in ms. */
  readonly seenMs: number;
  /** From the start of the navigation until the button shows that the product is in the cart, in ms. */
  readonly toggledMs: number;
}

/**
 * Runs in the page: presses the first card's button as soon as it exists, or for a stock page as soon as it is hydrated, and
 * records when its label changes. Before hydration, a press on a stock page submits the form and opens the cart instead.
 */
const createPress = (isStock: boolean): string => `toggled = new Promise((resolve) => {
  let button = null;
  let seenMs = 0;
  const observer = new MutationObserver(() => {
    if (button === null) {
      if (${isStock} && !document.documentElement.hasAttribute('data-ready')) return;
      button = document.querySelector('button[aria-label^="Add "][aria-label$=" to cart"]');
      if (button === null) return;
      seenMs = performance.now();
      const press = (type) => button.dispatchEvent(new PointerEvent(type, { bubbles: true, cancelable: true }));
      press('pointerdown');
      press('click');
    } else if (document.querySelector('button[aria-label^="Remove "][aria-label$=" from cart"]')) {
      resolve([seenMs, performance.now()]);
      observer.disconnect();
    }
  });
  observer.observe(document, { subtree: true, childList: true, attributes: true });
})`;

/** Presses the first card's button as soon as it exists, on a slow phone with an empty cache. */
export async function measureToggle(url: string, isStock = false): Promise<ToggleFigures> {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: PHONE, isMobile: true, hasTouch: true });
    const devTools = await page.context().newCDPSession(page);
    await devTools.send('Network.enable');
    await devTools.send('Network.emulateNetworkConditions', SLOW_4G);
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER_BY });
    await page.addInitScript({ content: createPress(isStock) });
    await page.goto(url, { waitUntil: 'commit' });
    const [seenMs, toggledMs] = await page.evaluate<readonly [number, number]>('toggled');
    return { seenMs, toggledMs };
  } finally {
    await browser.close();
  }
}
