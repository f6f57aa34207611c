/** A member of staff in a session. */
export interface StaffActor {
  readonly kind: 'staff';
  readonly userId: string;
  readonly username: string;
  /** Client address as limits count it: IPv6 by /64. Null for a job that continues the change. */
  readonly ip: string | null;
  readonly userAgent: string | null;
  /** The key of the call. Entries name it as the actor; rows of the change belong to the account that created it. */
  readonly apiKey?: {
    readonly id: string;
    readonly name: string;
    readonly hasScope: (scope: string) => boolean;
  };
  /** When the password was last entered in the session. Without it: long ago. */
  readonly authenticatedAt?: Date;
}

/** Somebody with a shell on the server, or a job that runs by itself. */
interface CommandActor {
  readonly kind: 'command';
  /** The npm script, such as 'stock', or the job. */
  readonly name: string;
  readonly isJob?: boolean;
}

/** Who made a change. */
export type Actor = StaffActor | CommandActor;

/** The account of the actor; null for a command or job. */
export const getActorId = (actor: Actor): string | null => (actor.kind === 'staff' ? actor.userId : null);

/** The name as entries show it. */
export function getActorName(actor: Actor): string {
  if (actor.kind === 'command') return actor.isJob === true ? `Job: ${actor.name}` : `npm run ${actor.name}`;
  return actor.apiKey === undefined ? actor.username : `API key ${actor.apiKey.name}`;
}

export type ActorKind = 'staff' | 'command' | 'api-key';

/** Kind and id of the actor as entries store them: of an API key its own id. */
export function toStoredActor(actor: Actor): { readonly actorKind: ActorKind; readonly actorId: string | null } {
  if (actor.kind === 'command') return { actorKind: 'command', actorId: null };
  if (actor.apiKey !== undefined) return { actorKind: 'api-key', actorId: actor.apiKey.id };
  return { actorKind: 'staff', actorId: actor.userId };
}
