/** A proxy between shop and database that records statements, read from the PostgreSQL protocol. */
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { EmbeddedConnection } from '#src/platform/database/embedded-postgres.ts';

const HEADER_BYTES = 5;

/** Null-terminated strings at the start of a message body. */
const listTexts = (body: Buffer): string[] => body.toString('latin1').split('\0');

/**
 * Reads one connection: a first message without a type, then messages with type, length and
 * body.
 */
export function createStatementReader(note: (statement: string) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let isStarted = false;
  const statements = new Map<string, string>();
  let bound = '';
  const read = (type: string, body: Buffer): void => {
    const [first = '', second = ''] = listTexts(body);
    if (type === 'Q') note(first);
    else if (type === 'P') statements.set(first, second);
    else if (type === 'B') bound = statements.get(second) ?? '';
    else if (type === 'E') note(bound);
  };
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const start = isStarted ? 1 : 0;
      if (rest.length < HEADER_BYTES || rest.length < start + rest.readUInt32BE(start)) return;
      const end = start + rest.readUInt32BE(start);
      if (isStarted) read(String.fromCharCode(rest[0] ?? 0), rest.subarray(HEADER_BYTES, end));
      isStarted = true;
      rest = rest.subarray(end);
    }
  };
}

export interface StatementProxy {
  /** For DATABASE_URL. */
  readonly url: string;
  /** In the order in which they were sent. */
  readonly statements: string[];
  close(): Promise<void>;
}

/** @param connection of the server, which listens on a socket in the file system or at a port. */
export async function startStatementProxy(connection: EmbeddedConnection): Promise<StatementProxy> {
  const { host, port, user, password, database } = connection;
  const statements: string[] = [];
  const open = new Set<Socket>();
  const server = createServer((shop) => {
    const behind = host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host);
    const read = createStatementReader((statement) => void statements.push(statement));
    for (const [one, other] of [[shop, behind] as const, [behind, shop] as const]) {
      open.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
    shop.on('data', read);
    shop.pipe(behind).pipe(shop);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const listening = server.address();
  if (listening === null || typeof listening === 'string') throw new Error('no port');
  return {
    url: `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${listening.port}/${database}`,
    statements,
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}
