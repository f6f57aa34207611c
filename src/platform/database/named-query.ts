/**
 * Executions of prepared statements. node-postgres asks for the description of the columns each time and writes four
 * messages; here the description is that of the first execution, since it belongs to the plan, and the messages are
 * one buffer.
 */
import { Query } from 'pg';
import type { Client, Connection } from 'pg';
import { encodeExecution, encodeValues } from './encode-execution.ts';
import type { EncodedValue } from './encode-execution.ts';

declare module 'pg' {
  interface Connection {
    /** Texts of the prepared statements of the connection, and of those that are being prepared. By name. */
    readonly parsedStatements: Record<string, string | undefined>;
    readonly submittedNamedStatements: Record<string, string | undefined>;
  }
}

interface Column {
  readonly name: string;
  readonly parse: (text: string) => unknown;
}
/** The columns of the prepared statements of one connection, by name. */
export type KnownColumns = Map<string, readonly Column[]>;

interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly EncodedValue[];
}

interface NamedResult {
  readonly command: string;
  readonly rowCount: number | null;
  readonly rows: readonly object[];
}

const COMMAND_TAG = /^([A-Z]+)(?: (\d+))?(?: (\d+))?/;
type Callback = (error: Error | null, result?: NamedResult) => void;

/** One execution. The client of node-postgres calls its methods with the messages of the server. */
class NamedQuery {
  readonly name: string;
  readonly text: string;
  readonly callback: Callback;
  readonly #values: readonly EncodedValue[];
  readonly #client: Client;
  readonly #known: KnownColumns;
  readonly #rows: object[] = [];
  #columns: readonly Column[] | undefined;
  #tag = '';
  #failure: Error | null = null;

  constructor(client: Client, known: KnownColumns, { name, text, values }: Statement, callback: Callback) {
    this.name = name;
    this.text = text;
    this.callback = callback;
    this.#values = values;
    this.#client = client;
    this.#known = known;
  }

  submit(connection: Connection): void {
    const { name, text } = this;
    const { parsedStatements, submittedNamedStatements: submitted } = connection;
    if (parsedStatements[name] === undefined && submitted[name] === undefined) {
      connection.parse({ name, text, types: [] }, true);
      submitted[name] = text;
    }
    this.#columns = this.#known.get(name);
    connection.stream.write(encodeExecution(name, this.#values, this.#columns === undefined));
  }

  handleRowDescription({ fields }: { readonly fields: readonly { name: string; dataTypeID: number }[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => {
      const parser: unknown = this.#client.getTypeParser(dataTypeID, 'text');
      return {
        name,
        parse: (text) => (typeof parser === 'function' ? Reflect.apply(parser, undefined, [text]) : text),
      };
    });
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const columns = this.#columns ?? [];
    const row: Record<string, unknown> = {};
    try {
      for (let at = 0; at < columns.length; at += 1) {
        const column = columns[at];
        const text = fields[at] ?? null;
        if (column !== undefined) row[column.name] = text === null ? null : column.parse(text);
      }
      this.#rows.push(row);
    } catch (error) {
      this.#failure ??= error instanceof Error ? error : new Error(String(error));
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#tag = text;
  }

  handleReadyForQuery(): void {
    if (this.#failure !== null) {
      this.callback(this.#failure);
      return;
    }
    // A statement without rows has no description.
    this.#known.set(this.name, this.#columns ?? []);
    const [, command = '', first, second] = COMMAND_TAG.exec(this.#tag) ?? [];
    const count = second ?? first;
    this.callback(null, { command, rowCount: count === undefined ? null : Number(count), rows: this.#rows });
  }

  handleError(error: Error): void {
    this.callback(error);
  }

  handleEmptyQuery(): void {}
}
// A client that pipelines accepts no other queries. The constructor of `Query` is not needed.
Object.setPrototypeOf(NamedQuery.prototype, Query.prototype);

/**
 * Executes a statement, which is prepared at its first execution on the connection. Null if it has a value that only
 * node-postgres encodes.
 */
export function executeNamed(
  client: Client,
  send: (query: NamedQuery) => unknown,
  known: KnownColumns,
  { name, text, values }: { readonly name: string; readonly text: string; readonly values: readonly unknown[] },
): Promise<NamedResult> | null {
  const encoded = encodeValues(values);
  if (encoded === null) return null;
  return new Promise((resolve, reject) => {
    send(
      new NamedQuery(client, known, { name, text, values: encoded }, (error, result) => {
        if (result === undefined) reject(error ?? new Error('a query has no result'));
        else resolve(result);
      }),
    );
  });
}
