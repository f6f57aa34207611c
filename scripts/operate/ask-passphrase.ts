/** Asks for the passphrase of an encrypted backup. */
import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { Refused } from './command.ts';

const NAME = 'BACKUP_PASSPHRASE';

/** What is typed is not shown. */
async function askAtTerminal(): Promise<string> {
  process.stdout.write('Passphrase of the backup: ');
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    process.stdout.write('\n');
  }
}

/** From the environment, or typed. @throws Refused without both */
export async function askPassphrase(): Promise<string> {
  const known = process.env[NAME] ?? '';
  if (known !== '') return known;
  if (!process.stdin.isTTY) {
    throw new Refused(`This backup is encrypted. Set ${NAME} to its passphrase, or run the command in a terminal.`);
  }
  return askAtTerminal();
}
