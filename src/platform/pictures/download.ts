/** Downloads files of other sites. Never connects to an address that is not public. */
import { lookup as lookUpName } from 'node:dns';
import { request } from 'node:https';
import { request as requestHttp } from 'node:http';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from '#src/platform/outbound/address-policy.ts';

const MAX_REDIRECTS = 3;
const TIMEOUT_MS = 20_000;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** What tests allow besides public addresses and https. */
export interface DownloadAllowance {
  readonly addresses: ReadonlySet<string>;
  readonly isHttpAllowed: boolean;
}

const NO_ALLOWANCE: DownloadAllowance = { addresses: new Set(), isHttpAllowed: false };

/** Why a file could not be downloaded, for staff. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
}

const FORBIDDEN = 'The address of the picture is not on the public internet';

/** Resolves a name to its addresses, all of which must be permitted: a connection is made to no other. */
const createLookup =
  (isPermitted: (address: string) => boolean): LookupFunction =>
  (hostname, options, done) => {
    lookUpName(hostname, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '');
      const [first] = found;
      if (first === undefined || !found.every(({ address }) => isPermitted(address))) {
        return done(new DownloadError(FORBIDDEN), '');
      }
      return options.all === true ? done(null, found) : done(null, first.address, first.family);
    });
  };

export class Downloads {
  readonly #allowance: DownloadAllowance;
  readonly #timeoutMs: number;

  /** @param timeoutMs for a file, with all redirects */
  constructor(allowance: DownloadAllowance = NO_ALLOWANCE, timeoutMs = TIMEOUT_MS) {
    this.#allowance = allowance;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * The body at an address, at most `maxBytes`.
   * @throws DownloadError
   */
  async download(address: string, maxBytes: number): Promise<Buffer> {
    const signal = AbortSignal.timeout(this.#timeoutMs);
    let url = address;
    try {
      for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
        const answer = await this.#request(this.#check(url), maxBytes, signal);
        if (Buffer.isBuffer(answer)) return answer;
        url = answer.location;
      }
    } catch (error) {
      throw toDownloadError(error, signal);
    }
    throw new DownloadError(`The address redirects more than ${MAX_REDIRECTS} times`);
  }

  readonly #isPermitted = (address: string): boolean =>
    isPublicAddress(address) || this.#allowance.addresses.has(address);

  #check(text: string): URL {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url === null) throw new DownloadError('The address is not valid');
    const { isHttpAllowed } = this.#allowance;
    if (url.protocol !== 'https:' && !(isHttpAllowed && url.protocol === 'http:')) {
      throw new DownloadError('The address does not begin with https://');
    }
    if (url.port !== '' && !isHttpAllowed) throw new DownloadError('The address names a port');
    if (url.username !== '' || url.password !== '') throw new DownloadError('The address contains a password');
    const host = url.hostname.replaceAll(/^\[|\]$/g, '');
    // No name is looked up for these, so they are checked here.
    if (isIP(host) !== 0 && !this.#isPermitted(host)) throw new DownloadError(FORBIDDEN);
    return url;
  }

  #request(url: URL, maxBytes: number, signal: AbortSignal): Promise<Buffer | { readonly location: string }> {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer | { readonly location: string }>();
    const options = {
      agent: false,
      lookup: createLookup(this.#isPermitted),
      signal,
      headers: { accept: 'image/avif,image/webp,image/*', 'accept-encoding': 'identity', 'user-agent': 'shop-import' },
    };
    const sent = url.protocol === 'https:' ? request(url.href, options) : requestHttp(url.href, options);
    sent.on('error', reject);
    sent.on('response', (response) => {
      const { statusCode: status = 0, headers } = response;
      response.on('error', reject);
      const refuse = (error: DownloadError): void => {
        reject(error);
        response.destroy();
      };
      if (REDIRECTS.has(status) && headers.location !== undefined) {
        if (!URL.canParse(headers.location, url.href))
          return refuse(new DownloadError('It redirects to no valid address'));
        resolve({ location: new URL(headers.location, url).href });
        response.destroy();
        return undefined;
      }
      if (status !== 200) return refuse(new DownloadError(`The other site answered with status ${status}`));
      const tooLarge = new DownloadError(`The picture has more than ${Math.floor(maxBytes / 1024 / 1024)} MB`);
      if (Number(headers['content-length'] ?? 0) > maxBytes) return refuse(tooLarge);
      const pieces: Buffer[] = [];
      let length = 0;
      response.on('data', (piece: Buffer) => {
        length += piece.length;
        if (length > maxBytes) refuse(tooLarge);
        else pieces.push(piece);
      });
      response.on('end', () => resolve(Buffer.concat(pieces)));
      return undefined;
    });
    sent.end();
    return promise;
  }
}

const NETWORK_ERRORS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'The other site does not exist',
  EAI_AGAIN: 'The name of the other site could not be resolved',
  ECONNREFUSED: 'The other site refused the connection',
};

function toDownloadError(error: unknown, signal: AbortSignal): DownloadError {
  if (error instanceof DownloadError) return error;
  if (signal.aborted) return new DownloadError(`The other site took too long`);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return new DownloadError(NETWORK_ERRORS[code] ?? 'The connection to the other site failed', { cause: error });
}
