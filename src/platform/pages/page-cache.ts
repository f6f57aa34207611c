/**
 * Cache of public pages. A page is served while the versions of the calls behind it are current.
 * When one has changed, the calls are made again, and the page is rendered only if a response differs.
 */
import type { CompressedBody } from './compressed-body.ts';
import { DigestCache, PageDependencies } from './page-dependencies.ts';
import type { FindVersion } from './page-dependencies.ts';
import { UrlCache } from './url-cache.ts';

/** Compressed bytes add less than half of the size. */
const ROOM_FACTOR = 1.5;
/** Memory for digests, in addition, as a share of the pages'. */
const DIGEST_SHARE = 1 / 16;
/** Limit of renders of a page whose data changes during each render. */
const MAX_RENDERS = 3;
/** How long a page that was fresh is shown when an overload prevents its render. */
const MAX_STALE_MS = 10 * 60_000;

export interface PageResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: CompressedBody;
}

interface CachedPage {
  readonly response: PageResponse;
  readonly dependencies: PageDependencies;
  /** When it was last found fresh, in ms of `performance.now()`. */
  freshAt: number;
}

export interface PageCacheResult {
  readonly response: PageResponse;
  readonly isHit: boolean;
}

/**
 * `unchanged`: the cached page is valid. `changed`: it must be rendered. `not-needed`: the page is
 * fresh or not cached.
 */
export type Revalidation = 'unchanged' | 'changed' | 'not-needed';

/** What the cache has done since the start. */
export interface PageCacheCounts {
  /** Requests served from the cache. */
  readonly hits: number;
  readonly renders: number;
  /** Revalidations that kept the page. */
  readonly unchanged: number;
  /** Revalidations that required a render. */
  readonly changed: number;
}

export interface PageCacheOptions {
  readonly versionOf: FindVersion;
  readonly maxBytes: number;
  /** Monotonic time in ms; for tests. */
  readonly now?: () => number;
}

export class PageCache {
  readonly #now: () => number;
  readonly #versionOf: FindVersion;
  readonly #cache: UrlCache<CachedPage>;
  readonly #digests: DigestCache;
  readonly #pending = new Map<string, Promise<CachedPage>>();
  readonly #revalidating = new Map<string, Promise<Revalidation>>();
  readonly #counts = { hits: 0, renders: 0, unchanged: 0, changed: 0 };

  constructor({ versionOf, maxBytes, now }: PageCacheOptions) {
    this.#now = now ?? (() => performance.now());
    this.#versionOf = versionOf;
    this.#cache = new UrlCache(maxBytes);
    this.#digests = new DigestCache(maxBytes * DIGEST_SHARE);
  }

  get bytes(): number {
    return this.#cache.bytes;
  }

  get counts(): PageCacheCounts {
    return { ...this.#counts };
  }

  /** The page if it is cached and fresh; else null. */
  getFresh(key: string): PageResponse | null {
    const cached = this.#cache.get(key);
    if (cached?.dependencies.isFresh !== true) return null;
    cached.freshAt = this.#now();
    return cached.response;
  }

  /** The page if it is cached and was fresh a short time ago. For an overload only: it may be outdated. */
  getRecent(key: string): PageResponse | null {
    const cached = this.#cache.get(key);
    return cached !== undefined && this.#now() - cached.freshAt < MAX_STALE_MS ? cached.response : null;
  }

  /** Like `getFresh`, to serve the page: counted as a hit. */
  takeFresh(key: string): PageResponse | null {
    const response = this.getFresh(key);
    if (response !== null) this.#counts.hits += 1;
    return response;
  }

  /** Whether the page is cached and fresh, or being rendered. */
  has(key: string): boolean {
    return this.#pending.has(key) || this.getFresh(key) !== null;
  }

  /** Whether `revalidate` would make calls for this request. */
  needsRevalidation(key: string): boolean {
    return !this.#revalidating.has(key) && this.#getStale(key) !== null;
  }

  /** A cached page whose versions have changed; null if it must be rendered anyway. */
  #getStale(key: string): CachedPage | null {
    const cached = this.#cache.get(key);
    return cached === undefined || cached.dependencies.isFresh || cached.dependencies.hasChanged ? null : cached;
  }

  /**
   * Revalidates a stale page. Concurrent requests share one revalidation.
   * @param run calls `PageDependencies.revalidate`; rejections keep the page for the next attempt
   */
  async revalidate(key: string, run: (page: PageDependencies) => Promise<boolean>): Promise<Revalidation> {
    const pending = this.#revalidating.get(key);
    if (pending) return pending;
    const stale = this.#getStale(key);
    if (!stale) return 'not-needed';
    const revalidation = run(stale.dependencies)
      .then((isUnchanged) => {
        const result = isUnchanged ? 'unchanged' : 'changed';
        this.#counts[result] += 1;
        return result;
      })
      .finally(() => this.#revalidating.delete(key));
    this.#revalidating.set(key, revalidation);
    return revalidation;
  }

  /** The cached page or a new one. Concurrent requests share one render. */
  async getOrRender(key: string, render: (parts: PageDependencies) => Promise<PageResponse>): Promise<PageCacheResult> {
    for (let triesLeft = MAX_RENDERS - 1; ; triesLeft -= 1) {
      const response = this.takeFresh(key);
      if (response) return { response, isHit: true };
      const rendered = await (this.#pending.get(key) ?? this.#render(key, render));
      // A shared render may have begun before a change that this visitor has already seen.
      const { dependencies } = rendered;
      if (triesLeft === 0 || dependencies.isFresh || !dependencies.isCacheable) {
        return { response: rendered.response, isHit: false };
      }
    }
  }

  #render(key: string, render: (parts: PageDependencies) => Promise<PageResponse>): Promise<CachedPage> {
    this.#counts.renders += 1;
    const dependencies = new PageDependencies(this.#versionOf, this.#digests);
    const pending = render(dependencies)
      .then((response) => {
        const rendered = { response: this.#reuse(key, response), dependencies, freshAt: this.#now() };
        if (isCacheable(response) && dependencies.isCacheable) {
          const { length } = response.body.identity;
          this.#cache.set(key, rendered, length * ROOM_FACTOR + dependencies.bytes);
        } else this.#cache.delete(key);
        return rendered;
      })
      .finally(() => this.#pending.delete(key));
    this.#pending.set(key, pending);
    return pending;
  }

  /** The cached response if it is equal, since it is compressed already. */
  #reuse(key: string, response: PageResponse): PageResponse {
    const cached = this.#cache.get(key)?.response;
    return cached !== undefined && isEqual(cached, response) ? cached : response;
  }
}

/** Not-found URLs are unlimited in number, and errors may be temporary. */
const isCacheable = ({ status, cookies }: PageResponse): boolean => status === 200 && cookies.length === 0;

const isEqual = (a: PageResponse, b: PageResponse): boolean =>
  a.body.etag === b.body.etag &&
  a.status === b.status &&
  JSON.stringify([a.headers, a.cookies]) === JSON.stringify([b.headers, b.cookies]);
