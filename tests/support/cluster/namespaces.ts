/**
 * Runs a script in Linux namespaces of its own: network, mounts and processes. Its processes and mounts end with
 * it, also if it or the process that started it is killed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { findMissingPrograms } from './cluster-programs.ts';

const NAMESPACES = ['--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'];
/** Without root, a user namespace in which the user is root. */
const listOptions = (): readonly string[] =>
  process.getuid?.() === 0 ? NAMESPACES : ['--user', '--map-root-user', ...NAMESPACES];

/**
 * The first process. As such it inherits and reaps the processes of killed parents, and it ends when the script does, or
 * when its input ends since the process outside has died.
 */
const INIT = 'exec 3<&0; cat <&3 >/dev/null & "$@" </dev/null & wait -n';
/** Exists on every Debian; a file system in memory is mounted over it, visible to the script only. */
export const PRIVATE_DIRECTORY = '/mnt';
/** Servers of other test runs are not those of processes that can be seen from here, and the reverse. */
const TEMPORARY = `${PRIVATE_DIRECTORY}/tmp`;
const PREPARE = [
  'ip link set lo up',
  `mount -t tmpfs -o mode=755 private ${PRIVATE_DIRECTORY}`,
  `mkdir -m 1777 ${TEMPORARY}`,
].join(' && ');

/** Why this machine cannot run the test; null if it can. */
export function findClusterObstacle(): string | null {
  if (process.platform !== 'linux') return 'needs Linux';
  const missing = findMissingPrograms();
  if (missing.length > 0) return `needs ${missing.join(', ')}`;
  const tried = spawnSync('unshare', [...listOptions(), 'sh', '-c', `${PREPARE} && ip link add probe type bridge`], {
    encoding: 'utf8',
  });
  return tried.status === 0 ? null : `needs namespaces: ${tried.stderr.trim()}`;
}

/** @returns the exit code of the script */
export async function runInNamespaces(script: readonly string[], print: (text: string) => void): Promise<number> {
  const command = [
    'sh',
    '-c',
    `${PREPARE} && exec "$@"`,
    'sh',
    'bash',
    '-c',
    INIT,
    'bash',
    process.execPath,
    ...script,
  ];
  const child = spawn('unshare', [...listOptions(), ...command], {
    // Its input stays open as long as this process lives.
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, TMPDIR: TEMPORARY },
  });
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', print);
  return new Promise((resolve) => void child.once('close', (code) => resolve(code ?? 1)));
}
