/** Writes one JSON object per line. Never log a body, token, password or mail address. */
import { pino, stdTimeFunctions } from 'pino';
import type { LoggerOptions } from 'pino';
import { serializeError } from './serialize-error.ts';

export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const SECRET_FIELDS = ['password', 'token', 'accessToken', 'authorization', 'cookie', 'secret', 'email', 'billing'];

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Receives one line, with its line break. */
export interface LogDestination {
  write(line: string): void;
}

/**
 * @param level the least severe level that is written; `silent` writes nothing
 * @param destination default: standard output
 */
export function openLog(level: LogLevel, destination?: LogDestination): Log {
  const options: LoggerOptions = {
    level,
    base: null,
    messageKey: 'message',
    timestamp: stdTimeFunctions.isoTime,
    serializers: { err: serializeError },
    formatters: { level: (label) => ({ level: label }) },
    // A safeguard: no code should log these fields.
    redact: { paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`]), remove: true },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
