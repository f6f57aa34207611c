/** Serves the OpenAPI 3.1 document of a contract and a page with it. Each is created at its first request. */
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Contract, Endpoint } from './endpoint.ts';

type Json = Record<string, unknown>;

export interface ApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly errorBody: z.ZodType;
}

/** A request that the server sends to other systems. */
interface WebhookDescription {
  readonly summary: string;
  readonly body: z.ZodType;
}

export interface ApiAccess {
  /** Whether a call needs no login. */
  readonly isOpen: (key: string) => boolean;
  /** The scope of an API key that permits a call; null: no key may make it. */
  readonly findScope: (key: string) => string | null;
  /** Scopes with what they permit. */
  readonly scopes: Readonly<Record<string, string>>;
  /** By the type of the event. */
  readonly webhooks: () => Readonly<Record<string, WebhookDescription>>;
}

// Wire values are the input side of every codec, in requests and responses.
function toJsonSchema(schema: z.ZodType): Json {
  const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return jsonSchema;
}

function listParameters(schema: z.ZodObject | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = toJsonSchema(schema) as { properties?: Json; required?: string[] };
  return Object.entries(properties).map(([name, value]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: value,
  }));
}

const createJsonContent = (schema: Json): Json => ({ content: { 'application/json': { schema } } });

function createRequestBody({ body, bodyType, isBodyOptional = false }: Endpoint): Json {
  if (bodyType === 'binary') return { requestBody: { required: true, content: { 'application/octet-stream': {} } } };
  return body ? { requestBody: { required: !isBodyOptional, ...createJsonContent(toJsonSchema(body)) } } : {};
}

const FILE_TYPES: Readonly<Record<NonNullable<Endpoint['responseType']>, readonly string[]>> = {
  csv: ['text/csv'],
  pdf: ['application/pdf'],
  jpeg: ['image/jpeg'],
  'pdf-or-jpeg': ['application/pdf', 'image/jpeg'],
  backup: ['application/octet-stream'],
};

const createResponseContent = ({ response, responseType }: Endpoint): Json =>
  responseType === undefined
    ? createJsonContent(toJsonSchema(response))
    : { content: Object.fromEntries(FILE_TYPES[responseType].map((type) => [type, {}])) };

/** Refusal codes by status. */
function listRefusals({ body, bodyType, query, refusals }: Endpoint): Record<string, string> {
  return {
    ...(body || bodyType || query ? { 400: 'invalid' } : {}),
    401: 'unauthenticated',
    ...refusals,
    429: 'too-often',
  };
}

function listSecurity(key: string, { findScope, isOpen }: ApiAccess): Json[] {
  const scope = findScope(key);
  return [...(isOpen(key) ? [{}] : []), { bearer: [] }, ...(scope === null ? [] : [{ apiKey: [scope] }])];
}

function createOperation(key: string, endpoint: Endpoint, access: ApiAccess): Json {
  const error = { $ref: '#/components/schemas/Error' };
  return {
    operationId: key.replaceAll(/[^a-zA-Z]+(\w)?/g, (_, next: string | undefined) => (next ?? '').toUpperCase()),
    summary: endpoint.summary,
    tags: [key.split('/')[1]],
    parameters: [...listParameters(endpoint.params, 'path'), ...listParameters(endpoint.query, 'query')],
    ...createRequestBody(endpoint),
    responses: {
      [endpoint.status ?? 200]: { description: 'Success', ...createResponseContent(endpoint) },
      ...Object.fromEntries(
        Object.entries(listRefusals(endpoint)).map(([status, codes]) => [
          status,
          { description: codes, ...createJsonContent(error) },
        ]),
      ),
    },
    security: listSecurity(key, access),
  };
}

const WEBHOOK_HEADERS = {
  'webhook-id': 'Id of the event; the same in each attempt',
  'webhook-timestamp': 'Time of the attempt, in seconds since 1970',
  'webhook-signature': 'v1,<base64> of HMAC-SHA256 over id.timestamp.body; two during a rotation, with a space between',
};

const createWebhook = ({ summary, body }: WebhookDescription): Json => ({
  post: {
    summary,
    parameters: Object.entries(WEBHOOK_HEADERS).map(([name, description]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
    })),
    requestBody: { required: true, ...createJsonContent(toJsonSchema(body)) },
    responses: {
      '2XX': { description: 'Received. Anything else, redirects included, is repeated for three days' },
      410: { description: 'Gone: disables the endpoint' },
    },
  },
});

const describeScopes = (scopes: ApiAccess['scopes']): string =>
  Object.entries(scopes)
    .map(([name, text]) => `- \`${name}\`: ${text}`)
    .join('\n');

function createOpenApi(contract: Contract, access: ApiAccess, info: ApiInfo): Json {
  const paths: Record<string, Json> = {};
  for (const [key, endpoint] of Object.entries(contract)) {
    const [method = '', path = ''] = key.split(' ');
    paths[path] = { ...paths[path], [method.toLowerCase()]: createOperation(key, endpoint, access) };
  }
  return {
    openapi: '3.1.0',
    info: { title: info.title, version: info.version, description: info.description },
    servers: [{ url: '/api' }],
    paths,
    webhooks: Object.fromEntries(
      Object.entries(access.webhooks()).map(([type, webhook]) => [type, createWebhook(webhook)]),
    ),
    components: {
      schemas: { Error: toJsonSchema(info.errorBody) },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The token of a login' },
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'cmk_live_…',
          description: `An API key. A call names the scope that the key needs:\n${describeScopes(access.scopes)}`,
        },
      },
    },
  };
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:2rem 1rem}
h1{font-size:2rem;line-height:1.1}summary{cursor:pointer;padding:.75rem 0;display:flex;gap:1rem;flex-wrap:wrap}details{border-top:1px solid #8884}
summary code:first-child{font-weight:700;min-width:4rem}pre{overflow:auto;padding:1rem;border-radius:12px;background:#8881;font-size:.875rem}
dt{font-weight:600;margin-top:.75rem}dd{margin:0}`;

function renderSection(key: string, endpoint: Endpoint): string {
  const [method = '', path = ''] = key.split(' ');
  const renderPart = (title: string, schema: z.ZodType | undefined): string =>
    schema ? `<dt>${title}</dt><dd><pre>${escape(JSON.stringify(toJsonSchema(schema), null, 2))}</pre></dd>` : '';
  const statuses = [[String(endpoint.status ?? 200), 'Success'], ...Object.entries(listRefusals(endpoint))]
    .map(([status = '', text = '']) => `<li><code>${status}</code> ${escape(text)}</li>`)
    .join('');
  return `<details><summary><code>${method}</code><code>/api${escape(path)}</code><span>${escape(endpoint.summary)}</span></summary>
<dl>${renderPart('Path', endpoint.params)}${renderPart('Query', endpoint.query)}${renderPart('Body', endpoint.body)}${renderPart('Answer', endpoint.response)}
<dt>Statuses</dt><dd><ul>${statuses}</ul></dd></dl></details>`;
}

function renderDocsPage(contract: Contract, info: ApiInfo): string {
  const sections = Object.entries(contract).map(([key, endpoint]) => renderSection(key, endpoint));
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escape(info.title)}</title><style>${STYLE}</style></head><body><main><h1>${escape(info.title)}</h1>
<p>${escape(info.description)}</p><p><a href="/api/openapi.json">OpenAPI 3.1 document</a></p>${sections.join('\n')}</main></body></html>`;
}

/** The title can change; a text is created again only then. */
function createOncePerTitle(readInfo: () => ApiInfo, create: (info: ApiInfo) => string): () => string {
  let created: { readonly title: string; readonly text: string } | null = null;
  return () => {
    const info = readInfo();
    if (created?.title !== info.title) created = { title: info.title, text: create(info) };
    return created.text;
  };
}

export function registerApiDocs(
  server: FastifyInstance,
  contract: Contract,
  access: ApiAccess,
  readInfo: () => ApiInfo,
): void {
  // Creating both would take a tenth of the start.
  const readJson = createOncePerTitle(readInfo, (info) => JSON.stringify(createOpenApi(contract, access, info)));
  const readPage = createOncePerTitle(readInfo, (info) => renderDocsPage(contract, info));
  const styleHash = createHash('sha256').update(STYLE).digest('base64');
  server.get('/api/openapi.json', (_request, reply) => {
    return reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(readJson());
  });
  server.get('/api/docs', (_request, reply) => {
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header(
        'content-security-policy',
        `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      )
      .send(readPage());
  });
}
