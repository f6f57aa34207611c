/** Sends and receives files, which `call` does not: their bodies are no JSON. */
import { ApiFailure, createNoAnswer } from '#src/storefront/api.ts';
import { readStored, TOKEN_KEY } from '#src/ui/browser/browser-storage.ts';

/** A large file over a slow line. */
const TIMEOUT_MS = 120_000;

async function send(url: string, init: RequestInit): Promise<Response> {
  const token = readStored(TOKEN_KEY);
  const headers = new Headers(init.headers);
  if (token) headers.set('authorization', `Bearer ${token}`);
  let response: Response;
  try {
    response = await fetch(url, {
      ...init,
      headers,
      credentials: 'same-origin',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch {
    throw createNoAnswer();
  }
  if (response.ok) return response;
  const body: unknown = await response.json().catch(() => null);
  throw toFailure(response.status, body);
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function toFailure(status: number, body: unknown): ApiFailure {
  const error = isRecord(body) && isRecord(body.error) ? body.error : {};
  const code = typeof error.code === 'string' ? error.code : 'unknown';
  return new ApiFailure(status, code, typeof error.message === 'string' ? error.message : 'Unknown error');
}

/** Uploads the file of an import. Returns the id of the import. */
export async function uploadFile(file: File): Promise<string> {
  const query = new URLSearchParams({ filename: file.name.slice(0, 200) });
  const response = await send(`/api/imports?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: file,
  });
  const body: unknown = await response.json();
  if (isRecord(body) && typeof body.id === 'string') return body.id;
  throw new ApiFailure(response.status, 'unknown', 'Unknown error');
}
