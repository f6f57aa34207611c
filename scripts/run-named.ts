/** Starts a script of a folder by its name, or lists all scripts with their descriptions. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The first paragraph of a script's comment on one line. */
function readDescription(file: string): string {
  const comment = /\/\*\*([\s\S]*?)\*\//.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
  const [first = ''] = comment.split(/\n \*\n/);
  return first
    .replaceAll(/\s*\n \* ?/g, ' ')
    .replaceAll('`', '')
    .trim();
}

export async function runNamed(folder: string): Promise<void> {
  const [name = '', ...rest] = process.argv.slice(2);
  const scripts = new Map(
    globSync(`scripts/${folder}/*.ts`)
      .toSorted()
      .map((file) => [path.basename(file, '.ts'), file]),
  );
  const script = scripts.get(name);
  if (script === undefined) {
    const isHelp = name === '' || name === '--help';
    const print = isHelp ? console.log : console.error;
    print(`Usage: npm run ${folder} -- NAME [options]\n`);
    for (const [title, file] of scripts) print(`${title}\n  ${readDescription(file)}`);
    process.exitCode = isHelp ? 0 : 2;
    return;
  }
  process.argv = [process.execPath, path.resolve(script), ...rest];
  await import(path.resolve(script));
}
