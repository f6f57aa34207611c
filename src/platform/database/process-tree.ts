import { execFile } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { promisify } from 'node:util';

interface ProcessStatus {
  /** `T` for a process that was stopped with SIGSTOP. */
  readonly state: string;
  readonly parent: number;
}

/** Null if the process does not exist. */
async function readStatus(pid: number): Promise<ProcessStatus | null> {
  if (process.platform === 'linux') {
    // "pid (name) state parent …"; the name may contain a bracket.
    const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    const [state = '', parent = ''] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return text === '' ? null : { state, parent: Number(parent) };
  }
  const { stdout } = await promisify(execFile)('ps', ['-p', String(pid), '-o', 'state=,ppid=']).catch(() => ({
    stdout: '',
  }));
  const [state = '', parent = ''] = stdout.trim().split(/\s+/);
  return state === '' ? null : { state, parent: Number(parent) };
}

/** Whether a process was stopped with SIGSTOP or by a debugger. Always false on Windows. */
export async function isSuspended(pid: number): Promise<boolean> {
  if (process.platform === 'win32') return false;
  const status = await readStatus(pid);
  return status !== null && /^[Tt]/.test(status.state);
}

/** Running child processes of a process. Always empty on Windows. */
export async function listChildren(parent: number): Promise<readonly number[]> {
  if (process.platform === 'linux') {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
    const statuses = await Promise.all(pids.map(async (pid) => ({ pid, status: await readStatus(pid) })));
    return statuses.filter(({ status }) => status?.parent === parent).map(({ pid }) => pid);
  }
  if (process.platform === 'win32') return [];
  const { stdout } = await promisify(execFile)('pgrep', ['-P', String(parent)]).catch(() => ({ stdout: '' }));
  return stdout.split('\n').filter(Boolean).map(Number);
}
