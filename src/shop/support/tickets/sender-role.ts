/** Sender roles of ticket messages, derived from the account and never from the request. */
export type SenderRole = 'user' | 'support';

export interface Sender {
  readonly userId: string;
  readonly isStaff: boolean;
}

/** Roles that a sender may take in a ticket; empty if the sender has no access. */
export function listSenderRoles(sender: Sender, ownerId: string): readonly SenderRole[] {
  const isOwner = sender.userId === ownerId;
  return [...(isOwner ? (['user'] as const) : []), ...(sender.isStaff ? (['support'] as const) : [])];
}

/**
 * Role of a message: the requested one if the sender may take it, otherwise the first.
 * @param sides at least one
 */
export function chooseSenderRole(sides: readonly SenderRole[], requested: SenderRole | undefined): SenderRole | null {
  if (requested === undefined) return sides[0] ?? null;
  return sides.includes(requested) ? requested : null;
}
