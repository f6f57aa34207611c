/**
 * A page for a journey. It records console errors, uncaught errors, failed requests and CSP
 * violations; closing it fails the test if there was one.
 */
import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { Browser, BrowserContext, ConsoleMessage, Page, Request, Response } from '@playwright/test';
import { launchChromium } from './chromium.ts';

export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
  readonly javaScript?: boolean;
  /** Whether to act before hydration; otherwise `goto` waits for it. */
  readonly actsBeforeHydration?: boolean;
  readonly reducedMotion?: boolean;
  /** Whether the device has a touch screen. */
  readonly hasTouch?: boolean;
  /** IANA name. */
  readonly timeZone?: string;
  /** Statuses ≥ 400 that this journey provokes; their console lines are ignored. */
  readonly expectedStatuses?: readonly number[];
}

export interface JourneyPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Recorded problems, one line each. */
  readonly getProblems: () => readonly string[];
  /** Closes the page and fails if it recorded a problem. */
  readonly close: () => Promise<void>;
}

/** Runs in the page before its own scripts. */
const REPORT_VIOLATIONS = `document.addEventListener('securitypolicyviolation', (event) => {
  reportViolation('policy violated: ' + event.effectiveDirective + ' ' + event.blockedURI + ' ' + event.sample);
});`;

let sharedBrowser: Promise<Browser> | null = null;

/** One browser per test file, closed by a file-level hook. */
function getBrowser(): Promise<Browser> {
  // Helper threads of V8 and a renderer kept ready for the next page cost more than they save where all cores are busy.
  sharedBrowser ??= launchChromium(['--js-flags=--single-threaded', '--renderer-process-limit=1']);
  return sharedBrowser;
}
after(async () => (await sharedBrowser)?.close());

/** @param shop its pages are visited; paths given to `page.goto` are relative to its URL. */
export async function openPage(shop: { readonly url: string }, options: PageOptions = {}): Promise<JourneyPage> {
  const { width = 1280, height = 900, colorScheme = 'light', javaScript = true, reducedMotion = false } = options;
  const shared = await getBrowser();
  const context = await shared.newContext({
    baseURL: shop.url,
    viewport: { width, height },
    colorScheme,
    javaScriptEnabled: javaScript,
    reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
    hasTouch: options.hasTouch ?? false,
    locale: 'en-US',
    timezoneId: options.timeZone ?? 'UTC',
  });
  const problems: string[] = [];
  const expected = new Set(options.expectedStatuses ?? []);
  await context.exposeFunction('reportViolation', (line: string) => problems.push(line));
  await context.addInitScript({ content: REPORT_VIOLATIONS });
  context.on('page', (page) => watch(page, problems, expected));
  const page = await context.newPage();
  if (javaScript && options.actsBeforeHydration !== true) waitUntilReady(page);
  return {
    page,
    context,
    getProblems: () => problems,
    close: async () => {
      await context.close();
      assert.deepEqual(problems, [], 'the page had problems');
    },
  };
}

/** Hydration is deferred: `goto` and `reload` wait for it. */
function waitUntilReady(page: Page): void {
  const goto = page.goto.bind(page);
  const reload = page.reload.bind(page);
  const waitForPage = async (): Promise<void> => {
    if ((await page.locator('#main').count()) > 0) {
      await page.locator('html[data-ready]').waitFor({ state: 'attached' });
    }
  };
  page.goto = async (url, options) => {
    const response = await goto(url, options);
    if (options?.waitUntil !== 'commit') await waitForPage();
    return response;
  };
  page.reload = async (options) => {
    const response = await reload(options);
    if (options?.waitUntil !== 'commit') await waitForPage();
    return response;
  };
}

function watch(page: Page, problems: string[], expected: ReadonlySet<number>): void {
  page.on('console', (message: ConsoleMessage) => {
    if (message.type() !== 'error') return;
    // Chromium logs this line for every status ≥ 400; the status is checked below.
    if (message.text().startsWith('Failed to load resource: the server responded with a status of')) return;
    problems.push(`console error at ${message.location().url}: ${message.text()}`);
  });
  page.on('pageerror', (error: Error) => problems.push(`uncaught: ${error.stack ?? error.message}`));
  page.on('requestfailed', (request: Request) => {
    const reason = request.failure()?.errorText ?? '';
    // Leaving a page aborts its requests, as expected.
    if (reason === 'net::ERR_ABORTED') return;
    problems.push(`request failed: ${request.method()} ${request.url()} ${reason}`);
  });
  page.on('response', (response: Response) => {
    if (response.status() < 400 || expected.has(response.status())) return;
    problems.push(`status ${response.status()}: ${response.request().method()} ${response.url()}`);
  });
}
