/** Which side of a ticket somebody speaks for: never what a request says of itself, only what its sender is. */
export type SenderRole = 'user' | 'support';

export interface Sender {
  readonly userId: string;
  readonly isStaff: boolean;
}

/** Which sides a sender may speak for; none: the ticket is not there for them. */
export function listSenderRoles(sender: Sender, ownerId: string): readonly SenderRole[] {
  const isOwner = sender.userId === ownerId;
  return [...(isOwner ? (['user'] as const) : []), ...(sender.isStaff ? (['support'] as const) : [])];
}

/**
 * The side of a message: the one that was asked for if the sender may take it, or the first of theirs.
 * @param sides at least one.
 */
export function chooseSenderRole(sides: readonly SenderRole[], asked: SenderRole | undefined): SenderRole | null {
  if (asked === undefined) return sides[0] ?? null;
  return sides.includes(asked) ? asked : null;
}
