/** What the commands of whoever runs the shop have in common: how they end. */
import process from 'node:process';
import { DatabaseRefusedError } from '#src/platform/database/database-refused-error.ts';
import { formatErrorMessage } from '#src/platform/process/error-message.ts';
import { SettingsError } from '#src/app/settings.ts';

/** What was asked for cannot be done; the message says why. */
export class Refused extends Error {}

/** It was not asked for as the command has it; the message is its usage. */
export class WrongUsage extends Error {}

/** Ends with 0 when it is done, 1 when it is refused, 2 when it was asked wrongly: in words and without a stack. */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isTold =
      error instanceof Refused ||
      error instanceof WrongUsage ||
      error instanceof SettingsError ||
      error instanceof DatabaseRefusedError;
    const words = isTold ? error.message : formatErrorMessage(error);
    if (words === null) throw error;
    process.stderr.write(`${words}\n`);
    process.exitCode = error instanceof WrongUsage ? 2 : 1;
  }
}
