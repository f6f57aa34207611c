/**
 * The API calls behind a page. For each it records the version of its data, read before the call,
 * and a digest of its outcome, so that the page can be revalidated without a render.
 */
import { hash } from 'node:crypto';
import type { Outcome, RawInput } from '#src/platform/http/call.ts';
import { ByteBoundCache } from './byte-bound-cache.ts';

/**
 * Returns the function that reads the version of a call's response; calls that change together share one function. Null
 * if the response is not cacheable.
 */
export type FindVersion = (call: string) => (() => string) | null;
export type CallInput = Partial<RawInput>;
/** Makes a call of a public page again. */
export type RepeatCall = (key: string, input: CallInput) => Promise<Outcome>;

/** Objects of a recorded call, besides its text. */
const CALL_BYTES = 400;
const DIGEST_BYTES = 200;

interface RecordedCall {
  readonly id: string;
  readonly key: string;
  readonly input: CallInput;
  readonly readVersion: () => string;
  /** Null until the call has returned, and if it returned two different outcomes. */
  digest: string | null;
}

type IdentifiedCall = Pick<RecordedCall, 'id' | 'readVersion'>;

/** The part of an outcome that a loader can see. */
function listContent(outcome: Outcome): readonly unknown[] {
  if (outcome.ok) return [outcome.wire];
  const { status, code, message, fields, retryAfterSeconds } = outcome.refusal;
  return [status, code, message, fields, retryAfterSeconds];
}

const computeDigest = (outcome: Outcome): string =>
  hash('sha256', JSON.stringify([outcome.ok, ...listContent(outcome)]), 'base64');

/** Digests of outcomes at their version. Pages share many calls, so an edit costs one digest of each. */
export class DigestCache {
  readonly #cache: ByteBoundCache<{ readonly version: string; readonly digest: string }>;

  constructor(maxBytes: number) {
    this.#cache = new ByteBoundCache(maxBytes);
  }

  /** Null if the digest at this version is unknown. */
  get({ id }: IdentifiedCall, version: string): string | null {
    const cached = this.#cache.get(id);
    return cached?.version === version ? cached.digest : null;
  }

  /** @param version read before the call; the outcome may be newer if it has changed since */
  compute(call: IdentifiedCall, version: string, outcome: Outcome): string {
    const isCurrent = call.readVersion() === version;
    const known = isCurrent ? this.get(call, version) : null;
    if (known !== null) return known;
    const digest = computeDigest(outcome);
    if (isCurrent) this.#cache.set(call.id, { version, digest }, DIGEST_BYTES);
    return digest;
  }
}

export class PageDependencies {
  readonly #versionOf: FindVersion;
  readonly #digests: DigestCache;
  /** Null: changed while the calls were made, so it is never current. */
  readonly #versions = new Map<() => string, string | null>();
  readonly #calls = new Map<string, RecordedCall>();
  #isUncertain = false;
  #hasChanged = false;

  constructor(versionOf: FindVersion, digests: DigestCache) {
    this.#versionOf = versionOf;
    this.#digests = digests;
  }

  /** Makes a call and records it. A failure makes the page uncacheable. */
  async record(key: string, input: CallInput, makeCall: () => Promise<Outcome>): Promise<Outcome> {
    const readVersion = this.#versionOf(key);
    if (readVersion === null) {
      this.markFailed();
      return makeCall();
    }
    // Before the call, so that a change during the call makes the page stale.
    const version = this.#noteVersion(readVersion);
    const id = JSON.stringify([key, input]);
    const known = this.#calls.get(id);
    const recorded: RecordedCall = known ?? { id, key, input, readVersion, digest: null };
    this.#calls.set(id, recorded);
    try {
      const outcome = await makeCall();
      if (!outcome.ok && outcome.refusal.status >= 500) this.markFailed();
      const digest = this.#digests.compute(recorded, version, outcome);
      recorded.digest = known === undefined || known.digest === digest ? digest : null;
      return outcome;
    } catch (error) {
      this.markFailed();
      throw error;
    }
  }

  #noteVersion(readVersion: () => string): string {
    const version = readVersion();
    const noted = this.#versions.get(readVersion);
    if (noted === undefined) this.#versions.set(readVersion, version);
    // It may return to the noted version, as a rate does.
    else if (noted !== version) this.#versions.set(readVersion, null);
    return version;
  }

  /** A part of the page failed: do not cache it. */
  markFailed(): void {
    this.#isUncertain = true;
  }

  get isFresh(): boolean {
    if (this.#isUncertain) return false;
    for (const [readVersion, noted] of this.#versions) if (readVersion() !== noted) return false;
    return true;
  }

  get isCacheable(): boolean {
    return !this.#isUncertain;
  }

  /** Whether a revalidation found a different outcome: only a render makes the page fresh. */
  get hasChanged(): boolean {
    return this.#hasChanged;
  }

  /** Estimated memory. */
  get bytes(): number {
    let bytes = 0;
    for (const { id } of this.#calls.values()) bytes += CALL_BYTES + id.length * 2;
    return bytes;
  }

  /**
   * Makes the calls of changed versions again. If all outcomes are as before, the page is valid at
   * the new versions.
   * @returns whether the page is valid
   */
  async revalidate(repeat: RepeatCall): Promise<boolean> {
    // All before the calls, so that a change during the revalidation makes the page stale.
    const changed = new Map<() => string, string | null>();
    for (const [readVersion, noted] of this.#versions) {
      const version = readVersion();
      if (version !== noted) changed.set(readVersion, version);
    }
    for (const call of this.#calls.values()) {
      if (!changed.has(call.readVersion)) continue;
      const version = call.readVersion();
      if (changed.get(call.readVersion) !== version) changed.set(call.readVersion, null);
      if (!(await this.#returnsTheSame(call, version, repeat))) {
        this.#hasChanged = true;
        return false;
      }
    }
    for (const [readVersion, version] of changed) this.#versions.set(readVersion, version);
    return true;
  }

  async #returnsTheSame(call: RecordedCall, version: string, repeat: RepeatCall): Promise<boolean> {
    if (call.digest === null) return false;
    const known = this.#digests.get(call, version);
    if (known !== null) return known === call.digest;
    try {
      return this.#digests.compute(call, version, await repeat(call.key, call.input)) === call.digest;
    } catch {
      // The render fails too, and reports it.
      return false;
    }
  }
}
