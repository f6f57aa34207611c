/** Which of the messages that one has sent are not among those that are kept: the channel may be quicker than the answer, or the answer got lost. */
interface SentMessage {
  readonly text: string;
  /** The newest message that was known when it was sent; null: none. */
  readonly behind: string | null;
}
interface StoredMessage {
  readonly id: string;
  readonly message: string;
}

/** @param kept of one's own side. */
export function findUnacknowledged<One extends SentMessage>(
  sent: readonly One[],
  kept: readonly StoredMessage[],
): readonly One[] {
  const taken = new Set<string>();
  return sent.filter(({ text, behind }) => {
    const found = kept.find(
      ({ id, message }) => message === text && (behind === null || id > behind) && !taken.has(id),
    );
    if (found) taken.add(found.id);
    return found === undefined;
  });
}
