/** Exit codes and error output of the operator commands. */
import process from 'node:process';
import { DatabaseRefusedError } from '#src/platform/database/database-refused-error.ts';
import { formatErrorMessage } from '#src/platform/process/error-message.ts';
import { SettingsError } from '#src/app/settings.ts';

/** The command cannot be executed; the message is the reason. */
export class Refused extends Error {}

/** Invalid arguments; the message is the usage. */
export class WrongUsage extends Error {}

/** Runs a command. Exit code 0: done, 1: refused, 2: invalid arguments. Expected errors print no stack. */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isExpected =
      error instanceof Refused ||
      error instanceof WrongUsage ||
      error instanceof SettingsError ||
      error instanceof DatabaseRefusedError;
    const message = isExpected ? error.message : formatErrorMessage(error);
    if (message === null) throw error;
    process.stderr.write(`${message}\n`);
    process.exitCode = error instanceof WrongUsage ? 2 : 1;
  }
}
