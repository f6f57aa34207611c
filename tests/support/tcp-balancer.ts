/** A load balancer for TCP: a connection goes to the first process that accepts it. */
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

export class TcpBalancer {
  readonly url: string;
  /** Ports of the processes, the preferred one first. */
  ports: readonly number[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.url = `http://127.0.0.1:${port}`;
    server.on('connection', (client) => {
      this.#keep(client);
      client.pause();
      this.#forward(client, this.ports);
    });
  }

  /** Listens on a free port. */
  static async open(): Promise<TcpBalancer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the address of a TCP server
    return new TcpBalancer(server, (server.address() as AddressInfo).port);
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => this.#sockets.delete(socket));
  }

  /** Destroys the client's connection if no process accepts it. */
  #forward(client: Socket, [port, ...others]: readonly number[]): void {
    if (port === undefined) return void client.destroy();
    const process = connect(port, '127.0.0.1');
    this.#keep(process);
    const tryNext = (): void => this.#forward(client, others);
    process.once('error', tryNext);
    process.once('connect', () => {
      process.off('error', tryNext);
      process.once('close', () => client.destroy());
      client.once('close', () => process.destroy());
      client.pipe(process).pipe(client);
    });
  }
}
