/**
 * Gives statements that come again and again a name, so that the database parses and plans each once for a connection
 * and not each time. What is sent otherwise stays as it is.
 */
import { Writable } from 'node:stream';
import type { PoolClient } from 'pg';

/** What nobody reads. */
const BEGIN_RESULT = Promise.resolve({ command: 'BEGIN', rowCount: null, rows: [] });
/** A statement that came so often will come again. */
const MIN_USES = 3;
/** Plans are kept by every connection: only so many statements, and no long ones, which are written once. */
const MAX_NAMES = 128;
const MAX_STATEMENT_LENGTH = 4_000;
const MAX_COUNTED = 2_000;

/** Names are the same in all connections of a process. */
export class PreparedStatementNames {
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  /** The name of a statement that has one. Asking counts as a use. */
  findName(text: string): string | null {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    if (this.#names.size >= MAX_NAMES || text.length > MAX_STATEMENT_LENGTH) return null;
    const count = (this.#counts.get(text) ?? 0) + 1;
    if (count < MIN_USES) {
      if (this.#counts.size >= MAX_COUNTED) this.#counts.clear();
      this.#counts.set(text, count);
      return null;
    }
    this.#counts.delete(text);
    const name = `shop_${this.#names.size + 1}`;
    this.#names.set(text, name);
    return name;
  }
}

/** Whether a kept plan does not fit its tables any more, or is gone: the connection must go, the work may be repeated. */
export function isStalePlan(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === '26000' || (error.code === '0A000' && error.message.startsWith('cached plan'));
}

/** Sends what follows in this turn together, so that the database is woken once. */
function createCork(client: PoolClient): () => void {
  const stream: unknown =
    'connection' in client && typeof client.connection === 'object' && client.connection !== null
      ? Reflect.get(client.connection, 'stream')
      : null;
  if (!(stream instanceof Writable)) return () => {};
  let isCorked = false;
  return () => {
    if (isCorked) return;
    isCorked = true;
    stream.cork();
    process.nextTick(() => {
      isCorked = false;
      stream.uncork();
    });
  };
}

/**
 * Names the statements of a connection: those with parameters that are sent for a promise, as Kysely sends them. A
 * transaction's begin goes along with what comes next: should it fail, the connection is gone, and so does that.
 */
export function prepareStatements(client: PoolClient, names: PreparedStatementNames): void {
  const send = client.query.bind(client);
  const cork = createCork(client);
  const named = (text: unknown, values: unknown, ...more: readonly unknown[]): unknown => {
    cork();
    if (text === 'begin') {
      // Without a transaction nothing that was sent behind it may count.
      send(text).catch(() => void client.end());
      return BEGIN_RESULT;
    }
    const isPlain = typeof text === 'string' && Array.isArray(values) && more.length === 0;
    const name = isPlain ? names.findName(text) : null;
    if (!isPlain || name === null) return Reflect.apply(send, client, [text, values, ...more]);
    const sent = send({ name, text, values });
    return sent.catch((error: unknown) => {
      // The pool gives it to nobody else.
      if (isStalePlan(error)) void client.end();
      throw error;
    });
  };
  Object.assign(client, { query: named });
}
