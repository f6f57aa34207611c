/**
 * Executions of prepared statements. node-postgres asks for the columns of each execution; here they are those of the
 * first one on the connection, since PostgreSQL refuses a plan whose columns have changed.
 */
import { Query } from 'pg';
import type { Client, Connection } from 'pg';
import { prepareValue } from 'pg/lib/utils.js';

declare module 'pg' {
  interface Connection {
    /** Texts of the prepared statements of the connection, and of those that are being prepared. By name. */
    readonly parsedStatements: Record<string, string | undefined>;
    readonly submittedNamedStatements: Record<string, string | undefined>;
  }
}

type Parser = (text: string) => unknown;
interface Column {
  readonly name: string;
  readonly parse: Parser;
}
/** The columns of the prepared statements of one connection, by name. */
export type KnownColumns = Map<string, readonly Column[]>;

interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

interface PreparedResult {
  readonly command: string;
  readonly rowCount: number | null;
  readonly rows: readonly object[];
}

/** The types of node-postgres promise no more than `any`. */
const isParser = (value: unknown): value is Parser => typeof value === 'function';
const toText: Parser = (text) => text;

const COMMAND_TAG = /^([A-Z]+)(?: (\d+))?(?: (\d+))?/;
type Callback = (error: Error | null, result?: PreparedResult) => void;

/** One execution. The client of node-postgres calls its methods with the messages of the server. */
class PreparedQuery {
  readonly name: string;
  readonly text: string;
  readonly callback: Callback;
  readonly #values: (string | Buffer | null)[];
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
    this.#values = values.map((value) => prepareValue(value));
    this.#client = client;
    this.#known = known;
  }

  submit(connection: Connection): void {
    const { name, text } = this;
    this.#columns = this.#known.get(name);
    const { parsedStatements, submittedNamedStatements: submitted } = connection;
    if (parsedStatements[name] === undefined && submitted[name] === undefined) {
      connection.parse({ name, text, types: [] }, true);
      submitted[name] = text;
    }
    connection.bind({ statement: name, values: this.#values }, true);
    if (this.#columns === undefined) connection.describe({ type: 'P' }, true);
    connection.execute({}, true);
    connection.sync();
  }

  handleRowDescription({ fields }: { readonly fields: readonly { name: string; dataTypeID: number }[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => {
      const parse: unknown = this.#client.getTypeParser(dataTypeID, 'text');
      return { name, parse: isParser(parse) ? parse : toText };
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
}
// A client that pipelines accepts no other queries. The constructor of `Query` is not needed.
Object.setPrototypeOf(PreparedQuery.prototype, Query.prototype);

/**
 * Executes a statement, which is prepared at its first execution on the connection.
 * @throws also for a value that cannot be sent; nothing is sent then
 */
export const executePrepared = (
  client: Client,
  send: (query: PreparedQuery) => unknown,
  known: KnownColumns,
  statement: Statement,
): Promise<PreparedResult> =>
  new Promise((resolve, reject) => {
    send(
      new PreparedQuery(client, known, statement, (error, result) => {
        if (result === undefined) reject(error ?? new Error('a statement has no result'));
        else resolve(result);
      }),
    );
  });
