/** Vite plugins of the page engine. Each replaces one internal module of React Router in the browser's bundle. */
import type { Plugin } from 'vite';

/** What `router/instrumentation.js` exports. */
const INSTRUMENTATION_EXPORTS = [
  'consumeInstrumentationClientResultMetaReceiver',
  'getRouteInstrumentationUpdates',
  'instrumentClientSideRouter',
  'instrumentHandler',
  'instrumentationResultMetaContext',
];

export interface ModuleReplacement {
  /** The module, below `react-router/dist/…/lib`. */
  readonly path: string;
  readonly code: string;
}

/** The shop observes no navigations, and this code is 1 KB of every first visit. */
export const instrumentationReplacement: ModuleReplacement = {
  path: 'router/instrumentation.js',
  code: `const nothing = () => undefined; export { ${INSTRUMENTATION_EXPORTS.map((name) => `nothing as ${name}`).join()} };`,
};

/**
 * React Router reloads the document if the script of a route cannot be fetched: the click is lost, and offline the page.
 * Here it is an error, which start-router.tsx handles.
 */
export const routeModulesReplacement: ModuleReplacement = {
  path: 'dom/ssr/routeModules.js',
  code: 'export const loadRouteModule = async ({ id, module }, known) => (known[id] ??= await import(/* @vite-ignore */ module));',
};

const createPlugin = ({ path, code }: ModuleReplacement): Plugin => ({
  name: `replace-${path}`,
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  load: (id) => {
    const file = id.replaceAll('\\', '/');
    return file.includes('/react-router/') && file.endsWith(`/lib/${path}`) ? code : null;
  },
});

export const pageEnginePlugins: readonly Plugin[] = [instrumentationReplacement, routeModulesReplacement].map(
  createPlugin,
);
