/** A button that calls the shop. */
import { useAction } from '#src/ui/form/use-action.ts';
import type { Action, ActionOptions } from '#src/ui/form/use-action.ts';
import { logError } from '#src/ui/browser/log-error.ts';
import { isRefusal } from '../api.ts';

interface CallActionOptions<Failure> extends ActionOptions<Failure> {
  /** For the log, if the shop fails: 'the message was not sent'. */
  readonly log: string;
}

/** Describes why a call failed. Logs it unless the shop refused it. */
export const logAndDescribe =
  <Failure>(log: string, describe: (error: unknown) => Failure) =>
  (error: unknown): Failure => {
    if (!isRefusal(error)) logError(log, error);
    return describe(error);
  };

export const useCallAction = <Failure>({ log, describe, ...options }: CallActionOptions<Failure>): Action<Failure> =>
  useAction({ ...options, describe: logAndDescribe(log, describe) });
