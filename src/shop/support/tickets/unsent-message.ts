/** A message that the shop has not stored yet, as a browser stores it. */
export interface UnsentMessage {
  /** Its author: it is never shown to another account. */
  readonly userId: string;
  /** Makes sending it again harmless. */
  readonly clientId: string;
  readonly ticketId: string;
  readonly text: string;
  /** ISO 8601. */
  readonly at: string;
  /** The newest message that was known then; null: none. */
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

/** Null for anything but what was stored as such. */
export function parseUnsent(text: string): UnsentMessage | null {
  const value = parseJson(text);
  if (!isRecord(value)) return null;
  const { userId, clientId, ticketId, text: words, at, behind } = value;
  if (typeof userId !== 'string' || typeof clientId !== 'string' || typeof ticketId !== 'string') return null;
  if (typeof words !== 'string' || typeof at !== 'string' || Number.isNaN(Date.parse(at))) return null;
  if (behind !== null && typeof behind !== 'string') return null;
  return { userId, clientId, ticketId, text: words, at, behind };
}
