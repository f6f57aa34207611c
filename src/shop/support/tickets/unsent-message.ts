/** A message stored in the browser until the server has stored it. */
export interface UnsentMessage {
  /** Author; the message is never shown to another account. */
  readonly userId: string;
  /** Makes retries idempotent. */
  readonly clientId: string;
  readonly ticketId: string;
  readonly text: string;
  /** ISO 8601. */
  readonly at: string;
  /** Newest message when it was written; null if there was none. */
  readonly behind: string | null;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Null if the text is not a stored unsent message. */
export function parseUnsent(text: string): UnsentMessage | null {
  const value = parseJson(text);
  if (!isRecord(value)) return null;
  const { userId, clientId, ticketId, text: words, at, behind } = value;
  if (typeof userId !== 'string' || typeof clientId !== 'string' || typeof ticketId !== 'string') return null;
  if (typeof words !== 'string' || typeof at !== 'string' || Number.isNaN(Date.parse(at))) return null;
  if (behind !== null && typeof behind !== 'string') return null;
  return { userId, clientId, ticketId, text: words, at, behind };
}
