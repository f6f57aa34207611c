/** Kills all processes of an embedded database at the same time, like a loss of power. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The server's process id, from its file in the data directory; null if there is none. */
export function readDatabasePid(dataDir: string): number | null {
  try {
    const pid = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
    return pid > 1 ? pid : null;
  } catch {
    return null;
  }
}

/** @returns the process id of the killed server; null if none was running */
export function killDatabase(dataDir: string): number | null {
  const server = readDatabasePid(dataDir);
  if (server === null) return null;
  // The server is killed first, since it would restart if its children died before it.
  for (const pid of [server, ...listChildren(server)]) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has exited in the meantime.
    }
  }
  return server;
}

/** Linux only; elsewhere they exit after their server. */
function listChildren(parent: number): number[] {
  if (process.platform !== 'linux') return [];
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return processes.map(Number).filter((pid) => readParent(pid) === parent);
}

function readParent(pid: number): number | null {
  try {
    // "pid (name) state parent …": the name may contain anything, including brackets.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}
