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
  /** Adds statuses ≥ 400 that the journey provokes from now on. */
  readonly expectStatuses: (statuses: readonly number[]) => void;
  /** Closes the page and fails if it recorded a problem. */
  readonly close: () => Promise<void>;
}

/** Runs in the page before its own scripts. */
const REPORT_VIOLATIONS = `document.addEventListener('securitypolicyviolation', (event) => {
  reportViolation('policy violated: ' + event.effectiveDirective + ' ' + event.blockedURI + ' ' + event.sample);
});`;

/** A shop, or another server with the same pages. */
interface Visited {
  readonly url: string;
  /** Starts so far: the connections of a context end with its server. */
  readonly countStarts?: () => number;
}

let sharedBrowser: Promise<Browser> | null = null;

/** One browser per test file, closed by a file-level hook. */
function getBrowser(): Promise<Browser> {
  // Helper threads of V8 and a renderer kept ready for the next page cost more than they save where all cores are busy.
  sharedBrowser ??= launchChromium(['--js-flags=--single-threaded', '--renderer-process-limit=1']);
  return sharedBrowser;
}
after(async () => (await sharedBrowser)?.close());

/** What a test expects of a page and what was recorded since it opened it. */
interface Recording {
  readonly problems: string[];
  readonly expected: Set<number>;
}

/** A context with one page. The next test that needs the same takes it over, since a cold page costs twice as much. */
interface PooledContext {
  readonly key: string;
  readonly context: BrowserContext;
  readonly page: Page;
  recording: Recording;
  /** False once a test changed what cannot be undone, such as by a script for all pages. */
  isReusable: boolean;
}

/** Contexts without a test, the oldest first. */
const idle: PooledContext[] = [];
const MAX_IDLE = 4;

/** @param shop its pages are visited; paths given to `page.goto` are relative to its URL. */
export async function openPage(shop: Visited, options: PageOptions = {}): Promise<JourneyPage> {
  const { width = 1280, height = 900, colorScheme = 'light', reducedMotion = false } = options;
  const recording: Recording = { problems: [], expected: new Set(options.expectedStatuses ?? []) };
  const pooled = takeContext(shop, options) ?? (await createContext(shop, options));
  pooled.recording = recording;
  const { context, page } = pooled;
  await page.setViewportSize({ width, height });
  // Every feature, since the test before may have changed any.
  await page.emulateMedia({
    colorScheme,
    reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
    media: null,
    forcedColors: null,
    contrast: null,
  });
  return {
    page,
    context,
    getProblems: () => recording.problems,
    expectStatuses: (statuses) => {
      for (const status of statuses) recording.expected.add(status);
    },
    close: async () => {
      await releaseContext(pooled, shop);
      assert.deepEqual(recording.problems, [], 'the page had problems');
    },
  };
}

/** What a context cannot change later. */
const getKey = (shop: Visited, options: PageOptions): string =>
  JSON.stringify([
    shop.url,
    shop.countStarts?.() ?? 0,
    options.javaScript ?? true,
    options.actsBeforeHydration ?? false,
    options.hasTouch ?? false,
    options.timeZone ?? 'UTC',
  ]);

function takeContext(shop: Visited, options: PageOptions): PooledContext | null {
  const key = getKey(shop, options);
  const index = idle.findIndex((pooled) => pooled.key === key);
  return index === -1 ? null : (idle.splice(index, 1)[0] ?? null);
}

async function createContext(shop: Visited, options: PageOptions): Promise<PooledContext> {
  const { javaScript = true } = options;
  const shared = await getBrowser();
  const context = await shared.newContext({
    baseURL: shop.url,
    javaScriptEnabled: javaScript,
    hasTouch: options.hasTouch ?? false,
    locale: 'en-US',
    timezoneId: options.timeZone ?? 'UTC',
  });
  const page = await context.newPage();
  const nothing: Recording = { problems: [], expected: new Set() };
  const pooled: PooledContext = { key: getKey(shop, options), context, page, recording: nothing, isReusable: true };
  await context.exposeFunction('reportViolation', (line: string) => pooled.recording.problems.push(line));
  await context.addInitScript({ content: REPORT_VIOLATIONS });
  watchContext(pooled);
  if (javaScript && options.actsBeforeHydration !== true) waitUntilReady(page);
  findLastingChanges(pooled);
  return pooled;
}

const LASTING_CHANGES = [
  'addInitScript',
  'exposeBinding',
  'exposeFunction',
  'grantPermissions',
  'newCDPSession',
  'routeWebSocket',
  'setDefaultNavigationTimeout',
  'setDefaultTimeout',
  'setExtraHTTPHeaders',
  'setGeolocation',
  'setOffline',
];

/** A context whose page or clock gets lasting changes is not used again. */
function findLastingChanges(pooled: PooledContext): void {
  const mark = (target: object, name: string): void => {
    const original: unknown = Reflect.get(target, name);
    if (typeof original !== 'function') return;
    Reflect.set(target, name, (...args: unknown[]): unknown => {
      pooled.isReusable = false;
      const result: unknown = Reflect.apply(original, target, args);
      return result;
    });
  };
  for (const target of [pooled.context, pooled.page]) {
    for (const name of LASTING_CHANGES) mark(target, name);
    for (const name of ['install', 'pauseAt', 'setFixedTime', 'setSystemTime']) mark(target.clock, name);
  }
}

/** Events that tests listen to. */
const PAGE_EVENTS = [
  'console',
  'dialog',
  'download',
  'filechooser',
  'pageerror',
  'popup',
  'request',
  'requestfailed',
  'requestfinished',
  'response',
  'websocket',
] as const;
const CONTEXT_EVENTS = [
  'console',
  'dialog',
  'page',
  'request',
  'requestfailed',
  'requestfinished',
  'response',
] as const;

/** Also removes the listeners of the test before. */
function watchContext(pooled: PooledContext): void {
  for (const event of PAGE_EVENTS) pooled.page.removeAllListeners(event);
  for (const event of CONTEXT_EVENTS) pooled.context.removeAllListeners(event);
  watch(pooled.page, pooled);
  pooled.context.on('page', (page) => watch(page, pooled));
}

/** Gives the next test a page without traces of this one. Closes the context where that is impossible. */
async function releaseContext(pooled: PooledContext, shop: Visited): Promise<void> {
  const { context, page } = pooled;
  pooled.recording = { problems: [], expected: new Set() };
  watchContext(pooled);
  if (!pooled.isReusable || page.isClosed() || !(await clear(pooled, shop))) {
    await context.close();
    return;
  }
  idle.push(pooled);
  if (idle.length > MAX_IDLE) await idle.shift()?.context.close();
}

/** @returns false if the page cannot be cleared, for example because its shop has stopped */
async function clear({ context, page }: PooledContext, shop: Visited): Promise<boolean> {
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  try {
    // Leaves the page first, since it may save its state.
    await page.goto(`${shop.url}/robots.txt`, { waitUntil: 'commit', timeout: 5_000 });
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
  } catch {
    return false;
  }
  await context.clearCookies();
  return true;
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

function watch(page: Page, pooled: PooledContext): void {
  const record = (line: string): void => void pooled.recording.problems.push(line);
  page.on('console', (message: ConsoleMessage) => {
    if (message.type() !== 'error') return;
    // Chromium logs this line for every status ≥ 400; the status is checked below.
    if (message.text().startsWith('Failed to load resource: the server responded with a status of')) return;
    // A mail is shown without scripts, also without those of the tests.
    if (/^Blocked script execution in '[^']*\/dev\/mail\/\d+'/.test(message.text())) return;
    record(`console error at ${message.location().url}: ${message.text()}`);
  });
  page.on('pageerror', (error: Error) => record(`uncaught: ${error.stack || `${error.name}: ${error.message}`}`));
  page.on('requestfailed', (request: Request) => {
    const reason = request.failure()?.errorText ?? '';
    // Leaving a page aborts its requests, as expected.
    if (reason === 'net::ERR_ABORTED') return;
    record(`request failed: ${request.method()} ${request.url()} ${reason}`);
  });
  page.on('response', (response: Response) => {
    if (response.status() < 400 || pooled.recording.expected.has(response.status())) return;
    record(`status ${response.status()}: ${response.request().method()} ${response.url()}`);
  });
}
