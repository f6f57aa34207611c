/** The exports of entry.server.tsx that the engine needs, checked once when the bundle is loaded. */
import type { EntryContext, RouterContext, RouterContextProvider, ServerBuild } from 'react-router';

/** A page as the bundle renders it. */
export interface RenderedPage {
  /** From the beginning to the end of the head, which is not closed. */
  readonly head: string;
  /** From the end of the head to the end of the body, which is not closed. Bytes are cached fragments. */
  readonly body: readonly (string | Uint8Array)[];
  /** Loader data in React Router's format, which is JSON. */
  readonly data: string;
  /** Build data for React Router's scripts, as JSON. */
  readonly handoff: string;
  /** Matched routes, outermost first, and how many are shown: none after one that failed. */
  readonly routeIds: readonly string[];
  readonly shown: number;
}

/** Renders loaded data synchronously. The caller writes the data into the page. */
type RenderDocument = (
  request: Request,
  status: number,
  context: EntryContext,
  loadContext: RouterContextProvider,
) => Omit<RenderedPage, 'data' | 'handoff'>;

export interface PageBundle {
  /** Context key of the loaders. Must come from the bundle, which has its own copy. */
  readonly pageContext: RouterContext;
  /** Records presses before hydration. */
  readonly pressScript: string;
  /** First in the head, before the first paint. */
  readonly firstInHead: string;
  readonly renderDocument: RenderDocument;
}

function isPageBundle(module: object): module is PageBundle {
  return (
    'pageContext' in module &&
    typeof module.pageContext === 'object' &&
    'firstInHead' in module &&
    typeof module.firstInHead === 'string' &&
    'pressScript' in module &&
    typeof module.pressScript === 'string' &&
    'renderDocument' in module &&
    typeof module.renderDocument === 'function'
  );
}

export function getPageBundle({ entry: { module } }: ServerBuild): PageBundle {
  if (!isPageBundle(module))
    throw new Error('entry.server.tsx must export pageContext, firstInHead, pressScript and renderDocument');
  return module;
}
