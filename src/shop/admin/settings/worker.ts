/** Records periodically which parts of the shop work. Every process does so; only changes are written. */
import type { Readiness } from '#src/platform/telemetry/health.ts';
import type { Log } from '#src/platform/process/log.ts';
import type { LiveStaff } from '../live/service.ts';
import type { Setup } from './service.ts';

const CHECK_EVERY_MS = 15_000;
const FIRST_CHECK_MS = 500;

export interface HealthRecorderOptions {
  readonly setup: Pick<Setup, 'recordHealth'>;
  readonly liveStaff: Pick<LiveStaff, 'publish'>;
  readonly checkReadiness: () => Promise<Readiness>;
  readonly log: Log;
}

export class HealthRecorder {
  readonly #options: HealthRecorderOptions;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(options: HealthRecorderOptions) {
    this.#options = options;
  }

  start(): void {
    this.#schedule(FIRST_CHECK_MS);
  }

  #schedule(delayMs: number): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#record().finally(() => this.#schedule(CHECK_EVERY_MS));
    }, delayMs).unref();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#running;
  }

  async #record(): Promise<void> {
    const { checkReadiness, liveStaff, log, setup } = this.#options;
    try {
      if (await setup.recordHealth(await checkReadiness())) liveStaff.publish(['health']);
    } catch (error) {
      log.debug({ err: error }, 'the state of the parts could not be recorded');
    }
  }
}
