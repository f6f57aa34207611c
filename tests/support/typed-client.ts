/**
 * Generates a typed client from an OpenAPI document, as an integrator would, and checks programs that use it. Generators
 * from npm need the TypeScript 5 compiler as a library, which version 7 no longer has.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

type Json = Readonly<Record<string, unknown>>;

const run = promisify(execFile);
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const toObject = (value: unknown): Json => (isObject(value) ? value : {});

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** The TypeScript type of a JSON schema. */
function writeType(schema: unknown): string {
  if (!isObject(schema)) return 'unknown';
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => JSON.stringify(value)).join(' | ');
  const options = toList(schema['anyOf'] ?? schema['oneOf']);
  if (options.length > 0) return `(${options.map(writeType).join(' | ')})`;
  if (schema['type'] === 'array') return `readonly (${writeType(schema['items'])})[]`;
  if (schema['type'] === 'object') return writeObject(schema);
  return PRIMITIVES[String(schema['type'])] ?? 'unknown';
}

function writeObject({ properties, required, additionalProperties }: Json): string {
  if (!isObject(properties)) return `Readonly<Record<string, ${writeType(additionalProperties)}>>`;
  const names = new Set(toList(required));
  const fields = Object.entries(properties).map(
    ([name, schema]) => `readonly ${JSON.stringify(name)}${names.has(name) ? '' : '?'}: ${writeType(schema)};`,
  );
  return `{ ${fields.join(' ')} }`;
}

const readContent = (holder: unknown): unknown =>
  toObject(toObject(toObject(holder)['content'])['application/json'])['schema'];

/** Types of the calls that a key may make, and of the events, with a client that sends the key. */
function writeClient(document: Json): string {
  const calls = Object.entries(toObject(document['paths'])).flatMap(([path, operations]) =>
    Object.entries(toObject(operations)).flatMap(([method, operation]) => {
      const { security, responses, requestBody } = toObject(operation);
      if (!toList(security).some((one) => isObject(one) && 'apiKey' in one)) return [];
      const response = toObject(responses)['200'] ?? toObject(responses)['201'];
      const types = `body: ${writeType(readContent(requestBody))}; response: ${writeType(readContent(response))}`;
      return [`  ${JSON.stringify(`${method.toUpperCase()} ${path}`)}: { ${types} };`];
    }),
  );
  const events = Object.entries(toObject(document['webhooks'])).map(
    ([type, item]) =>
      `  ${JSON.stringify(type)}: ${writeType(readContent(toObject(toObject(item)['post'])['requestBody']))};`,
  );
  return `
export interface Calls {\n${calls.join('\n')}\n}
export interface Events {\n${events.join('\n')}\n}
export type Event = Events[keyof Events];
export async function send<Key extends keyof Calls>(
  shop: string, apiKey: string, key: Key, params: Readonly<Record<string, string>> = {}, body?: Calls[Key]['body'],
): Promise<Calls[Key]['response']> {
  const [method = '', template = ''] = key.split(' ');
  const path = template.replace(/\\{(\\w+)\\}/g, (_, name: string) => params[name] ?? '');
  const headers = { authorization: \`Bearer \${apiKey}\`, 'content-type': 'application/json' };
  const response = await fetch(\`\${shop}/api\${path}\`, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  if (!response.ok) throw new Error(String(response.status));
  return (await response.json()) as Calls[Key]['response'];
}
`;
}

const COMPILER_OPTIONS = {
  strict: true,
  noEmit: true,
  module: 'nodenext',
  target: 'es2024',
  allowImportingTsExtensions: true,
  types: ['node'],
};

export class TypedClient {
  readonly #directory: string;

  private constructor(directory: string) {
    this.#directory = directory;
  }

  static async generate(document: unknown): Promise<TypedClient> {
    assert.ok(isObject(document));
    const directory = await mkdtemp(join(tmpdir(), 'typed-client-'));
    await writeFile(join(directory, 'package.json'), '{"type":"module"}');
    await writeFile(join(directory, 'client.ts'), writeClient(document));
    await writeFile(
      join(directory, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ['*.ts'] }),
    );
    await symlink(resolve('node_modules'), join(directory, 'node_modules'));
    return new TypedClient(directory);
  }

  /** The errors of the compiler; empty if there are none. */
  async check(program: string): Promise<string> {
    await writeFile(join(this.#directory, 'program.ts'), program);
    try {
      await run(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', this.#directory]);
      return '';
    } catch (error) {
      return error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error);
    }
  }

  /** Runs the program that was checked last. Returns what it printed. */
  async run(args: readonly string[]): Promise<string> {
    const { stdout } = await run(process.execPath, [join(this.#directory, 'program.ts'), ...args]);
    return stdout.trim();
  }

  remove(): Promise<void> {
    return rm(this.#directory, { recursive: true });
  }
}
