import { throwNotFound } from '../page/page-responses.ts';

/** For every path without a route. */
export const loader = (): never => throwNotFound();

export default function NotFoundPage() {
  return null;
}
