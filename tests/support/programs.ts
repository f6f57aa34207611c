/** Programs that tests use if the machine has them: PROGRAMS names a directory that is searched first. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian's directories of administrator programs are not in the PATH of every user. */
const ADMINISTRATOR = ['/usr/sbin', '/sbin'];

/** Names of programs without which tests of the deployment files and of the manual are skipped. */
export const OPTIONAL_PROGRAMS = [
  'caddy',
  'curl',
  'etcd',
  'haproxy',
  'ip',
  'nginx',
  'openssl',
  'patroni',
  'rsync',
  'systemd-analyze',
] as const;
export type OptionalProgram = (typeof OPTIONAL_PROGRAMS)[number];

/** Value of PATH with the directories that are searched. */
export const programPath = (): string =>
  [process.env['PROGRAMS'] ?? '', process.env['PATH'] ?? '', ...ADMINISTRATOR]
    .filter((directories) => directories !== '')
    .join(delimiter);

/** Path of a program; null if there is none. */
export function findProgram(name: string): string | null {
  const paths = programPath().split(delimiter);
  return paths.map((directory) => join(directory, name)).find((path) => existsSync(path)) ?? null;
}

/** Reason to skip a test that needs these programs; false if all are there. */
export function skipWithout(...names: readonly OptionalProgram[]): string | false {
  const missing = names.filter((name) => findProgram(name) === null);
  return missing.length > 0 && `needs ${missing.join(', ')}`;
}
