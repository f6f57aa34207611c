/** The Vite plugin of the page engine, which replaces an internal module of React Router in the browser's bundle. */
import type { Plugin } from 'vite';

/** Below `react-router/dist/…/lib`. */
const REPLACED = 'dom/ssr/routeModules.js';

/**
 * React Router reloads the document if the script of a route cannot be fetched: the click is lost, and offline the page.
 * Here it is an error, which start-router.tsx handles.
 */
const CODE =
  'export const loadRouteModule = async ({ id, module }, known) => (known[id] ??= await import(/* @vite-ignore */ module));';

export const routeModulesPlugin: Plugin = {
  name: `replace-${REPLACED}`,
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  load: (id) => {
    const file = id.replaceAll('\\', '/');
    return file.includes('/react-router/') && file.endsWith(`/lib/${REPLACED}`) ? CODE : null;
  },
};
