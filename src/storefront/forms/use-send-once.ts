import { useRef } from 'react';

/** `crypto.randomUUID` needs https. */
const createKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Idempotency keys: attempts to send the same content share a key until one succeeds, so that none happens twice after a
 * lost response.
 */
export function useSendOnce() {
  const attempt = useRef<{ readonly text: string; readonly idempotencyKey: string } | null>(null);
  return async <Result>(
    content: unknown,
    send: (options: { readonly idempotencyKey: string }) => Promise<Result>,
  ): Promise<Result> => {
    const text = JSON.stringify(content);
    if (attempt.current?.text !== text) attempt.current = { text, idempotencyKey: createKey() };
    const result = await send({ idempotencyKey: attempt.current.idempotencyKey });
    attempt.current = null;
    return result;
  };
}
