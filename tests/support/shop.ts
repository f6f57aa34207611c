/** The real shop for a test: its own process, port and data. */
import { existsSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { endOrphanedDatabase, startShopProcess } from './shop-process.ts';
import type { Settings, ShopProcess } from './shop-process.ts';
import { fillFromTemplate, makeTemporaryDirectory } from './template.ts';

export interface ApiRequest {
  /** Bearer token. */
  readonly token?: string;
  /** The whole Cookie header. */
  readonly cookie?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Given for reauthentication where a staff action requires it; default: the demo password.
   * Null: not given.
   */
  readonly password?: string | null;
}

const DEMO_PASSWORD = 'crypto-market';

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON, else the text. Read it with `textAt` and `numberAt`, or compare it whole. */
  readonly body: unknown;
}

export interface TestShop {
  readonly url: string;
  readonly dataDir: string;
  /** A call of the API; the path is the contract's, below `/api`. */
  api(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, request?: ApiRequest): Promise<ApiResponse>;
  /** Output since the last start. */
  readOutput(): string;
  /** Kills the shop like a power loss; `restart` starts it again on the same data. */
  kill9(): Promise<void>;
  /** Stops the shop unless it was killed, and starts it on the same data and the same port. */
  restart(overrides?: Settings): Promise<void>;
  /** Stops the shop and removes its data. */
  stop(): Promise<void>;
}

export interface TestShopOptions {
  /** Settings of the shop, as environment variables. */
  readonly settings?: Settings;
  /** Limit of open files of the shop's process. */
  readonly openFiles?: number;
  /** True: on an empty data directory, like a first start; else on a copy of a prepared one. */
  readonly fresh?: boolean;
  /** Fills the empty data directory before the first start. */
  readonly prepare?: (dataDir: string) => Promise<void>;
}

const REMOVAL_TRIES = 300;
const SHED_TRIES = 30;
const dataDirs = new Set<string>();
process.on('exit', () => {
  for (const directory of dataDirs) {
    endOrphanedDatabase(directory);
    removeDataNow(directory);
  }
});

export async function startTestShop({
  settings = {},
  openFiles,
  fresh = false,
  prepare,
}: TestShopOptions = {}): Promise<TestShop> {
  const dataDir = makeTemporaryDirectory();
  dataDirs.add(dataDir);
  if (prepare) await prepare(dataDir);
  else if (!fresh) await fillFromTemplate(dataDir);
  let shop: ShopProcess = await startShopProcess(dataDir, settings, { openFiles });
  let isKilled = false;
  return {
    url: shop.url,
    dataDir,
    api: createApiClient(shop.url),
    readOutput: () => shop.readOutput(),
    kill9: async () => {
      await shop.kill9();
      isKilled = true;
    },
    restart: async (overrides = {}) => {
      if (!isKilled) await shop.stop();
      shop = await startShopProcess(dataDir, { ...settings, ...overrides, PORT: String(shop.port) }, { openFiles });
      isKilled = false;
    },
    stop: async () => {
      try {
        await shop.stop();
      } finally {
        endOrphanedDatabase(dataDir);
        await removeData(dataDir);
        dataDirs.delete(dataDir);
      }
    },
  };
}

/** Calls of the API of one process. */
export const createApiClient =
  (url: string): TestShop['api'] =>
  (method, path, request) =>
    callAgain(`${url}/api`, method, path, request);

const readErrorCode = (body: unknown): unknown =>
  isRecord(body) && isRecord(body['error']) ? body['error']['code'] : null;
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Changes of one's own account are excluded: their tests reauthenticate explicitly. */
async function callAgain(base: string, method: string, path: string, request: ApiRequest = {}): Promise<ApiResponse> {
  const response = await call(`${base}${path}`, method, request);
  const { password = DEMO_PASSWORD, ...rest } = request;
  const isAsked = response.status === 401 && readErrorCode(response.body) === 'reauth' && !path.startsWith('/users');
  if (!isAsked || password === null) return response;
  const reauthentication = await call(`${base}/users/reauthenticate`, 'POST', { ...rest, body: { password } });
  return reauthentication.status === 200 ? call(`${base}${path}`, method, rest) : response;
}

/** Retries a call that a busy machine shed, as clients should. */
async function call(url: string, method: string, request: ApiRequest = {}): Promise<ApiResponse> {
  for (let triesLeft = SHED_TRIES; ; triesLeft -= 1) {
    const response = await callOnce(url, method, request);
    const isShed = response.status === 503 && readErrorCode(response.body) === 'overloaded';
    if (!isShed || triesLeft === 0) return response;
    await sleep(Number(response.headers.get('retry-after')) * 1000);
  }
}

async function callOnce(url: string, method: string, request: ApiRequest): Promise<ApiResponse> {
  const headers = new Headers(request.headers);
  if (request.token !== undefined) headers.set('authorization', `Bearer ${request.token}`);
  if (request.cookie !== undefined) headers.set('cookie', request.cookie);
  const init: RequestInit = { method, headers, redirect: 'manual' };
  if (request.body !== undefined) {
    if (!headers.has('content-type')) headers.set('content-type', 'application/json');
    init.body = typeof request.body === 'string' ? request.body : JSON.stringify(request.body);
  }
  const response = await fetch(url, init);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true && text !== '';
  const body: unknown = isJson ? JSON.parse(text) : text;
  return { status: response.status, headers: response.headers, body };
}

/**
 * Whether the directory is removed. A stopping database may still write, and `rmSync` does not
 * report leftovers.
 */
function isRemoved(directory: string): boolean {
  try {
    rmSync(directory, { recursive: true, force: true });
  } catch {
    return false;
  }
  return !existsSync(directory);
}

async function removeData(directory: string): Promise<void> {
  for (let triesLeft = REMOVAL_TRIES; !isRemoved(directory); triesLeft -= 1) {
    if (triesLeft === 0) throw new Error(`${directory} cannot be removed`);
    await sleep(100);
  }
}

/** Removes data at process exit, which cannot await anything. Ignores failures. */
function removeDataNow(directory: string): void {
  const wait = new Int32Array(new SharedArrayBuffer(4));
  for (let triesLeft = REMOVAL_TRIES; triesLeft > 0 && !isRemoved(directory); triesLeft -= 1) {
    Atomics.wait(wait, 0, 0, 100);
  }
}
