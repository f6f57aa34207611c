/**
 * Session storage: JSON that this tab keeps until it is closed, or another account logs in, in any tab. If the browser
 * refuses access, nothing is kept and nothing fails.
 */
import { ACCOUNT_KEY, readStored } from './browser-storage.ts';

/** Removes the entries of another account. */
function claimTab(): void {
  const account = readStored(ACCOUNT_KEY) ?? '';
  if ((sessionStorage.getItem(ACCOUNT_KEY) ?? '') === account) return;
  sessionStorage.clear();
  sessionStorage.setItem(ACCOUNT_KEY, account);
}

/** Null if there is nothing, or nothing that can be read. */
export function readOfTab(key: string): unknown {
  try {
    claimTab();
    return JSON.parse(sessionStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** Removes all entries, such as unsaved changes and what was searched for, when the visitor logs out. */
export function forgetTab(): void {
  try {
    sessionStorage.clear();
  } catch {
    // Nothing is kept.
  }
}

/** @param value null removes the entry */
export function writeOfTab(key: string, value: unknown): void {
  try {
    claimTab();
    if (value === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Storage is full or blocked: the current page still works.
  }
}
