/** Traces, sent to an OpenTelemetry collector. Imported only if a process sends them. */
import { context, diag, DiagLogLevel, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Context, Span, Tracer } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Sampler } from '@opentelemetry/sdk-trace';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PoolClient } from 'pg';
import type { Log } from '#src/platform/process/log.ts';

const EXPORT_EVERY_MS = 2_000;
/** Concurrent exports; beyond that, and a queue of 2,048 spans, spans are dropped. */
const MAX_EXPORTS = 4;
/** Characters of a statement in its span. */
const MAX_STATEMENT = 2_000;
/** The log reports a failing export at most this often. */
const REPORT_EVERY_MS = 60_000;

export interface TraceOptions {
  /** Base URL of the collector; spans go to `/v1/traces` below it. */
  readonly endpoint: string;
  readonly serviceName: string;
  /** Share of traces that are recorded, from 0 to 1. */
  readonly ratio: number;
  readonly log: Log;
}

export class Traces {
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;
  readonly #spans = new WeakMap<FastifyRequest, { readonly span: Span; readonly within: Context }>();

  constructor({ endpoint, serviceName, ratio, log }: TraceOptions) {
    diag.setLogger(createDiagnostics(log), { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true });
    const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, concurrencyLimit: MAX_EXPORTS });
    this.#provider = new TracerProvider({
      resource: defaultResource()
        .merge(detectResources({ detectors: [resourceAttributesEnvDetector] }))
        .merge(resourceFromAttributes({ 'service.name': serviceName })),
      sampler: createSampler(ratio),
      spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: EXPORT_EVERY_MS })],
    });
    this.#tracer = this.#provider.getTracer('crypto-market');
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  }

  /** Sends what is left. */
  async stop(): Promise<void> {
    await this.#provider.shutdown();
  }

  /** Runs work in a span, within the present one if there is one. */
  run<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.#tracer.startActiveSpan(name, async (span) => {
      try {
        return await work();
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    });
  }

  /** A span for each request. It starts a trace: a traceparent of the client is not trusted. */
  traceRequests(server: FastifyInstance): void {
    server.addHook('onRequest', (request, _reply, done) => {
      const span = this.#tracer.startSpan(request.method, { kind: SpanKind.SERVER, root: true });
      const within = trace.setSpan(context.active(), span);
      this.#spans.set(request, { span, within });
      context.with(within, done);
    });
    // Reading a body leaves the context.
    server.addHook('preValidation', (request, _reply, done) => {
      context.with(this.#spans.get(request)?.within ?? context.active(), done);
    });
    server.addHook('onResponse', (request, reply, done) => {
      const span = this.#spans.get(request)?.span;
      if (span === undefined) return done();
      // The pattern of the route, not the URL: ids and search texts are personal.
      const route = request.routeOptions.url ?? 'none';
      span.updateName(`${request.method} ${route}`).setAttributes({
        'http.request.method': request.method,
        'http.route': route,
        'http.response.status_code': reply.statusCode,
        'shop.request_id': request.id,
      });
      if (reply.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
      return done();
    });
  }

  /** A span for each statement within another span; pollers without one would only make noise. */
  traceStatements(client: PoolClient): void {
    const send = client.query.bind(client);
    const sendTraced = (...args: readonly unknown[]): unknown => {
      const statement = readText(args[0]);
      const sent = (): unknown => Reflect.apply(send, client, args);
      // Libraries that pass a callback are not traced.
      const isTraced = statement !== null && typeof args.at(-1) !== 'function';
      if (!isTraced || trace.getActiveSpan() === undefined) return sent();
      const span = this.#tracer.startSpan(readVerb(statement), {
        kind: SpanKind.CLIENT,
        // Values are parameters and not in the text.
        attributes: { 'db.system.name': 'postgresql', 'db.query.text': statement.trim().slice(0, MAX_STATEMENT) },
      });
      const result = sent();
      if (!(result instanceof Promise)) {
        span.end();
        return result;
      }
      return result.then(
        (value: unknown) => {
          span.end();
          return value;
        },
        (error: unknown) => {
          span.setStatus({ code: SpanStatusCode.ERROR }).end();
          throw error;
        },
      );
    };
    Object.assign(client, { query: sendTraced });
  }
}

/** The text of a statement, which has a name if it is prepared. */
function readText(statement: unknown): string | null {
  if (typeof statement === 'string') return statement;
  return typeof statement === 'object' && statement !== null && 'text' in statement ? String(statement.text) : null;
}

/** "SELECT", "INSERT" … */
const readVerb = (statement: string): string => /^[\s(]*([a-z]+)/i.exec(statement)?.[1]?.toUpperCase() ?? 'SQL';

function createSampler(ratio: number): Sampler {
  if (ratio >= 1) return new AlwaysOnSampler();
  return ratio <= 0 ? new AlwaysOffSampler() : new TraceIdRatioBasedSampler(ratio);
}

const ignore = (): void => {};

/** The SDK reports an error as JSON with its stack. */
function readReason(report: string): string {
  const [, message] = /"message":"((?:[^"\\]|\\.)*)"/.exec(report) ?? [];
  return (message ?? report).slice(0, 200);
}

/** Logs that the collector cannot be reached, without a line for each attempt. */
function createDiagnostics(log: Log) {
  let reportedMs = -Infinity;
  return {
    error: (message: string): void => {
      if (performance.now() < reportedMs + REPORT_EVERY_MS) return;
      reportedMs = performance.now();
      log.warn({ reason: readReason(message) }, 'traces could not be sent to OTEL_EXPORTER_OTLP_ENDPOINT');
    },
    warn: ignore,
    info: ignore,
    debug: ignore,
    verbose: ignore,
  };
}
