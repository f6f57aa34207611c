/** What the pages' bundle offers beside React Router's own, checked once when it is loaded. */
import type { EntryContext, RouterContext, RouterContextProvider, ServerBuild } from 'react-router';

/** A page as the bundle renders it. */
export interface RenderedPage {
  /** From the beginning to the end of the head, which is not closed. */
  readonly head: string;
  /** From the end of the head to the end of the body, which is not closed; what is bytes already was made earlier. */
  readonly body: readonly (string | Uint8Array)[];
  /** What its loaders answered, in React Router's own form, which is JSON. */
  readonly data: string;
  /** What React Router's scripts want to know of the build, as JSON. */
  readonly handoff: string;
  /** Its routes, from the outermost, and how many of them are shown: behind one that failed there is none. */
  readonly routeIds: readonly string[];
  readonly shown: number;
}

/** Renders what the loaders answered, in one go. The data is not in the context but written by whoever calls. */
type RenderDocument = (
  request: Request,
  status: number,
  context: EntryContext,
  loadContext: RouterContextProvider,
) => Omit<RenderedPage, 'data' | 'handoff'>;

export interface PageBundle {
  /** The key under which the bundle's own loaders look: it must come from the bundle, which has its own copy of it. */
  readonly pageContext: RouterContext;
  /** Comes first of all, before anything is painted. */
  readonly firstInHead: string;
  readonly renderDocument: RenderDocument;
}

function isPageBundle(module: object): module is PageBundle {
  return (
    'pageContext' in module &&
    typeof module.pageContext === 'object' &&
    'firstInHead' in module &&
    typeof module.firstInHead === 'string' &&
    'renderDocument' in module &&
    typeof module.renderDocument === 'function'
  );
}

export function getPageBundle({ entry: { module } }: ServerBuild): PageBundle {
  if (!isPageBundle(module)) throw new Error('entry.server does not export what the server wants of it');
  return module;
}
