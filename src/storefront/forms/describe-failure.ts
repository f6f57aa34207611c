/** What a failed call says to the visitor: all sentences about a shop that does not respond, fails, or limits attempts. */
import { isApiFailure } from '../api.ts';
import { formatWait } from '../format-wait.ts';

export interface FailureWording {
  /** What the shop counts, in the plural. */
  readonly counted?: string;
  /** What is true although the call failed, as a sentence: 'You will not order twice.' */
  readonly assurance?: string;
}

/** The message with one full stop at its end. */
const toSentence = (message: string): string => `${message.replace(/\.$/, '')}.`;

/** Codes of failures whose message says nothing to the visitor. */
const UNEXPLAINED = new Set(['internal', 'unknown', '']);

/** Why a call failed for other reasons than what it asked for, such as an ended session. Null if the shop refused it. */
export function describeOutage(error: unknown, wording: FailureWording = {}): string | null {
  const assurance = wording.assurance === undefined ? '' : ` ${wording.assurance}`;
  if (!isApiFailure(error)) return `Something went wrong on our side. Try again in a moment.${assurance}`;
  const { code, message, retryAfterSeconds, status } = error;
  if (status === 0) return `The shop did not respond. Check your connection and try again.${assurance}`;
  // The link to the login page would leave the form.
  if (code === 'unauthenticated') return `You are logged out. Log in in another tab, then try again.${assurance}`;
  if (status === 429) return `Too many ${wording.counted ?? 'attempts'}. ${formatWait(retryAfterSeconds)}`;
  if (status < 500) return null;
  return UNEXPLAINED.has(code)
    ? `Something went wrong on our side. Try again in a moment.${assurance}`
    : toSentence(message);
}

/** Why a call failed, as a sentence. */
export function describeFailure(error: unknown, wording: FailureWording = {}): string {
  const outage = describeOutage(error, wording);
  return outage ?? toSentence(isApiFailure(error) ? error.message : '');
}

/** As `describeFailure`, with the refused fields, for forms that can't mark them. */
export function describeFailureWithFields(error: unknown): string {
  const problems = isApiFailure(error) && error.code === 'invalid' ? Object.entries(error.fields) : [];
  const named = problems.map(([name, problem]) => `${name} ${problem}`).join(', ');
  return named !== '' && isApiFailure(error) ? toSentence(`${error.message}: ${named}`) : describeFailure(error);
}
