import { createContext } from 'react-router';
import type { ApiCall } from '../api.ts';

/** The signed-in user. Always null on public pages: their HTML is the same for every visitor. */
interface Visitor {
  readonly user: {
    readonly id: string;
    readonly username: string;
    /** One of `ROLES` of the shop's permissions. */
    readonly role: string;
    /** The back office is closed until the visitor sets up a second factor. */
    readonly lacksSecondFactor: boolean;
    /** The back office is closed until the visitor sets a longer password. */
    readonly lacksLongPassword: boolean;
  } | null;
}

export interface PageContext {
  readonly call: ApiCall;
  readonly visitor: Visitor;
  /** Why the session of a member of the team ended, whose cookie the browser still has. Null: it did not. */
  readonly findSessionEnd: () => Promise<'idle' | 'too-old' | null>;
  /** Demo mode: nothing is sold, and the developer calls are available. */
  readonly isDemo: boolean;
  /** Whether payments come from the built-in devchain. */
  readonly hasDevchain: boolean;
}

/** Passed to every loader: `context.get(pageContext)`. */
export const pageContext = createContext<PageContext>();
