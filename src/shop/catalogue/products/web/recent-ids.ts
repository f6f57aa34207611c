import { readStored, RECENT_KEY, writeStored } from '#src/ui/browser/browser-storage.ts';

/** Maximum number shown. */
const MAX_RECENT = 8;

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Fallback until the next reload if storage is full or blocked. */
let lastText: string | null = null;

/** Ids of the recently viewed products, newest first, as text, so that it compares by value. */
export const readRecentText = (): string => readStored(RECENT_KEY) ?? lastText ?? '';

/** Parses such a text without one of the ids. Ignores anything else. */
export function parseRecentIds(text: string, exceptId: string | null): readonly string[] {
  const ids = text.split(',').filter((id) => UUID.test(id) && id !== exceptId);
  return [...new Set(ids)].slice(0, MAX_RECENT);
}

/** Stores that a product was viewed. */
export function rememberProduct(id: string): void {
  const text = [id, ...parseRecentIds(readRecentText(), id)].join(',');
  writeStored(RECENT_KEY, text);
  lastText = readStored(RECENT_KEY) === text ? null : text;
  document.documentElement.toggleAttribute('data-recent', true);
}
