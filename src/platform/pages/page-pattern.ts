/** Patterns of page paths, such as `/catalog/product/:slug`. Unlike paths they are few, and hold nothing personal. */
import { matchRoutes } from 'react-router';
import type { RouteObject, ServerBuild } from 'react-router';

/** Returns the pattern of the page at a path; `none` for an unknown page. */
export function createPatternFinder(routes: ServerBuild['routes']): (path: string) => string {
  const objects = listRouteObjects(routes, undefined);
  return (path) => {
    const matched = matchRoutes(objects, path)?.map(({ route }) => route.path ?? '') ?? ['*'];
    const pattern = matched.filter((part) => part !== '' && part !== '/').join('/');
    return pattern === '*' ? 'none' : `/${pattern}`;
  };
}

function listRouteObjects(routes: ServerBuild['routes'], parentId: string | undefined): RouteObject[] {
  return Object.values(routes).flatMap((route): RouteObject[] => {
    if (route === undefined || route.parentId !== parentId) return [];
    const { id, path, index } = route;
    const common = { id, ...(path === undefined ? {} : { path }) };
    return [index === true ? { ...common, index } : { ...common, children: listRouteObjects(routes, id) }];
  });
}
