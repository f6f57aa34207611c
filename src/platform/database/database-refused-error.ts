/**
 * The database is not usable until an operator acts: a second shop on the same data, a schema newer
 * than the program, an inaccessible directory. The message is one line for the terminal.
 */
export class DatabaseRefusedError extends Error {
  override readonly name: string = 'DatabaseRefusedError';
}

/** The embedded database did not start. A later attempt may succeed. */
export class DatabaseStartError extends DatabaseRefusedError {
  override readonly name = 'DatabaseStartError';
}
