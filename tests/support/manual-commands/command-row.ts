/** How a test runs a command of the manual. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { programPath } from '../programs.ts';
import type { TestShop } from '../shop.ts';

interface CommandResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface CommandOptions {
  /** Standard input. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface CommandContext {
  /** A demo shop that runs. */
  readonly shop: TestShop;
  /** A directory for files of this row. */
  readonly directory: string;
  /** Runs a command line in a shell, in the project's folder, with the shop's DATA_DIR. */
  readonly run: (command: string, options?: CommandOptions) => Promise<CommandResult>;
  /** The same. @throws with the output unless it exits with 0 */
  readonly succeed: (command: string, options?: CommandOptions) => Promise<string>;
}

interface RunRow {
  /** What the test states, for its title. */
  readonly fact: string;
  /** Reason to skip it here; false: it runs. */
  readonly skip?: string | false;
  /** @param command as the manual has it */
  readonly run: (context: CommandContext, command: string) => Promise<void>;
}

/** A command that another test runs, or that none can run. */
interface OtherRow {
  readonly because: string;
  /** A test file and a title in it. */
  readonly provenBy?: readonly [file: string, title: string];
}

export type CommandRow = RunRow | OtherRow;
/** Rows by the command as the manual has it. */
export type CommandRows = Readonly<Record<string, CommandRow>>;

/** Replaces placeholders and paths of the manual. @throws if the command lacks one of them */
export function fillIn(command: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((text, [name, value]) => {
    assert.ok(text.includes(name), `${command} does not contain ${name}`);
    return text.replaceAll(name, value);
  }, command);
}

/** A path as one word of a shell, whatever it contains. */
export const quote = (path: string): string => `'${path.replaceAll("'", String.raw`'\''`)}'`;

export function createCommandContext(shop: TestShop, directory: string): CommandContext {
  const run = (command: string, { input = '', env = {} }: CommandOptions = {}): Promise<CommandResult> => {
    const child = spawn('/bin/sh', ['-c', command], {
      env: { PATH: programPath(), HOME: directory, DATA_DIR: shop.dataDir, ...env },
      timeout: 120_000,
    });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    // A command that reads nothing may have closed it.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    return new Promise((resolve) => child.once('close', (code) => resolve({ code, out, err })));
  };
  return {
    shop,
    directory,
    run,
    succeed: async (command, options) => {
      const { code, out, err } = await run(command, options);
      assert.equal(code, 0, `${command}\n${out}${err}`);
      return out;
    },
  };
}
