/** Programs of a database cluster, from Debian's packages: in PATH, in PROGRAMS, or below /usr/lib/postgresql. */
import { findOldestPostgresPrograms } from '../debian-postgres.ts';
import { findProgram } from '../programs.ts';

const NAMES = ['bash', 'etcd', 'haproxy', 'ip', 'nsenter', 'patroni', 'patronictl', 'setpriv', 'unshare'] as const;
type ClusterProgram = (typeof NAMES)[number];

export function findMissingPrograms(): readonly string[] {
  const missing: string[] = NAMES.filter((name) => findProgram(name) === null);
  return findOldestPostgresPrograms() === null ? [...missing, 'PostgreSQL 15'] : missing;
}

/** @throws if it is missing */
export function getProgram(name: ClusterProgram): string {
  const found = findProgram(name);
  if (found === null) throw new Error(`${name} is not installed`);
  return found;
}

/** Directory of PostgreSQL's programs. @throws if it is missing */
export function getPostgresPrograms(): string {
  const found = findOldestPostgresPrograms();
  if (found === null) throw new Error('PostgreSQL 15 is not installed');
  return found;
}
