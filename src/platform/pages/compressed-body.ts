/** Bytes that are sent many times: their ETag and their compressed forms are made once and kept with them. */
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { BrotliOptions } from 'node:zlib';

const brotli = promisify(brotliCompress);
const WORTH_COMPRESSING_BYTES = 512;
/** A third of the work of the next quality for a twentieth more bytes, and less than to hand it to another thread. */
const FAST_QUALITY = 0;
const FAST_LEVEL = 2;
/** Fifty times that work for a fifth fewer bytes: for what is asked for again, in the background. */
const BEST_QUALITY = 11;
const USES_BEFORE_BEST = 3;

export type Encoding = 'br' | 'gzip';

/** What a request's Accept-Encoding allows, best first; null for no compression. */
export function chooseEncoding(accepted: string | undefined): Encoding | null {
  if (accepted === undefined) return null;
  if (acceptsEncoding(accepted, 'br')) return 'br';
  return acceptsEncoding(accepted, 'gzip') ? 'gzip' : null;
}

function acceptsEncoding(accepted: string, encoding: Encoding): boolean {
  const at = accepted.indexOf(encoding);
  if (at === -1) return false;
  const rest = accepted.slice(at + encoding.length);
  return /^\s*(?:,|$|;)/.test(rest) && !/^\s*;\s*q=0(?:\.0*)?\s*(?:,|$)/.test(rest);
}

/** One after the other: compressing well must not take the processor from those who wait for a page. */
let background: Promise<unknown> = Promise.resolve();

export class CompressedBody {
  readonly identity: Buffer;
  /** Weak: the compressed forms carry the same one. */
  readonly etag: string;
  readonly #fast = new Map<Encoding, Buffer>();
  #best: Buffer | null = null;
  #uses = 0;

  constructor(identity: Buffer) {
    this.identity = identity;
    this.etag = `W/"${hash('sha256', identity, 'base64url').slice(0, 27)}"`;
  }

  /** Whether an If-None-Match names these bytes. */
  matchesEtag(ifNoneMatch: string | undefined): boolean {
    return ifNoneMatch !== undefined && (ifNoneMatch === this.etag || ifNoneMatch.split(/,\s*/).includes(this.etag));
  }

  /** Which encoding it would be sent in; small bytes are sent as they are. */
  negotiateEncoding(accepted: string | undefined): Encoding | null {
    return this.identity.length < WORTH_COMPRESSING_BYTES ? null : chooseEncoding(accepted);
  }

  /** The bytes in an encoding. */
  getBytes(encoding: Encoding | null): Buffer {
    if (encoding === null) return this.identity;
    if (encoding === 'br') {
      if (this.#best) return this.#best;
      this.#uses += 1;
      if (this.#uses === USES_BEFORE_BEST) background = background.then(() => this.#compressBest());
    }
    const known = this.#fast.get(encoding);
    if (known) return known;
    const made =
      encoding === 'br'
        ? brotliCompressSync(this.identity, this.#brotliOptions(FAST_QUALITY))
        : gzipSync(this.identity, { level: FAST_LEVEL });
    this.#fast.set(encoding, made);
    return made;
  }

  async #compressBest(): Promise<void> {
    this.#best = await brotli(this.identity, this.#brotliOptions(BEST_QUALITY));
    this.#fast.delete('br');
  }

  #brotliOptions(quality: number): BrotliOptions {
    return {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: quality,
        [constants.BROTLI_PARAM_SIZE_HINT]: this.identity.length,
        // A window of 256 KB: room for any page, and cheaper to make than the usual 4 MB.
        [constants.BROTLI_PARAM_LGWIN]: 18,
      },
    };
  }
}
