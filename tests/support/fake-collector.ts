/** An OpenTelemetry collector that keeps what it receives, as OTLP over HTTP in JSON. */
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { keysAt, listAt, textAt, valueAt } from './read-json.ts';

export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first span of a trace. */
  readonly parentSpanId: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** `service.name` of the process. */
  readonly service: string;
}

/** Values are numbers or texts. */
const readAttributes = (list: readonly unknown[]): Record<string, unknown> =>
  Object.fromEntries(
    list.map((one) => {
      const [type = ''] = keysAt(one, 'value');
      return [textAt(one, 'key'), valueAt(one, 'value', type)];
    }),
  );

function listSpans(body: unknown): ReceivedSpan[] {
  return listAt(body, 'resourceSpans').flatMap((resource) => {
    const service = String(readAttributes(listAt(resource, 'resource', 'attributes'))['service.name']);
    return listAt(resource, 'scopeSpans').flatMap((scope) =>
      listAt(scope, 'spans').map((span) => ({
        name: textAt(span, 'name'),
        traceId: textAt(span, 'traceId'),
        spanId: textAt(span, 'spanId'),
        parentSpanId: keysAt(span).includes('parentSpanId') ? textAt(span, 'parentSpanId') : '',
        attributes: readAttributes(listAt(span, 'attributes')),
        service,
      })),
    );
  });
}

export class FakeCollector {
  readonly spans: ReceivedSpan[] = [];
  readonly paths = new Set<string>();
  /** Everything that was sent. */
  received = '';
  status = 200;
  readonly #server = createServer((request, response) => {
    void this.#take(request).then(() =>
      response.writeHead(this.status, { 'content-type': 'application/json' }).end('{}'),
    );
  });

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the collector does not listen');
    return `http://127.0.0.1:${address.port}`;
  }

  async open(): Promise<void> {
    await new Promise((resolve) => this.#server.listen(0, '127.0.0.1', () => resolve(null)));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(request: IncomingMessage): Promise<void> {
    this.paths.add(request.url ?? '');
    let text = '';
    for await (const chunk of request) text += String(chunk);
    if (this.status !== 200) return;
    this.received += text;
    this.spans.push(...listSpans(JSON.parse(text)));
  }
}
