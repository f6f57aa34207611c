/** A member of staff in a session. */
export interface StaffActor {
  readonly kind: 'staff';
  readonly userId: string;
  readonly username: string;
  /** Client address as limits count it: IPv6 by /64. Null for a job that continues the change. */
  readonly ip: string | null;
  readonly userAgent: string | null;
}

/** Somebody with a shell on the server. */
interface CommandActor {
  readonly kind: 'command';
  /** The npm script, such as 'stock'. */
  readonly name: string;
}

/** Who made a change. */
export type Actor = StaffActor | CommandActor;

/** The account of the actor; null for a command. */
export const getActorId = (actor: Actor): string | null => (actor.kind === 'staff' ? actor.userId : null);

/** The name as entries show it. */
export const getActorName = (actor: Actor): string =>
  actor.kind === 'staff' ? actor.username : `npm run ${actor.name}`;
