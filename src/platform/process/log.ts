/** One JSON object a line on standard output. Never a body, a token, a password or a mail address in it. */
import { pino, stdTimeFunctions } from 'pino';

export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const SECRET_FIELDS = ['password', 'token', 'accessToken', 'authorization', 'cookie', 'secret', 'email', 'billing'];

/** @param level the least severe one that is written; `silent` writes nothing. */
export function openLog(level: 'debug' | 'info' | 'warn' | 'error' | 'silent'): Log {
  return pino({
    level,
    base: null,
    messageKey: 'message',
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    // A second belt: nothing is meant to log these.
    redact: { paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`]), remove: true },
  });
}
