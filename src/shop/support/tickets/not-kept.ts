/** Which of the messages that one has sent are not among those that are kept: the channel may be quicker than the answer, or the answer got lost. */
interface Sent {
  readonly text: string;
  /** The newest message that was known when it was sent; null: none. */
  readonly behind: string | null;
}
interface Kept {
  readonly id: string;
  readonly message: string;
}

/** @param kept of one's own side. */
export function notKept<One extends Sent>(sent: readonly One[], kept: readonly Kept[]): readonly One[] {
  const taken = new Set<string>();
  return sent.filter(({ text, behind }) => {
    const found = kept.find(
      ({ id, message }) => message === text && (behind === null || id > behind) && !taken.has(id),
    );
    if (found) taken.add(found.id);
    return found === undefined;
  });
}
