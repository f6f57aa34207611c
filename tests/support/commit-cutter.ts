/** A TCP proxy before a database server that cuts a connection at the commit of an order. */
import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { join } from 'node:path';
import type { EmbeddedConnection } from '#src/platform/database/embedded-postgres.ts';
import { createStatementReader } from './statement-proxy.ts';

/** `before`: the commit does not arrive. `after`: it is executed, but its response does not arrive. */
export type Cut = 'before' | 'after';

const INSERT_ORDER = /insert\s+into\s+"?orders"?\s/i;

export class CommitCutter {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  readonly url: string;
  /** Number of cut connections. */
  cuts = 0;
  #next: Cut | null = null;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async open(connection: EmbeddedConnection): Promise<CommitCutter> {
    const server = createServer();
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const { host, port, user, password, database } = connection;
    const url = `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${address.port}/${database}`;
    const cutter = new CommitCutter(server, url);
    server.on('connection', (client) => {
      const behind = host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host);
      cutter.#forward(client, behind);
    });
    return cutter;
  }

  /** Cuts the connection of the next order. */
  cutNext(cut: Cut): void {
    this.#next = cut;
  }

  async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #forward(client: Socket, behind: Socket): void {
    let isOrder = false;
    let cut: Cut | null = null;
    const read = createStatementReader((statement) => {
      if (INSERT_ORDER.test(statement)) isOrder = true;
      if (!/^commit\b/i.test(statement)) return;
      if (isOrder && this.#next !== null) {
        cut = this.#next;
        this.#next = null;
        this.cuts += 1;
      }
      isOrder = false;
    });
    for (const [one, other] of [[client, behind] as const, [behind, client] as const]) {
      this.#open.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
    client.on('data', (chunk) => {
      read(chunk);
      if (cut === 'before') client.destroy();
      else behind.write(chunk);
    });
    // The first response after the commit is that of the commit.
    behind.on('data', (chunk) => {
      if (cut === 'after') client.destroy();
      else client.write(chunk);
    });
  }
}
