import { readStored, RECENT_KEY, writeStored } from '#src/ui/browser-storage.ts';

/** Shown at once. */
const MAX_RECENT = 8;

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Stands in for a storage that is full or forbidden, as long as the page is not reloaded. */
let lastText: string | null = null;

/** Ids of the products that were looked at in this browser, newest first. Text, so that it compares by value. */
export const readRecentText = (): string => readStored(RECENT_KEY) ?? lastText ?? '';

/** The ids of such a text, without one of them. Anything else that stands there is left out. */
export function parseRecentIds(text: string, exceptId: string | null): readonly string[] {
  const ids = text.split(',').filter((id) => UUID.test(id) && id !== exceptId);
  return [...new Set(ids)].slice(0, MAX_RECENT);
}

/** Remembers that a product was looked at. */
export function rememberProduct(id: string): void {
  const text = [id, ...parseRecentIds(readRecentText(), id)].join(',');
  writeStored(RECENT_KEY, text);
  lastText = readStored(RECENT_KEY) === text ? null : text;
  document.documentElement.toggleAttribute('data-recent', true);
}
