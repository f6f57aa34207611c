/**
 * `npm run dev`: the shop in development. Node's watch mode starts the server anew when a file that it has loaded
 * changes; pages and styles are loaded by Vite, which replaces them in the browser.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const INSIDE = '--inside-watch';

if (process.argv.includes(INSIDE)) {
  process.env.NODE_ENV = 'development';
  const { startShop } = await import('#src/main.ts');
  await startShop(process.env);
} else {
  const watcher = spawn(
    process.execPath,
    [
      '--watch',
      '--watch-preserve-output',
      '--disable-warning=ExperimentalWarning',
      fileURLToPath(new URL('run.mjs', import.meta.url)),
      'dev',
      INSIDE,
    ],
    { stdio: 'inherit' },
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => watcher.kill(signal));
  watcher.on('exit', (code) => process.exit(code ?? 0));
}
