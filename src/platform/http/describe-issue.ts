/** The messages of values that a contract refuses. Each follows the name of its field, as in 'email is required'. */
import type { z } from 'zod';

type Issue = z.core.$ZodRawIssue;

const TYPES: Readonly<Record<string, string>> = {
  string: 'must be text',
  number: 'must be a number',
  int: 'must be a whole number',
  bigint: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  tuple: 'must be a list',
  object: 'must be an object',
  record: 'must be an object',
  date: 'must be a date',
  null: 'must be empty',
};

const FORM = 'does not have the required form';
const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'must be an id',
  email: 'must be an email address',
  url: 'must be a web address',
  datetime: 'must be a date and time such as 2026-03-01T12:00:00Z',
  date: 'must be a date such as 2026-03-01',
};

const MAX_LISTED = 20;
const UNITS: Readonly<Record<string, string>> = { string: 'character', array: 'entry', set: 'entry', map: 'entry' };

const formatLimit = (limit: number | bigint): string =>
  typeof limit === 'bigint' || Number.isInteger(limit) ? String(limit) : limit.toFixed(8).replace(/0+$/, '');

function count(amount: number | bigint, unit: string): string {
  if (Number(amount) === 1) return `1 ${unit}`;
  return `${formatLimit(amount)} ${unit.endsWith('y') ? `${unit.slice(0, -1)}ies` : `${unit}s`}`;
}

const isUnbounded = (limit: number | bigint): boolean => Math.abs(Number(limit)) >= Number.MAX_SAFE_INTEGER;

function describeLimit(
  { origin, exact, inclusive }: { readonly origin: string; readonly exact?: boolean; readonly inclusive?: boolean },
  limit: number | bigint,
  side: 'most' | 'least',
): string {
  const unit = UNITS[origin];
  if (unit !== undefined) return `must have ${exact === true ? 'exactly' : `at ${side}`} ${count(limit, unit)}`;
  if (isUnbounded(limit)) return side === 'most' ? 'must be a smaller number' : 'must be a larger number';
  if (inclusive === false)
    return side === 'most' ? `must be less than ${formatLimit(limit)}` : `must be more than ${formatLimit(limit)}`;
  return `must be at ${side} ${formatLimit(limit)}`;
}

function describeChoice(values: readonly unknown[]): string {
  const [first] = values;
  if (values.length > MAX_LISTED) return 'is none of the allowed values';
  return values.length === 1 ? `must be ${String(first)}` : `must be one of ${values.map(String).join(', ')}`;
}

function describe(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[issue.expected] ?? 'has a value of another type';
    case 'invalid_value':
      return describeChoice(issue.values);
    case 'too_big':
      return describeLimit(issue, issue.maximum, 'most');
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'is required';
      return describeLimit(issue, issue.minimum, 'least');
    case 'invalid_format':
      return FORMATS[issue.format] ?? FORM;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return 'has fields that are not known';
    case 'invalid_union':
      return 'has none of the allowed forms';
    default:
      return 'is not valid';
  }
}

/** The message of an issue without one of its schema. It never contains what was sent. */
export function describeIssue(issue: Issue): string {
  const isMissing =
    issue.input === undefined && ['invalid_type', 'invalid_value', 'invalid_union'].includes(issue.code);
  return isMissing ? 'is required' : describe(issue);
}
