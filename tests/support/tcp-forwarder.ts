/**
 * A process that forwards connections to a port and prints a line per event. While it is suspended
 * its accept queue of two fills up, and further connections hang.
 */
import { connect, createServer } from 'node:net';

const port = Number(process.argv[2]);
const say = (line: string): void => void process.stdout.write(`${line}\n`);
let count = 0;

const server = createServer((client) => {
  const id = (count += 1);
  const upstream = connect(port, '127.0.0.1');
  say(`open ${id}`);
  client.once('data', () => say(`used ${id}`));
  client.on('error', () => {});
  client.on('close', () => upstream.destroy());
  upstream.on('error', () => {});
  upstream.on('close', () => say(`closed ${id}`));
  client.pipe(upstream).pipe(client);
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  const address = server.address();
  if (typeof address === 'object') say(`port ${address?.port}`);
});
