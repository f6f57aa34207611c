/**
 * Sent messages that are not among the stored ones. The channel can be faster than the response, or
 * the response can be lost.
 */
interface SentMessage {
  readonly text: string;
  /** Newest message when it was sent; null if there was none. */
  readonly behind: string | null;
}
interface StoredMessage {
  readonly id: string;
  readonly message: string;
}

/** @param stored messages of the own sender role */
export function findUnacknowledged<One extends SentMessage>(
  sent: readonly One[],
  stored: readonly StoredMessage[],
): readonly One[] {
  const matched = new Set<string>();
  return sent.filter(({ text, behind }) => {
    const match = stored.find(
      ({ id, message }) => message === text && (behind === null || id > behind) && !matched.has(id),
    );
    if (match) matched.add(match.id);
    return match === undefined;
  });
}
