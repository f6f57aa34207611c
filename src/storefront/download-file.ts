/** Loads a file of the API and saves it. Loaded when somebody downloads. */
import { readStored, TOKEN_KEY } from '#src/ui/browser-storage.ts';
import { ApiFailure, createNoAnswer } from './api.ts';
import { repeatAfterPrompt } from './call.ts';

/** A large file over a slow line. */
const TIMEOUT_MS = 120_000;
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

async function readFailure(response: Response): Promise<ApiFailure> {
  const body: unknown = await response.json().catch(() => null);
  const error = isRecord(body) && isRecord(body.error) ? body.error : {};
  const code = typeof error.code === 'string' ? error.code : 'unknown';
  return new ApiFailure(response.status, code, typeof error.message === 'string' ? error.message : 'Unknown error');
}

/** Saves a file through a temporary link. */
function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/**
 * @param path below `/api`. The file has the name that the shop gives it.
 * @throws ApiFailure
 */
export const downloadFile = (path: string): Promise<void> => repeatAfterPrompt(() => download(path));

async function download(path: string): Promise<void> {
  const token = readStored(TOKEN_KEY);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  const unreachable = createNoAnswer();
  const response = await fetch(`/api${path}`, { headers, credentials: 'same-origin', signal }).catch(() => {
    throw unreachable;
  });
  if (!response.ok) throw await readFailure(response);
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'download';
  saveFile(
    name,
    await response.blob().catch(() => {
      throw unreachable;
    }),
  );
}
