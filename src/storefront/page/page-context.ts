import { createContext } from 'react-router';
import type { ApiCall } from '../api.ts';

/** Who asks for a page. Always null on public pages: their HTML is the same for everybody. */
interface Visitor {
  readonly user: {
    readonly id: string;
    readonly username: string;
    readonly role: 'customer' | 'staff' | 'owner';
  } | null;
}

export interface PageContext {
  readonly call: ApiCall;
  readonly visitor: Visitor;
  /** The shop is there to be tried out: nothing is sold, and the developer’s calls answer. */
  readonly isDemo: boolean;
  /** Whether payments come from the demo's own chain. */
  readonly hasDevchain: boolean;
}

/** What the server hands to every loader: `context.get(pageContext)`. */
export const pageContext = createContext<PageContext>();
