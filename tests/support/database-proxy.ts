/** A TCP proxy before a database server, which can stop forwarding without closing a connection. */
import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { join } from 'node:path';
import type { EmbeddedConnection } from '#src/platform/database/embedded-postgres.ts';

export interface DatabaseProxyOptions {
  /** Reported as `server_version_num`, with six digits. */
  readonly version?: string;
  /** Stalls once, when a client has sent so much. */
  readonly stallAfterBytes?: number;
}

/** For DATABASE_URL: a server that listens on a socket in the file system or at a port. */
export function toDatabaseUrl({ host, port, user, password, database }: EmbeddedConnection): string {
  const login = [user, password].map(encodeURIComponent).join(':');
  // The parameter may be the directory of a socket.
  return `postgres://${login}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}

export class DatabaseProxy {
  readonly #connection: EmbeddedConnection;
  readonly #options: DatabaseProxyOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isStalled = false;
  #sentBytes = 0;
  #port = 0;

  private constructor(connection: EmbeddedConnection, options: DatabaseProxyOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#server = createServer((client) => this.#forward(client));
  }

  static async open(connection: EmbeddedConnection, options: DatabaseProxyOptions = {}): Promise<DatabaseProxy> {
    const proxy = new DatabaseProxy(connection, options);
    await new Promise<void>((resolve) => void proxy.#server.listen(0, '127.0.0.1', resolve));
    const address = proxy.#server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    proxy.#port = address.port;
    return proxy;
  }

  /** The database behind the proxy. */
  get connection(): EmbeddedConnection {
    return { ...this.#connection, host: '127.0.0.1', port: this.#port };
  }

  get url(): string {
    const { user, password, database } = this.#connection;
    return `postgres://${[user, password].map(encodeURIComponent).join(':')}@127.0.0.1:${this.#port}/${database}`;
  }

  get isStalled(): boolean {
    return this.#isStalled;
  }

  /** Forwards nothing any more, in either direction. Connections stay open, and new ones are accepted. */
  stall(): void {
    this.#isStalled = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Forwards also what was sent in the meantime. */
  resume(): void {
    this.#isStalled = false;
    for (const socket of this.#sockets) socket.resume();
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #forward(client: Socket): void {
    const { host, port } = this.#connection;
    const behind = host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host);
    for (const [one, other] of [[client, behind] as const, [behind, client] as const]) {
      this.#sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        this.#sockets.delete(one);
        other.destroy();
      });
      if (this.#isStalled) one.pause();
    }
    client.on('data', (chunk) => {
      behind.write(chunk);
      const limit = this.#options.stallAfterBytes ?? Infinity;
      const wasBelow = this.#sentBytes <= limit;
      this.#sentBytes += chunk.length;
      if (wasBelow && this.#sentBytes > limit) this.stall();
    });
    behind.on('data', (chunk) => {
      const { version } = this.#options;
      // A row with the version in text form.
      const text = (): string => chunk.toString('latin1').replaceAll(/1[5-9]\d{4}(?=[C\0])/g, version ?? '');
      client.write(version === undefined ? chunk : Buffer.from(text(), 'latin1'));
    });
  }
}
