declare module 'pg/lib/utils.js' {
  /** A value as node-postgres sends it. @throws for a value that JSON cannot represent */
  export function prepareValue(value: unknown): string | Buffer | null;
}
