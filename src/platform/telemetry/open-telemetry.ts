/** Opens the telemetry that the settings ask for, and loads nothing else. */
import type { ReadinessReport } from './health.ts';
import type { Log } from '#src/platform/process/log.ts';
import { MetricsServer } from './metrics-server.ts';
import { noTelemetry } from './telemetry.ts';
import type { PrometheusMetrics } from './prometheus-metrics.ts';
import type { Telemetry } from './telemetry.ts';
import type { Traces } from './traces.ts';

export interface TelemetrySettings {
  /** Null: no metrics. */
  readonly metrics: { readonly host: string; readonly port: number } | null;
  /** Null: no traces. */
  readonly traces: { readonly endpoint: string; readonly serviceName: string; readonly ratio: number } | null;
}

export interface OpenTelemetry extends Telemetry {
  /** Opens the port of the metrics. @param readiness what it also serves, at `/readyz` */
  start(readiness: () => Promise<ReadinessReport>): Promise<void>;
  stop(): Promise<void>;
}

export async function openTelemetry({ metrics, traces }: TelemetrySettings, log: Log): Promise<OpenTelemetry> {
  const meter = metrics && new (await import('./prometheus-metrics.ts')).PrometheusMetrics(log);
  const tracer = traces && new (await import('./traces.ts')).Traces({ ...traces, log });
  const server = metrics && meter && new MetricsServer({ ...metrics, metrics: meter, log });
  return {
    ...((meter ?? tracer) ? createTelemetry(meter, tracer) : noTelemetry),
    start: async (readiness) => server?.start(readiness),
    stop: async () => {
      await Promise.all([server?.stop(), tracer?.stop()]);
    },
  };
}

const createTelemetry = (meter: PrometheusMetrics | null, tracer: Traces | null): Telemetry => ({
  createCounter: (definition) => meter?.createCounter(definition) ?? (() => {}),
  createTimer: (definition) => {
    const observe = meter?.createHistogram(definition) ?? (() => {});
    const run: <T>(name: string, work: () => Promise<T>) => Promise<T> = tracer
      ? (name, work) => tracer.run(name, work)
      : (_name, work) => work();
    return async (label, work) => {
      const value = typeof label === 'string' ? label : label();
      const startedMs = performance.now();
      let outcome: 'ok' | 'failed' = 'failed';
      try {
        const result = await run(`${definition.span} ${value}`, work);
        outcome = 'ok';
        return result;
      } finally {
        observe(value, outcome, (performance.now() - startedMs) / 1000);
      }
    };
  },
  addSource: (source) => meter?.addSource(source),
  recordRequest: meter?.recordRequest ?? null,
  traceRequests: (server) => tracer?.traceRequests(server),
  traceStatements: (client) => tracer?.traceStatements(client),
});
