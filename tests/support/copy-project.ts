/** A copy of the project's code, as an operator installs it. */
import { cpSync, globSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Copies what `npm start` needs, without the built pages. The packages are those of this project. */
export function copyProject(directory: string): void {
  for (const name of ['src', 'db', 'public', 'scripts', 'docs', 'package.json', 'package-lock.json', '.npmrc']) {
    cpSync(name, join(directory, name), { recursive: true });
  }
  for (const name of globSync(['*.config.ts', 'tsconfig*.json'])) cpSync(name, join(directory, name));
  symlinkSync(join(process.cwd(), 'node_modules'), join(directory, 'node_modules'));
}
