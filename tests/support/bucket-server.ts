/** A bucket with the API of Amazon S3 in memory. It verifies each Signature V4 by itself. */
import { createHash, createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

export const BUCKET_KEYS = { accessKeyId: 'AKIATEST', secretAccessKey: 'hidden-canary/+secret' };

export interface BucketServer {
  readonly endpoint: string;
  /** By path, which starts with the bucket. */
  readonly objects: Map<string, { readonly bytes: Buffer; readonly type: string; changedAt: Date }>;
  /** While set, every request gets this status. */
  failure: number | null;
  /** Requests whose signature was wrong. */
  readonly rejected: string[];
  close(): Promise<void>;
}

const hash = (data: Buffer | string): string => createHash('sha256').update(data).digest('hex');
const sign = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();

const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);

/** Signature Version 4 of a request, from the documentation of AWS. */
function computeSignature(request: IncomingMessage, signedHeaders: string, scope: string): string {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://bucket');
  const query = [...searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).toSorted();
  const headers = signedHeaders.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}\n`);
  const canonical = [
    request.method,
    pathname,
    query.join('&'),
    headers.join(''),
    signedHeaders,
    request.headers['x-amz-content-sha256'],
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, hash(canonical)].join('\n');
  const key = scope
    .split('/')
    .reduce<Buffer | string>((last, part) => sign(last, part), `AWS4${BUCKET_KEYS.secretAccessKey}`);
  return sign(key, text).toString('hex');
}

function isAuthentic(request: IncomingMessage, body: Buffer): boolean {
  const pattern = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\S+), SignedHeaders=(\S+), Signature=([0-9a-f]{64})$/;
  const [, key, scope = '', headers = '', signature] = pattern.exec(request.headers.authorization ?? '') ?? [];
  const isBodySigned = request.headers['x-amz-content-sha256'] === hash(body) && headers.split(';').includes('host');
  return key === BUCKET_KEYS.accessKeyId && isBodySigned && computeSignature(request, headers, scope) === signature;
}

export async function startBucketServer(): Promise<BucketServer> {
  const objects: BucketServer['objects'] = new Map();
  const rejected: string[] = [];
  const list = (bucket: string, query: URLSearchParams): string => {
    const [prefix, after] = [`/${bucket}/${query.get('prefix')}`, `/${bucket}/${query.get('start-after')}`];
    const found = [...objects]
      .filter(([path]) => path.startsWith(prefix) && path > after)
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
    // Small pages, so that a few objects need several.
    const listed = found.slice(0, 3);
    const entries = listed.map(
      ([path, { changedAt }]) =>
        `<Contents><Key>${path.slice(bucket.length + 2)}</Key><LastModified>${changedAt.toISOString()}</LastModified></Contents>`,
    );
    return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${found.length > 3}</IsTruncated>${entries.join('')}</ListBucketResult>`;
  };
  const respond = (request: IncomingMessage, body: Buffer, response: ServerResponse): unknown => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://bucket');
    if (server.failure !== null) return response.writeHead(server.failure).end('<Error><Code>SlowDown</Code></Error>');
    if (!isAuthentic(request, body)) {
      rejected.push(`${request.method} ${request.url}`);
      return response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>');
    }
    const [, bucket = ''] = pathname.split('/');
    if (searchParams.get('list-type') === '2') return response.end(list(bucket, searchParams));
    const found = objects.get(pathname);
    if (request.method === 'PUT') {
      objects.set(pathname, { bytes: body, type: request.headers['content-type'] ?? '', changedAt: new Date() });
      return response.end();
    }
    if (request.method === 'DELETE') {
      objects.delete(pathname);
      return response.writeHead(204).end();
    }
    return found ? response.end(found.bytes) : response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
  };
  const http = createServer((request, response) => {
    void buffer(request).then((body) => respond(request, body, response));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const address = http.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const server: BucketServer = {
    endpoint: `http://127.0.0.1:${port}`,
    objects,
    failure: null,
    rejected,
    close: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  return server;
}
