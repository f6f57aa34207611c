/** Stop requests: SIGINT, SIGTERM, or the end of the npm that started this process. */

const PARENT_POLL_MS = 500;
/** Ctrl-C reaches a process twice, from the terminal and its parent. Both count as one request. */
const SAME_REQUEST_MS = 1_000;
/** Read when this module is loaded: later the parent may have ended already. */
const parentAtStart = process.ppid;

export interface StopRequestOptions {
  /**
   * Whether npm started this process. npm's shell does not forward SIGTERM, so the exit of the shell
   * counts as a stop request.
   */
  readonly isStartedByNpm: boolean;
}

/** Whether npm runs this process as a long-running script. */
export const isStartedByNpm = ({ npm_lifecycle_event: script }: NodeJS.ProcessEnv): boolean =>
  process.platform !== 'win32' && (script === 'start' || script === 'dev');

/**
 * Calls `stop` once, on the first request. A second signal ends the process immediately.
 * @returns a function that stops listening
 */
export function onStopRequest(options: StopRequestOptions, stop: () => void): () => void {
  let stoppingSince: number | null = null;
  const request = (): void => {
    if (stoppingSince !== null) return;
    stoppingSince = performance.now();
    clearInterval(timer);
    stop();
  };
  const onSignal = (): void => {
    // A second request ends the process without waiting.
    if (stoppingSince !== null && performance.now() - stoppingSince > SAME_REQUEST_MS) process.exit(1);
    request();
  };
  const onTick = (): void => {
    if (process.ppid !== parentAtStart) request();
  };
  const timer = options.isStartedByNpm ? setInterval(onTick, PARENT_POLL_MS).unref() : undefined;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal);
  return () => {
    clearInterval(timer);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal);
  };
}
