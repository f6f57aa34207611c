/**
 * What the parts of a process report while they run: metrics for Prometheus and traces for OpenTelemetry. Both are
 * off unless a setting asks for them; then nothing is measured and no library is loaded.
 */
import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';

export interface CounterDefinition<Value extends string> {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  /** All values of the label. Each is reported from the start, as 0. */
  readonly values: readonly Value[];
}

export interface TimerDefinition {
  readonly name: string;
  readonly help: string;
  /** A label whose values are bounded, such as patterns of paths. Never an id. */
  readonly label: string;
  /** Start of the span's name; the value of the label follows. */
  readonly span: string;
}

/**
 * Runs work, and records how long it took and whether it threw.
 * @param value of the label; a function is called only if somebody reads it
 */
export type Timer = <T>(value: string | (() => string), work: () => Promise<T>) => Promise<T>;

/** Metrics that are read when they are asked for. */
export interface MetricSource<Name extends string = string> {
  readonly definitions: Readonly<Record<Name, MetricDefinition>>;
  /** The present values, by name; one that is unknown is left out. Rejects if none can be read. */
  readonly read: () => Promise<MetricValues<Name>>;
}

interface MetricDefinition {
  readonly help: string;
  /** Omitted: the metric is one number. */
  readonly label?: string;
  /** Whether the value only grows until the process ends. */
  readonly isTotal?: boolean;
}

export type MetricValues<Name extends string = string> = Readonly<
  Partial<Record<Name, number | Readonly<Record<string, number>>>>
>;

export interface RequestFigures {
  readonly method: string;
  /** Pattern of the route. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
  /** Sent from the page cache before it was routed. */
  readonly isFromPageCache: boolean;
}

export interface Telemetry {
  createCounter<Value extends string>(definition: CounterDefinition<Value>): (value: Value) => void;
  createTimer(definition: TimerDefinition): Timer;
  addSource(source: MetricSource): void;
  /** Called at the end of every request; null if nobody reads it. */
  readonly recordRequest: ((request: RequestFigures) => void) | null;
  /** Adds the hooks that trace requests. Requests that earlier hooks respond to are not traced. */
  traceRequests(server: FastifyInstance): void;
  /** Traces the statements of a connection. */
  traceStatements(client: PoolClient): void;
}

export const noTelemetry: Telemetry = {
  createCounter: () => () => {},
  createTimer: () => (_value, work) => work(),
  addSource: () => {},
  recordRequest: null,
  traceRequests: () => {},
  traceStatements: () => {},
};
