/** Which calls the pages of the back office can make, by following their imports. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CallKey, Row } from '../access-rows.ts';

const TEAM = ['owner', 'manager', 'support', 'shipping'] as const;
export type TeamRole = (typeof TEAM)[number];
export const teamRoles: readonly TeamRole[] = TEAM;

/** Paths of the pages of the back office with their files, without the one for paths that have no page. */
export const listAdminPages = (): readonly (readonly [path: string, file: string])[] =>
  [...readFileSync('src/routes.ts', 'utf8').matchAll(/page\('(admin[^'*]*)', '([^']+)'/g)].map(
    ([, path = '', file = '']) => [`/${path}`, `src/${file}`],
  );

function resolveImport(importer: string, name: string): string | null {
  const path = name.startsWith('#src/') ? name.slice(1) : join(dirname(importer), name);
  return /^(?:#src\/|\.)/.test(name) && existsSync(path) ? path : null;
}

function followImports(file: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'([^']+)'/g)) {
    const imported = resolveImport(file, name);
    if (imported !== null) followImports(imported, found);
  }
  return found;
}

const isKeyOf = (table: Readonly<Record<string, Row>>, key: string): key is CallKey => Object.hasOwn(table, key);

/** Calls in the components of a page. */
export function listCallsOf(file: string, table: Readonly<Record<string, Row>>): readonly CallKey[] {
  const components = [...followImports(file)].filter((path) => path.includes('/web/'));
  const keys = components.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/'((?:GET|POST|PUT|DELETE) \/[^']*)'/g)].map(([, key = '']) => key),
  );
  return [...new Set(keys)].filter((key) => isKeyOf(table, key));
}

/** Whether a call is refused to a role, whatever it is about. */
export function isRefused(row: Row, role: TeamRole): boolean {
  const statuses = 'ask' in row ? row.statuses : row.own;
  const ownStatus = role === 'manager' ? undefined : statuses[role];
  return (ownStatus ?? statuses.staff ?? statuses.user) === 403;
}
