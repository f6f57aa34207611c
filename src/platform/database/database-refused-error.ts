/**
 * The database cannot be used as things are, and somebody has to decide: a second shop on the same data, a schema newer
 * than the program, a directory that nobody may enter. The message is one line for the person at the terminal.
 */
export class DatabaseRefusedError extends Error {
  override readonly name: string = 'DatabaseRefusedError';
}

/** The embedded database does not start as things are; a later attempt may succeed. */
export class DatabaseStartError extends DatabaseRefusedError {
  override readonly name = 'DatabaseStartError';
}
