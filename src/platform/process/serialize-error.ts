/** Errors as the log shows them: without values of rows and of requests. */
import { stdSerializers } from 'pino';

/** What PostgreSQL adds to an error: the row, the statement and its context (protocol, error fields). */
const VALUE_FIELDS = new Set(['detail', 'hint', 'where', 'internalQuery', 'query', 'parameters', 'values']);
/** PostgreSQL error codes of class 22, data exception: the message quotes the value. */
const DATA_EXCEPTION = /^22[0-9A-Z]{3}$/;
const MAX_CAUSES = 5;

const isDataException = (error: object): boolean => DATA_EXCEPTION.test(String(Reflect.get(error, 'code')));

/** Without what is quoted. */
const hideQuoted = (text: string): string => text.replaceAll(/"[^"\n]*"?/g, '"…"');

type Fields = Readonly<Record<string, unknown>>;

function clean(error: Error, fields: Fields, causesLeft: number): Fields {
  const cleaned: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) if (!VALUE_FIELDS.has(name)) cleaned[name] = value;
  const causes = listCauses(error, causesLeft);
  // The stack of the serializer contains the messages of all causes.
  const hidden = [error, ...causes].filter(isDataException).map(({ message }) => message);
  const hide = (text: unknown): unknown =>
    typeof text === 'string'
      ? hidden.reduce((shown, message) => shown.replaceAll(message, () => hideQuoted(message)), text)
      : text;
  cleaned['message'] = hide(fields['message']);
  cleaned['stack'] = hide(fields['stack']);
  if (error instanceof AggregateError) {
    const errors = error.errors.filter((one) => one instanceof Error);
    cleaned['aggregateErrors'] = causesLeft === 0 ? [] : errors.map((one) => serialize(one, causesLeft - 1));
  }
  return cleaned;
}

/** The causes of an error, the nearest first. */
function listCauses({ cause }: Error, causesLeft: number): readonly Error[] {
  return cause instanceof Error && causesLeft > 0 ? [cause, ...listCauses(cause, causesLeft - 1)] : [];
}

const serialize = (error: Error, causesLeft: number): Fields =>
  clean(error, { ...stdSerializers.err(error) }, causesLeft);

/** For the field `err` of a line. Other values are not errors, and stay. */
export const serializeError = (error: unknown): unknown =>
  error instanceof Error ? serialize(error, MAX_CAUSES) : error;
