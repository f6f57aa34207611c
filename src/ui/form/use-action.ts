/** An action that runs once at a time, and why its last attempt failed. */
import { useRef, useState } from 'react';

export interface ActionOptions<Failure> {
  /** Null: nothing is shown. */
  readonly describe: (error: unknown) => Failure | null;
  /** Runs after each attempt, whether it succeeded or not. The action is busy until it settles. */
  readonly settle?: (() => Promise<unknown>) | undefined;
  /** Why an attempt before the first one failed. */
  readonly refused?: Failure | null | undefined;
}

export interface Action<Failure> {
  readonly isBusy: boolean;
  readonly failed: Failure | null;
  /** Shows a failure, or with null none. */
  readonly show: (failure: Failure | null) => void;
  /**
   * Does nothing while another attempt runs.
   * @param describe why this action failed, if it is another one than usual
   * @returns whether it succeeded
   */
  readonly run: (act: () => Promise<unknown>, describe?: (error: unknown) => Failure | null) => Promise<boolean>;
}

export function useAction<Failure>({ describe, settle, refused = null }: ActionOptions<Failure>): Action<Failure> {
  const [isBusy, setIsBusy] = useState(false);
  const [failed, show] = useState<Failure | null>(refused);
  // A second press can come before the button is rendered as busy.
  const isRunning = useRef(false);
  const run: Action<Failure>['run'] = async (act, describeThis = describe) => {
    if (isRunning.current) return false;
    isRunning.current = true;
    setIsBusy(true);
    show(null);
    try {
      await act();
      return true;
    } catch (error) {
      show(describeThis(error));
      return false;
    } finally {
      await settle?.();
      isRunning.current = false;
      setIsBusy(false);
    }
  };
  return { isBusy, failed, show, run };
}
