/** Calls several processes of a shop, as clients behind a load balancer do, and counts what they get. */
import { setTimeout as sleep } from 'node:timers/promises';
import { textAt } from '../read-json.ts';
import type { SeededRandom } from '../seeded-random.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface PoolRequest {
  readonly token?: string;
  readonly body?: unknown;
  readonly key?: string;
  /** Only this process; else any that responds. */
  readonly at?: PooledProcess;
}

export interface PoolResponse {
  readonly status: number;
  readonly body: unknown;
  readonly process: PooledProcess;
  /** An earlier attempt got no response, so it may have been carried out as well. */
  readonly isRepeated: boolean;
}

export interface PooledProcess {
  readonly name: string;
  readonly url: string;
  isReachable: boolean;
}

const TIMEOUT_MS = 10_000;
const PROBE_MS = 200;
const PROBE_TIMEOUT_MS = 1_000;
const GIVE_UP_MS = 120_000;

/** Error code of a response, with its status: `409 repriced`. */
export const describeRefusal = ({ status, body }: Pick<PoolResponse, 'status' | 'body'>): string =>
  typeof body === 'object' && body !== null && 'error' in body
    ? `${status} ${textAt(body, 'error', 'code')}`
    : String(status);

export class ProcessPool {
  readonly processes: readonly PooledProcess[];
  /** Responses with status 5xx, but for those that ask to try again. */
  readonly faults: string[] = [];
  readonly counts = { requests: 0, cutOff: 0, timedOut: 0, shed: 0, unavailable: 0 };
  readonly latencies = new Map<string, number[]>();
  demoProcess: PooledProcess;
  readonly #random: SeededRandom;
  #isOver = false;
  readonly #probes: Promise<void>[];

  constructor(processes: readonly { readonly name: string; readonly url: string }[], random: SeededRandom) {
    this.processes = processes.map((process) => ({ ...process, isReachable: true }));
    this.#random = random;
    this.demoProcess = this.find('first');
    this.#probes = this.processes.map((process) => this.#probe(process));
  }

  find(name: string): PooledProcess {
    const found = this.processes.find((process) => process.name === name);
    if (found === undefined) throw new Error(`no process ${name}`);
    return found;
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#probes);
  }

  /** Repeats a call without a response at another process. */
  async call(method: Method, path: string, request: PoolRequest = {}): Promise<PoolResponse> {
    let isRepeated = false;
    for (const until = performance.now() + GIVE_UP_MS; performance.now() < until;) {
      const process = request.at ?? this.#pick();
      const response = process && (await this.#attempt(process, method, path, request));
      if (response) return { ...response, process, isRepeated };
      isRepeated = true;
      await sleep(50);
    }
    throw new Error(
      `${method} ${path} got no response for ${GIVE_UP_MS / 1000} s; the last fault: ${this.faults.at(-1)}`,
    );
  }

  /**
   * One attempt at the process that keeps the demo chain, which processes do not share. The chain is no
   * part of this test, so errors are not counted.
   */
  async callDemo(path: string, body: unknown): Promise<void> {
    const process = this.demoProcess;
    if (!process.isReachable) return;
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    await fetch(`${process.url}/api${path}`, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }).then(
      (response) => response.arrayBuffer(),
      () => {},
    );
  }

  #pick(): PooledProcess | undefined {
    const reachable = this.processes.filter(({ isReachable }) => isReachable);
    return reachable.length === 0 ? undefined : this.#random.pick(reachable);
  }

  /** Null without a response, and when the process asks to come back later. */
  async #attempt(process: PooledProcess, method: Method, path: string, { token, body, key }: PoolRequest) {
    this.counts.requests += 1;
    const headers: Record<string, string> = {};
    if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
    if (key !== undefined) headers['idempotency-key'] = key;
    if (body !== undefined) headers['content-type'] = 'application/json';
    const began = performance.now();
    try {
      const response = await fetch(`${process.url}/api${path}`, {
        method,
        headers,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const json: unknown = text === '' ? null : JSON.parse(text);
      const answer = { status: response.status, body: json };
      if (response.status < 500) {
        this.#record(method, path, performance.now() - began);
        return answer;
      }
      if (describeRefusal(answer) === '503 overloaded') {
        this.counts.shed += 1;
        await sleep(Number(response.headers.get('retry-after') ?? 1) * 1000);
        return null;
      }
      if (response.status === 503) {
        this.counts.unavailable += 1;
        return null;
      }
      this.faults.push(`${method} ${path} at ${process.name}: ${text.slice(0, 200)}`);
      return null;
    } catch (error) {
      process.isReachable = false;
      if (error instanceof Error && error.name === 'TimeoutError') this.counts.timedOut += 1;
      else this.counts.cutOff += 1;
      return null;
    }
  }

  #record(method: Method, path: string, milliseconds: number): void {
    const call = `${method} ${path
      .replace(/\?.*/, '')
      .replaceAll(/[0-9a-f-]{36}/g, '{id}')
      .replace(/(\/products\/)[a-z][^/]*$/, '$1{slug}')}`;
    const times = this.latencies.get(call) ?? [];
    times.push(milliseconds);
    this.latencies.set(call, times);
  }

  async #probe(process: PooledProcess): Promise<void> {
    while (!this.#isOver) {
      process.isReachable = await fetch(`${process.url}/readyz`, {
        signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
      }).then(
        async (response) => {
          await response.arrayBuffer();
          return response.ok;
        },
        () => false,
      );
      await sleep(PROBE_MS);
    }
  }
}
