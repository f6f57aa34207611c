/**
 * `npm run dev`: runs the shop in development. A change of a server file restarts the server; Vite
 * replaces pages and styles in the browser.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isStartedByNpm, onStopRequest } from '#src/platform/process/stop-requests.ts';

const INSIDE = '--inside';
/** Editors write a file in several steps. */
const SETTLE_MS = 100;

/** Whether a change of this file requires a restart of the server. */
const isOfServer = (name: string): boolean =>
  name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== 'routes.ts';

if (process.argv.includes(INSIDE)) {
  process.env.NODE_ENV = 'development';
  const { openDevelopmentPages } = await import('#src/platform/pages/development-pages.ts');
  const { startShop } = await import('#src/main.ts');
  await startShop(process.env, openDevelopmentPages);
} else {
  superviseServer();
}

function superviseServer(): void {
  let server = startServer();
  let isLeaving = false;
  let settled: NodeJS.Timeout | undefined;

  const restart = (): void => {
    console.log('Restarting the server …');
    if (server.exitCode !== null || server.signalCode !== null) {
      server = startServer();
      return;
    }
    server.removeAllListeners('exit');
    server.once('exit', () => {
      if (!isLeaving) server = startServer();
    });
    server.kill('SIGTERM');
  };
  watchServerFiles(() => {
    clearTimeout(settled);
    settled = setTimeout(restart, SETTLE_MS);
  });
  onStopRequest({ isStartedByNpm: isStartedByNpm(process.env) }, () => {
    isLeaving = true;
    clearTimeout(settled);
    if (server.exitCode !== null || server.signalCode !== null) process.exit(0);
    server.once('exit', () => process.exit(0));
    server.kill('SIGTERM');
  });
}

/**
 * Watches directories instead of files: Node's watch mode and recursive watching lose files that an
 * editor replaces.
 */
function watchServerFiles(onChange: () => void): void {
  const directories = readdirSync('src', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/[\\/]web(?:[\\/]|$)/.test(path));
  for (const directory of ['src', ...directories]) {
    watch(directory, (_event, name) => {
      if (name !== null && isOfServer(name)) onChange();
    });
  }
}

function startServer(): ChildProcess {
  const launcher = fileURLToPath(new URL('run.mjs', import.meta.url));
  return spawn(process.execPath, [launcher, 'dev', INSIDE], { stdio: 'inherit' });
}
