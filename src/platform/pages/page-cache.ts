/**
 * Cache of public pages. An entry records which API calls the loaders made and the version of each, read before the call.
 * It is served while all these versions are current.
 */
import { ByteBoundCache } from './byte-bound-cache.ts';
import type { CompressedBody } from './compressed-body.ts';

/** Compressed bytes add less than half of the size. */
const ROOM_FACTOR = 1.5;
/** Limit of renders of a page whose data changes during each render. */
const MAX_RENDERS = 3;

/**
 * Returns the function that reads the version of a call's response; calls that change together share one function. Null
 * if the response is not cacheable.
 */
export type FindVersion = (call: string) => (() => string) | null;

export interface PageResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: CompressedBody;
}

/** The API calls behind a page, and their versions. */
export class PageDependencies {
  readonly #versionOf: FindVersion;
  readonly #versions = new Map<() => string, string>();
  #isUncertain = false;

  constructor(versionOf: FindVersion) {
    this.#versionOf = versionOf;
  }

  /** Must run before the call, so that a change during the call makes the page stale. */
  addCall(call: string): void {
    const version = this.#versionOf(call);
    if (version === null) this.#isUncertain = true;
    else if (!this.#versions.has(version)) this.#versions.set(version, version());
  }

  /** A part of the page failed: do not cache it. */
  markFailed(): void {
    this.#isUncertain = true;
  }

  get isFresh(): boolean {
    if (this.#isUncertain) return false;
    for (const [version, noted] of this.#versions) if (version() !== noted) return false;
    return true;
  }

  get isCacheable(): boolean {
    return !this.#isUncertain;
  }
}

interface CachedPage {
  readonly response: PageResponse;
  readonly dependencies: PageDependencies;
}

export interface PageCacheResult {
  readonly response: PageResponse;
  readonly isHit: boolean;
}

export class PageCache {
  readonly #versionOf: FindVersion;
  readonly #cache: ByteBoundCache<CachedPage>;
  readonly #pending = new Map<string, Promise<CachedPage>>();

  constructor({ versionOf, maxBytes }: { readonly versionOf: FindVersion; readonly maxBytes: number }) {
    this.#versionOf = versionOf;
    this.#cache = new ByteBoundCache(maxBytes);
  }

  get bytes(): number {
    return this.#cache.bytes;
  }

  /** The page if it is cached and fresh; else null. */
  getFresh(key: string): PageResponse | null {
    const cached = this.#cache.get(key);
    if (cached?.dependencies.isFresh === true) return cached.response;
    return null;
  }

  /** Whether the page is cached and fresh, or being rendered. */
  has(key: string): boolean {
    return this.#pending.has(key) || this.getFresh(key) !== null;
  }

  /** The cached page or a new one. Concurrent requests share one render. */
  async getOrRender(key: string, render: (parts: PageDependencies) => Promise<PageResponse>): Promise<PageCacheResult> {
    for (let triesLeft = MAX_RENDERS - 1; ; triesLeft -= 1) {
      const response = this.getFresh(key);
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
    const dependencies = new PageDependencies(this.#versionOf);
    const pending = render(dependencies)
      .then((response) => {
        const rendered = { response, dependencies };
        if (isCacheable(response) && dependencies.isCacheable) {
          this.#cache.set(key, rendered, response.body.identity.length * ROOM_FACTOR);
        } else this.#cache.delete(key);
        return rendered;
      })
      .finally(() => this.#pending.delete(key));
    this.#pending.set(key, pending);
    return pending;
  }
}

/** Not-found URLs are unlimited in number, and errors may be temporary. */
const isCacheable = ({ status, cookies }: PageResponse): boolean => status === 200 && cookies.length === 0;
