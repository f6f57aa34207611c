/** Metrics in the format of Prometheus. Imported only if a process serves them. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Log } from '#src/platform/process/log.ts';
import type { CounterDefinition, MetricSource, MetricValues, RequestFigures, TimerDefinition } from './telemetry.ts';

/** In seconds. Few, since each is a line for every route. */
const BUCKETS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10];
/** A source that takes longer is left out of the response. */
const SOURCE_TIMEOUT_MS = 2_000;
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

interface AddedSource {
  readonly read: MetricSource['read'];
  readonly metrics: ReadonlyMap<string, { readonly metric: Counter | Gauge; readonly label: string | undefined }>;
}

/** Records how long something took: whether it threw is in the label `outcome`. */
type Observe = (value: string, outcome: 'ok' | 'failed', seconds: number) => void;

export class PrometheusMetrics {
  readonly #registry = new Registry();
  readonly #log: Log;
  readonly #sources: AddedSource[] = [];
  /** Requests by method, status class and route, written to the counter when it is read. */
  readonly #requests = new Map<string, { readonly labels: Record<string, string>; count: number }>();
  readonly #requestSeconds: Histogram;
  readonly #failedSources: Gauge;
  #reading: Promise<string> | null = null;
  readonly contentType: string;

  constructor(log: Log) {
    this.#log = log;
    const registers = [this.#registry];
    this.contentType = this.#registry.contentType;
    collectDefaultMetrics({ register: this.#registry });
    this.#failedSources = new Gauge({
      name: 'shop_metrics_sources_failed',
      help: 'Groups of metrics that could not be read and are missing',
      registers,
    });
    this.#requestSeconds = new Histogram({
      name: 'shop_http_request_duration_seconds',
      help: 'Duration of requests, without pages that were sent from the page cache',
      labelNames: ['method', 'route', 'status'],
      buckets: BUCKETS,
      registers,
    });
    this.#addRequestCounter();
  }

  #addRequestCounter(): void {
    const counts = this.#requests;
    const counter = new Counter({
      name: 'shop_http_requests_total',
      help: 'Requests by method, pattern of the route and class of the status',
      labelNames: ['method', 'route', 'status'],
      registers: [this.#registry],
      collect: () => {
        counter.reset();
        for (const { labels, count } of counts.values()) counter.inc(labels, count);
      },
    });
  }

  /** Costs little: it runs for every request, also for those that take microseconds. */
  readonly recordRequest = ({ method, route, status, seconds, isFromPageCache }: RequestFigures): void => {
    const statusClass = Math.floor(status / 100);
    const key = `${method} ${statusClass} ${route}`;
    let entry = this.#requests.get(key);
    if (entry === undefined) {
      const labels = { method: METHODS.has(method) ? method : 'other', route, status: `${statusClass}xx` };
      entry = { labels, count: 0 };
      this.#requests.set(key, entry);
    }
    entry.count += 1;
    if (!isFromPageCache) this.#requestSeconds.observe(entry.labels, seconds);
  };

  createCounter<Value extends string>({ name, help, label, values }: CounterDefinition<Value>): (value: Value) => void {
    const counter = new Counter({ name, help, labelNames: [label], registers: [this.#registry] });
    for (const value of values) counter.inc({ [label]: value }, 0);
    return (value) => counter.inc({ [label]: value });
  }

  createHistogram({ name, help, label }: TimerDefinition): Observe {
    const registers = [this.#registry];
    const histogram = new Histogram({ name, help, labelNames: [label, 'outcome'], buckets: BUCKETS, registers });
    return (value, outcome, seconds) => histogram.observe({ [label]: value, outcome }, seconds);
  }

  addSource({ definitions, read }: MetricSource): void {
    const metrics = Object.entries(definitions).map(([name, { help, label, isTotal }]) => {
      const options = { name, help, labelNames: label === undefined ? [] : [label], registers: [this.#registry] };
      return [name, { metric: isTotal === true ? new Counter(options) : new Gauge(options), label }] as const;
    });
    this.#sources.push({ read, metrics: new Map(metrics) });
  }

  /** All metrics as text. Concurrent callers share one reading. */
  read(): Promise<string> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #read(): Promise<string> {
    const isRead = await Promise.all(this.#sources.map((source) => this.#refresh(source)));
    this.#failedSources.set(isRead.filter((one) => !one).length);
    return this.#registry.metrics();
  }

  /** @returns whether the values could be read; otherwise the source has none */
  async #refresh({ read, metrics }: AddedSource): Promise<boolean> {
    const values = await withTimeout(read).catch((error: unknown) => {
      this.#log.debug({ err: error }, 'some metrics could not be read');
      return null;
    });
    for (const [name, { metric, label }] of metrics) {
      // Also values of the label that are gone. A metric without a label would be 0.
      metric.reset();
      const value = values?.[name];
      if (label === undefined) setPlain(metric, value);
      else
        for (const [key, one] of Object.entries(isNumber(value) ? {} : (value ?? {})))
          metric.inc({ [label]: key }, one);
    }
    return values !== null;
  }
}

const isNumber = (value: MetricValues[string]): value is number => typeof value === 'number';

/** An unknown number is NaN in Prometheus. A reset metric is 0. */
function setPlain(metric: Counter | Gauge, value: MetricValues[string]): void {
  if (isNumber(value)) metric.inc(value);
  else if (metric instanceof Gauge) metric.set(Number.NaN);
}

async function withTimeout<T>(read: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no response in time')), SOURCE_TIMEOUT_MS);
  });
  try {
    return await Promise.race([read(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
