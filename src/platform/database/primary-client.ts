/** A connection to the server that accepts writes, of those in DATABASE_URL. */
import { Client } from 'pg';
import type { DatabaseConnection } from './database-url.ts';
import { ReadOnlyServerError } from './server-list.ts';
import type { ServerAddress } from './server-list.ts';

const CHECK_TIMEOUT_MS = 2_000;
/** An idle connection to a machine without power is closed 15 s after its last byte. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 5_000 } as const;
/** PostgreSQL reports these at the start of a session. */
const READ_ONLY_PARAMETERS = new Set(['in_hot_standby', 'default_transaction_read_only']);

const isReadOnlyReport = (message: unknown): boolean =>
  typeof message === 'object' &&
  message !== null &&
  'parameterName' in message &&
  'parameterValue' in message &&
  READ_ONLY_PARAMETERS.has(String(message.parameterName)) &&
  message.parameterValue === 'on';

/** @throws ReadOnlyServerError, or why the server does not respond; then the connection is closed */
async function connectForWrites(
  client: Client,
  { host, port }: ServerAddress,
  connect: () => Promise<unknown>,
): Promise<void> {
  client.host = host;
  client.port = port;
  let isReadOnly = false;
  client.connection.on('parameterStatus', (message: unknown) => {
    isReadOnly ||= isReadOnlyReport(message);
  });
  await connect();
  if (!isReadOnly) return;
  await client.end();
  throw new ReadOnlyServerError(`the database server ${host}:${port} is read-only`);
}

/** Connects and closes the connection again. @throws as `connectForWrites` */
async function checkServer(config: DatabaseConnection, address: ServerAddress): Promise<void> {
  const client = new Client({ ...config, connectionTimeoutMillis: CHECK_TIMEOUT_MS });
  client.on('error', () => {});
  await connectForWrites(client, address, () => client.connect());
  void client.end();
}

/** A client of node-postgres. With `servers`, it connects to the one that accepts writes. */
export class PrimaryClient extends Client {
  readonly #config: DatabaseConnection;

  constructor(config: DatabaseConnection = {}) {
    super(config);
    this.#config = config;
  }

  override connect(): Promise<Client>;
  override connect(callback: ((error: Error) => void) | ((error: null, client: Client) => void)): void;
  override connect(callback?: (error: never, client: never) => void): Promise<Client> | undefined {
    const connected = this.#connect();
    if (callback === undefined) return connected;
    const call = (...result: readonly unknown[]): unknown => Reflect.apply(callback, undefined, result);
    void connected.then(
      () => call(null, this),
      (error: unknown) => call(error),
    );
    return undefined;
  }

  async #connect(): Promise<Client> {
    const { servers } = this.#config;
    if (servers === undefined) return super.connect();
    const address = await servers.find((each) => checkServer(this.#config, each));
    // A lost connection may be a lost server.
    this.on('error', () => servers.forget(address));
    try {
      await connectForWrites(this, address, () => super.connect());
    } catch (error) {
      servers.forget(address);
      throw error;
    }
    return this;
  }
}
