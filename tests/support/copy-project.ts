/** A copy of the project without its build, as another code folder on the same machine. */
import { cpSync, globSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Fills an empty directory. It shares the packages of this project. */
export function copyProject(copy: string): void {
  for (const name of ['src', 'db', 'public', 'scripts', 'docs', 'package.json', 'package-lock.json']) {
    cpSync(name, join(copy, name), { recursive: true });
  }
  for (const name of globSync(['*.config.ts', 'tsconfig*.json'])) cpSync(name, join(copy, name));
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
}
