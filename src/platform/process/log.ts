/** Writes one JSON object per line to standard output. Never log a body, token, password or mail address. */
import { pino, stdTimeFunctions } from 'pino';

export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const SECRET_FIELDS = ['password', 'token', 'accessToken', 'authorization', 'cookie', 'secret', 'email', 'billing'];

/** @param level the least severe level that is written; `silent` writes nothing */
export function openLog(level: 'debug' | 'info' | 'warn' | 'error' | 'silent'): Log {
  return pino({
    level,
    base: null,
    messageKey: 'message',
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    // A safeguard: no code should log these fields.
    redact: { paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`]), remove: true },
  });
}
