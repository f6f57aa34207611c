/** Who made a change: a member of staff in a session, or somebody with a shell on the server. */
export type Actor =
  | {
      readonly kind: 'staff';
      readonly userId: string;
      readonly username: string;
      /** Client address as limits count it: IPv6 by /64. */
      readonly ip: string;
      readonly userAgent: string | null;
    }
  | {
      readonly kind: 'command';
      /** The npm script, such as 'stock'. */
      readonly name: string;
    };

/** The account of the actor; null for a command. */
export const getActorId = (actor: Actor): string | null => (actor.kind === 'staff' ? actor.userId : null);

/** The name as entries show it. */
export const getActorName = (actor: Actor): string =>
  actor.kind === 'staff' ? actor.username : `npm run ${actor.name}`;
