/** Stores pictures in a bucket with the API of Amazon S3, which several machines can share. */
import { createHash } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import { LRUCache } from 'lru-cache';
import type { PictureStorage, StoredFile } from './storage.ts';
import { StorageUnavailableError } from './storage.ts';

export interface BucketSettings {
  readonly bucket: string;
  /** Before each name: empty, or ending in a slash. */
  readonly prefix: string;
  /** Without a trailing slash. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Whether the bucket is the first part of the path (MinIO), not of the host name. */
  readonly isPathStyle: boolean;
}

const TIMEOUT_MS = 10_000;
const RETRIES = 2;
/** Requests at once: visitors cannot open any number of connections to the bucket. */
const MAX_OPEN = 32;
const MAX_LISTED = '1000';
/** Files that were read last, in memory. */
const CACHE_BYTES = 32 * 1024 * 1024;

export class BucketStorage implements PictureStorage {
  readonly #settings: BucketSettings;
  readonly #client: AwsClient;
  readonly #base: string;
  readonly #cache = new LRUCache<string, Buffer>({ maxSize: CACHE_BYTES, sizeCalculation: ({ length }) => length + 1 });
  #open = 0;

  constructor(settings: BucketSettings) {
    const { accessKeyId, secretAccessKey, region, endpoint, bucket, isPathStyle } = settings;
    this.#settings = settings;
    this.#client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: RETRIES });
    this.#base = isPathStyle ? `${endpoint}/${bucket}` : endpoint.replace('://', `://${bucket}.`);
  }

  async put(name: string, bytes: Buffer): Promise<void> {
    const type = name.endsWith('.jpg') ? 'image/jpeg' : 'image/avif';
    const headers = { 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' };
    await this.#send('PUT', this.#locate(name), [200], { body: new Uint8Array(bytes), headers });
  }

  async read(name: string): Promise<Buffer | null> {
    const known = this.#cache.get(name);
    if (known !== undefined) return known;
    const { status, body } = await this.#send('GET', this.#locate(name), [200, 404]);
    if (status === 404) return null;
    this.#cache.set(name, body);
    return body;
  }

  async has(name: string): Promise<boolean> {
    return (await this.#send('HEAD', this.#locate(name), [200, 404])).status === 200;
  }

  async remove(name: string): Promise<void> {
    this.#cache.delete(name);
    await this.#send('DELETE', this.#locate(name), [200, 204, 404]);
  }

  async *list(): AsyncGenerator<StoredFile> {
    const { prefix } = this.#settings;
    for (let after = prefix; ;) {
      const query = new URLSearchParams({ 'list-type': '2', prefix, 'max-keys': MAX_LISTED, 'start-after': after });
      const { body } = await this.#send('GET', `${this.#base}/?${query.toString()}`, [200]);
      const text = body.toString();
      const entries = [...text.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, entry = '']) => ({
        key: readElement(entry, 'Key'),
        changedAt: new Date(readElement(entry, 'LastModified')),
      }));
      for (const { key, changedAt } of entries) yield { name: key.slice(prefix.length), changedAt };
      const last = entries.at(-1)?.key;
      if (last === undefined || readElement(text, 'IsTruncated') !== 'true') return;
      after = last;
    }
  }

  /** A bucket has no limit of its own. */
  hasSpace(): Promise<boolean> {
    return Promise.resolve(true);
  }

  readonly #locate = (name: string): string => `${this.#base}/${this.#settings.prefix}${name}`;

  async #send(
    method: string,
    url: string,
    expected: readonly number[],
    { body, headers = {} }: { readonly body?: Uint8Array<ArrayBuffer>; readonly headers?: Record<string, string> } = {},
  ): Promise<{ readonly status: number; readonly body: Buffer }> {
    if (this.#open >= MAX_OPEN) throw new StorageUnavailableError('too many requests to the bucket');
    this.#open += 1;
    const sha256 = createHash('sha256')
      .update(body ?? '')
      .digest('hex');
    try {
      const response = await this.#client.fetch(url, {
        method,
        headers: { ...headers, 'x-amz-content-sha256': sha256 },
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(body && { body }),
      });
      const received = Buffer.from(await response.arrayBuffer());
      if (expected.includes(response.status)) return { status: response.status, body: received };
      const code = readElement(received.toString('utf8', 0, 2_000), 'Code');
      throw new StorageUnavailableError(`the bucket responded to ${method} with ${response.status} ${code}`);
    } catch (error) {
      if (error instanceof StorageUnavailableError) throw error;
      throw new StorageUnavailableError('the bucket did not respond', { cause: error });
    } finally {
      this.#open -= 1;
    }
  }
}

/** The text of the first element of this name; names of pictures contain no entities. */
const readElement = (xml: string, name: string): string =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '';
