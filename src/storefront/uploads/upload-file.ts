import { ApiFailure, createNoAnswer } from '#src/storefront/api.ts';
import { readStored, TOKEN_KEY } from '#src/ui/browser/browser-storage.ts';
import { findRetryDelay } from './find-retry-delay.ts';

const MB = 1024 * 1024;
/** A larger file may not arrive in the 15 s that the shop allows for a request. */
const SHRUNK_FROM_BYTES = 4 * MB;
/** Twice the widest file that the shop stores. */
const SHRUNK_SIDE = 3_200;
const SHRINKABLE = /^image\/(?:jpeg|png|webp|avif)$/;
const TIMEOUT_MS = 180_000;
const TRIES = 10;

/** Where files go, and what the shop takes there. */
export interface UploadTarget {
  /** Below `/api`. */
  readonly path: string;
  /** Of one file. */
  readonly maxMb: number;
  /** The attribute `accept` of a file field. */
  readonly accept: string;
  /** Names of these formats, such as "JPEG or PNG". */
  readonly formats: string;
  /** Large pictures are scaled down in the browser, so that they arrive in time. */
  readonly isScaled: boolean;
}

/** Formats of pictures that the shop converts. */
export const PICTURE_FORMATS = {
  accept: 'image/jpeg,image/png,image/webp,image/avif,image/gif',
  formats: 'JPEG, PNG, WebP, AVIF or GIF',
  isScaled: true,
} as const;

export interface UploadOptions {
  /** From 0 to 1. At 1 the shop converts the file. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/** Uploads a file. Waits and tries again while the shop is busy for some seconds. Returns its response. @throws ApiFailure */
export async function uploadFile(file: File, target: UploadTarget, options: UploadOptions): Promise<unknown> {
  const { isScaled, maxMb, path } = target;
  if (file.size === 0) throw new ApiFailure(400, 'empty', 'The file is empty');
  const isShrunk = isScaled && file.size > SHRUNK_FROM_BYTES && SHRINKABLE.test(file.type);
  const body = isShrunk ? await shrink(file) : file;
  if (body.size > maxMb * MB) {
    throw new ApiFailure(413, 'too-large', `The file has ${Math.ceil(body.size / MB)} MB. The limit is ${maxMb} MB`);
  }
  for (let triesLeft = TRIES; ; triesLeft -= 1) {
    const { status, json, retryAfter } = await send(path, body, options);
    if (status === 200 || status === 201) return json;
    const seconds = findRetryDelay(status, retryAfter);
    if (seconds === null || triesLeft === 0) throw toFailure(status, json);
    await wait(seconds * 1_000, options.signal);
  }
}

/** Scales a large photo down in the browser. The original, if the browser cannot decode it. */
async function shrink(file: File): Promise<Blob> {
  try {
    const picture = await createImageBitmap(file);
    const scale = Math.min(1, SHRUNK_SIDE / Math.max(picture.width, picture.height));
    const [width, height] = [Math.round(picture.width * scale), Math.round(picture.height * scale)];
    const canvas = new OffscreenCanvas(width, height);
    canvas.getContext('2d')?.drawImage(picture, 0, 0, width, height);
    picture.close();
    const smaller = await canvas.convertToBlob({ type: 'image/webp', quality: 0.95 });
    return smaller.size < file.size ? smaller : file;
  } catch {
    return file;
  }
}

interface Received {
  readonly status: number;
  readonly json: unknown;
  readonly retryAfter: string | null;
}

/** Not `fetch`, which does not report the progress of an upload. */
function send(path: string, body: Blob, { onProgress, signal }: UploadOptions): Promise<Received> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = (): void => reject(createNoAnswer());
    const abort = (): void => request.abort();
    request.open('POST', `/api${path}`);
    request.timeout = TIMEOUT_MS;
    request.setRequestHeader('content-type', 'application/octet-stream');
    const token = readStored(TOKEN_KEY);
    if (token !== null) request.setRequestHeader('authorization', `Bearer ${token}`);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0));
    request.addEventListener('load', () =>
      resolve({
        status: request.status,
        json: parseJson(request.responseText),
        retryAfter: request.getResponseHeader('retry-after'),
      }),
    );
    for (const event of ['error', 'timeout', 'abort'] as const) request.addEventListener(event, fail);
    request.addEventListener('loadend', () => signal.removeEventListener('abort', abort));
    signal.addEventListener('abort', abort);
    if (signal.aborted) fail();
    else request.send(body);
  });
}

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function toFailure(status: number, json: unknown): ApiFailure {
  const error = isRecord(json) && isRecord(json.error) ? json.error : {};
  const code = typeof error.code === 'string' ? error.code : 'unknown';
  const message = typeof error.message === 'string' ? error.message : 'The shop could not store the file';
  return new ApiFailure(status, code, message);
}
