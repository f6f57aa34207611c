/**
 * Pages that are the same for everybody, rendered once and kept until something that they show has changed. A page is
 * made of the calls that its loaders make; each of these calls has a version, noted before it is made. A kept page is
 * served while the versions of its calls are the ones it was made of.
 */
import { ByteBoundCache } from './byte-bound-cache.ts';
import type { CompressedBody } from './compressed-body.ts';

/** The compressed forms of a page are below half its size. */
const ROOM_FACTOR = 1.5;
/** How often a page is rendered anew because what it shows changed meanwhile. */
const MAX_RENDERS = 3;

/**
 * What tells the version of what a call answers to everybody, the same function for calls that change together; null for
 * a call whose answer may differ from one moment to the next.
 */
export type FindVersion = (call: string) => (() => string) | null;

export interface PageResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: CompressedBody;
}

/** The calls that a page is made of. */
export class PageDependencies {
  readonly #versionOf: FindVersion;
  readonly #versions = new Map<() => string, string>();
  #isUncertain = false;

  constructor(versionOf: FindVersion) {
    this.#versionOf = versionOf;
  }

  /** To be called before the call is made: what changes while it runs makes the page stale. */
  addCall(call: string): void {
    const version = this.#versionOf(call);
    if (version === null) this.#isUncertain = true;
    else if (!this.#versions.has(version)) this.#versions.set(version, version());
  }

  /** A part failed: what the page shows of it is no answer to keep. */
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

  /** The page if it is there and shows what is; else null. */
  getFresh(key: string): PageResponse | null {
    const kept = this.#cache.get(key);
    if (kept?.dependencies.isFresh === true) return kept.response;
    return null;
  }

  /** Whether the page can be had without rendering it once more: it is there, or is being rendered. */
  has(key: string): boolean {
    return this.#pending.has(key) || this.getFresh(key) !== null;
  }

  /** The kept page, or a new one: however many ask for it at once, it is rendered once. */
  async getOrRender(key: string, render: (parts: PageDependencies) => Promise<PageResponse>): Promise<PageCacheResult> {
    for (let triesLeft = MAX_RENDERS - 1; ; triesLeft -= 1) {
      const answer = this.getFresh(key);
      if (answer) return { response: answer, isHit: true };
      const made = await (this.#pending.get(key) ?? this.#make(key, render));
      // Somebody else's page may have been begun before the change that this visitor has seen already.
      if (triesLeft === 0 || made.dependencies.isFresh || !made.dependencies.isCacheable)
        return { response: made.response, isHit: false };
    }
  }

  #make(key: string, render: (parts: PageDependencies) => Promise<PageResponse>): Promise<CachedPage> {
    const parts = new PageDependencies(this.#versionOf);
    const making = render(parts)
      .then((answer) => {
        const made = { response: answer, dependencies: parts };
        if (isCacheable(answer) && parts.isCacheable) {
          this.#cache.set(key, made, answer.body.identity.length * ROOM_FACTOR);
        } else this.#cache.delete(key);
        return made;
      })
      .finally(() => this.#pending.delete(key));
    this.#pending.set(key, making);
    return making;
  }
}

/** Addresses that lead nowhere are without number, and what failed may succeed the next time. */
const isCacheable = ({ status, cookies }: PageResponse): boolean => status === 200 && cookies.length === 0;
