/** The findings of the search that were opened last, in this tab until the logout: they name customers. */
import { readOfTab, writeOfTab } from '#src/ui/browser/tab-storage.ts';
import type { Finding } from './find-everywhere.ts';

const KEY = 'admin_search_recent';
const MOST = 5;

const isFinding = (value: unknown): value is Finding =>
  typeof value === 'object' &&
  value !== null &&
  ['group', 'text', 'detail', 'to'].every((name) => typeof Reflect.get(value, name) === 'string');

export function readRecent(): readonly Finding[] {
  const stored = readOfTab(KEY);
  return Array.isArray(stored) ? stored.filter((one) => isFinding(one)) : [];
}

export function remember(finding: Finding): void {
  writeOfTab(KEY, [finding, ...readRecent().filter(({ to }) => to !== finding.to)].slice(0, MOST));
}
