/**
 * Pages that are the same for everybody, rendered once and kept until something that they show has changed. A page is
 * made of the calls that its loaders make; each of these calls has a version, noted before it is made. A kept page is
 * served while the versions of its calls are the ones it was made of.
 */
import { ByteBoundCache } from './byte-bound-cache.ts';
import type { SentBytes } from './sent-bytes.ts';

/** The compressed forms of a page are below half its size. */
const ROOM_FACTOR = 1.5;
/** How often a page is rendered anew because what it shows changed meanwhile. */
const TRIES = 3;

/**
 * What tells the version of what a call answers to everybody, the same function for calls that change together; null for
 * a call whose answer may differ from one moment to the next.
 */
export type VersionOf = (call: string) => (() => string) | null;

export interface PageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: SentBytes;
}

/** The calls that a page is made of. */
export class PageParts {
  readonly #versionOf: VersionOf;
  readonly #versions = new Map<() => string, string>();
  #isUncertain = false;

  constructor(versionOf: VersionOf) {
    this.#versionOf = versionOf;
  }

  /** To be called before the call is made: what changes while it runs makes the page stale. */
  note(call: string): void {
    const version = this.#versionOf(call);
    if (version === null) this.#isUncertain = true;
    else if (!this.#versions.has(version)) this.#versions.set(version, version());
  }

  /** A part failed: what the page shows of it is no answer to keep. */
  fail(): void {
    this.#isUncertain = true;
  }

  get isFresh(): boolean {
    if (this.#isUncertain) return false;
    for (const [version, noted] of this.#versions) if (version() !== noted) return false;
    return true;
  }

  get mayBeKept(): boolean {
    return !this.#isUncertain;
  }
}

interface Made {
  readonly answer: PageAnswer;
  readonly parts: PageParts;
}

export interface TakenPage {
  readonly answer: PageAnswer;
  readonly isHit: boolean;
}

export class PageCache {
  readonly #versionOf: VersionOf;
  readonly #kept: ByteBoundCache<Made>;
  readonly #underWay = new Map<string, Promise<Made>>();

  constructor({ versionOf, maxBytes }: { readonly versionOf: VersionOf; readonly maxBytes: number }) {
    this.#versionOf = versionOf;
    this.#kept = new ByteBoundCache(maxBytes);
  }

  get bytes(): number {
    return this.#kept.bytes;
  }

  /** The page if it is there and shows what is; else null. */
  fresh(key: string): PageAnswer | null {
    const kept = this.#kept.get(key);
    if (kept?.parts.isFresh === true) return kept.answer;
    return null;
  }

  /** Whether the page can be had without rendering it once more: it is there, or is being rendered. */
  has(key: string): boolean {
    return this.#underWay.has(key) || this.fresh(key) !== null;
  }

  /** The kept page, or a new one: however many ask for it at once, it is rendered once. */
  async take(key: string, render: (parts: PageParts) => Promise<PageAnswer>): Promise<TakenPage> {
    for (let triesLeft = TRIES - 1; ; triesLeft -= 1) {
      const answer = this.fresh(key);
      if (answer) return { answer, isHit: true };
      const made = await (this.#underWay.get(key) ?? this.#make(key, render));
      // Somebody else's page may have been begun before the change that this visitor has seen already.
      if (triesLeft === 0 || made.parts.isFresh || !made.parts.mayBeKept) return { answer: made.answer, isHit: false };
    }
  }

  #make(key: string, render: (parts: PageParts) => Promise<PageAnswer>): Promise<Made> {
    const parts = new PageParts(this.#versionOf);
    const making = render(parts)
      .then((answer) => {
        const made = { answer, parts };
        if (isKeepable(answer) && parts.mayBeKept) {
          this.#kept.set(key, made, answer.body.identity.length * ROOM_FACTOR);
        } else this.#kept.delete(key);
        return made;
      })
      .finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, making);
    return making;
  }
}

/** Addresses that lead nowhere are without number, and what failed may succeed the next time. */
const isKeepable = ({ status, cookies }: PageAnswer): boolean => status === 200 && cookies.length === 0;
