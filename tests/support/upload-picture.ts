/** Uploads pictures and other files. Waits where the shop asks to. */
import { setTimeout as sleep } from 'node:timers/promises';
import { textAt } from './read-json.ts';

const TRIES = 60;

export interface Uploaded {
  readonly status: number;
  readonly body: unknown;
}

/** The smallest file that begins and ends as a PDF. */
export const LABEL_PDF = Buffer.from('%PDF-1.4\n%label of a test\nstartxref\n0\n%%EOF\n', 'latin1');

/**
 * @param path below `/api`
 * @param token null: the caller is known by a cookie of `headers`
 */
export async function uploadBytes(
  { url }: { readonly url: string },
  path: string,
  token: string | null,
  bytes: Buffer,
  headers: Readonly<Record<string, string>> = {},
): Promise<Uploaded> {
  for (let triesLeft = TRIES; ; triesLeft -= 1) {
    const response = await fetch(`${url}/api${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/octet-stream',
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: new Uint8Array(bytes),
    });
    const body: unknown = await response.json();
    const isBusy = response.status === 503 && textAt(body, 'error', 'code') === 'overloaded';
    if (!isBusy || triesLeft === 0) return { status: response.status, body };
    await sleep(Number(response.headers.get('retry-after')) * 1000);
  }
}

/** Uploads a picture of the library as staff. */
export const uploadPicture = (
  shop: { readonly url: string },
  token: string,
  bytes: Buffer,
  headers?: Readonly<Record<string, string>>,
): Promise<Uploaded> => uploadBytes(shop, '/pictures', token, bytes, headers);
