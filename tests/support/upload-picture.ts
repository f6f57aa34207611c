/** Uploads a picture as staff. Waits where the shop asks to. */
import { setTimeout as sleep } from 'node:timers/promises';
import { textAt } from './read-json.ts';

const TRIES = 60;

export interface Uploaded {
  readonly status: number;
  readonly body: unknown;
}

export async function uploadPicture(
  { url }: { readonly url: string },
  token: string,
  bytes: Buffer,
  headers: Readonly<Record<string, string>> = {},
): Promise<Uploaded> {
  for (let triesLeft = TRIES; ; triesLeft -= 1) {
    const response = await fetch(`${url}/api/pictures`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream', authorization: `Bearer ${token}`, ...headers },
      body: new Uint8Array(bytes),
    });
    const body: unknown = await response.json();
    const isBusy = response.status === 503 && textAt(body, 'error', 'code') === 'overloaded';
    if (!isBusy || triesLeft === 0) return { status: response.status, body };
    await sleep(Number(response.headers.get('retry-after')) * 1000);
  }
}
