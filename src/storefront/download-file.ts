/** Loads a file of the API and saves it. Loaded when somebody downloads. */
import { readStored, TOKEN_KEY } from '#src/ui/browser/browser-storage.ts';
import { ApiFailure, createNoAnswer } from './api.ts';
import { repeatAfterPrompt } from './call.ts';

/** A large file over a slow line. */
const TIMEOUT_MS = 120_000;

/** A file that the shop makes of what is sent. */
interface Sent {
  readonly body: object;
  /** How long it may take; default: two minutes. */
  readonly timeoutMs?: number;
}
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

async function readFailure(response: Response): Promise<ApiFailure> {
  const body: unknown = await response.json().catch(() => null);
  const error = isRecord(body) && isRecord(body.error) ? body.error : {};
  const code = typeof error.code === 'string' ? error.code : 'unknown';
  const fields = Object.entries(isRecord(error.fields) ? error.fields : {}).flatMap(([name, text]) =>
    typeof text === 'string' ? [[name, text] as const] : [],
  );
  const message = typeof error.message === 'string' ? error.message : 'Unknown error';
  return new ApiFailure(response.status, code, message, { fields: Object.fromEntries(fields) });
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
export const downloadFile = (path: string, sent?: Sent): Promise<void> => repeatAfterPrompt(() => download(path, sent));

/** Loads a file to show it on the page. @param path below `/api` @throws ApiFailure */
export const loadFile = (path: string): Promise<Blob> =>
  repeatAfterPrompt(async () => readContent(await request(path, undefined)));

async function download(path: string, sent: Sent | undefined): Promise<void> {
  const response = await request(path, sent);
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'download';
  saveFile(name, await readContent(response));
}

const readContent = (response: Response): Promise<Blob> =>
  response.blob().catch(() => {
    throw createNoAnswer();
  });

async function request(path: string, sent: Sent | undefined): Promise<Response> {
  const token = readStored(TOKEN_KEY);
  const signal = AbortSignal.timeout(sent?.timeoutMs ?? TIMEOUT_MS);
  const headers = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(sent && { 'content-type': 'application/json' }),
  };
  const content = sent && { method: 'POST', body: JSON.stringify(sent.body) };
  const response = await fetch(`/api${path}`, { ...content, headers, credentials: 'same-origin', signal }).catch(() => {
    throw createNoAnswer();
  });
  if (!response.ok) throw await readFailure(response);
  return response;
}
